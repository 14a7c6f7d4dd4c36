"""The set-up of a battle (BC-1.1): what an army that says nothing brings."""

from polemarque.kernel.game import Game, new_header


def test_an_army_that_says_nothing_brings_nothing_to_one_that_does() -> None:
    def power(**side: object) -> int:
        game = Game(new_header("batailles", setup={"a": side, "b": {"pm": 40}}))
        return game.state.a.start

    assert power(pm=20, allies=[{"name": "Friends"}]) == 20
    assert power(allies=[{"name": "Friends", "pm": 10}]) == 10
    assert power() == 50
