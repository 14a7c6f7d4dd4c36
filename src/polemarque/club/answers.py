"""Answers as they come from people: taken once, on the disk; sealed ones with a receipt."""

from __future__ import annotations

from collections.abc import Sequence

from polemarque.club.ahead import Lasting, leave, settle
from polemarque.club.clerk import let_play
from polemarque.club.keys import key_text
from polemarque.club.models import Campaign, Draft, Entry, Given, Person, Receipt, TypedDice
from polemarque.club.receipts import keep_receipt, receipt_of, standing_receipt, void_receipts
from polemarque.club.roles import umpired_seats
from polemarque.club.tables import COURSE, SEALED, Table, reading, writing
from polemarque.kernel.errors import NotAllowed, OutOfDate, Refusal
from polemarque.kernel.game import Game
from polemarque.kernel.record import Answer, read_entry
from polemarque.kernel.request import Key, Request


def open_requests(game: Game, seat: str) -> list[Request]:
    """The questions that `seat` may answer now; those it has sealed can be sealed anew."""
    return [request for request in game.course.requests() if seat in request.seats]


def seal(
    campaign: Campaign, person: Person, seat: str, key: Key, value: object,
    *, once: str, salt: str = "", standing: str = "", lasting: Lasting | None = None,
) -> Receipt | None:  # fmt: skip
    """Take an answer and what follows from it; the receipt of a sealed one.

    once: names the filled form: sent again it is not taken again.
    salt: made by the browser, 64 hexadecimal digits, or "" for one made here.
    standing: digest of the answer that the form knew of; another person of the seat may have
          sealed since, and is not replaced unseen.
    lasting: for how long it is left for the same question when it comes again, None for this once.
    Raises Refusal, and then nothing has changed.
    """
    kept = given_before(campaign, once)
    if kept is not None:
        return receipt_of(kept)
    try:
        receipt = _sealed(campaign, person, seat, key, value, once, salt, standing, lasting)
    except Refusal:
        kept = given_before(campaign, once)  # sent twice at once: the other one was taken
        if kept is None:
            raise
        return receipt_of(kept)
    let_play(campaign)
    return receipt


def _sealed(
    campaign: Campaign, person: Person, seat: str, key: Key, value: object, once: str, salt: str,
    standing: str, lasting: Lasting | None,
) -> Receipt | None:  # fmt: skip
    with reading(campaign) as table:
        sealing = _is_sealed(table.game, key)
    with writing(campaign, SEALED if sealing else COURSE) as table:
        stands = standing_receipt(campaign, key)
        if stands is not None and stands.digest != standing:
            raise OutOfDate("page.answered_meanwhile", rule=key.rule)
        _check_final(campaign, table.game, seat, [key])
        table.game.answer(seat, value, key, salt=salt)
        receipt = put_down(campaign, table, person, once, sealing=sealing)
        Draft.objects.filter(campaign=campaign, person=person, key=key_text(key)).delete()
        if lasting is not None:
            leave(table.game, key, value, lasting)
        settle(campaign, table)
    return receipt


def put_down(
    campaign: Campaign, table: Table, person: Person, once: str, *, sealing: bool
) -> Receipt | None:  # fmt: skip
    """Put down the answer that was just entered, and who gave it; its receipt if it is sealed.

    sealing: whether the seat itself has sealed it, or had it sealed: what the rules answer in its
             absence, and dice, have no receipt.
    """
    row = table.put(campaign)[-1]
    Given.objects.create(campaign=campaign, entry=row, person=person, once=once)
    return keep_receipt(campaign, table.game, row.number) if sealing else None


def _is_sealed(game: Game, key: Key) -> bool:
    _, request = game.runner.find(key)
    return isinstance(request, Request) and request.sealed


def given_before(campaign: Campaign, once: str) -> Entry | None:
    """The entry that this very form has made already, or None.

    Raises OutOfDate if that answer has been replaced or taken back since: whoever sends the form
    again is to see what stands now.
    """
    given = Given.objects.filter(campaign=campaign, once=once).select_related("entry").first()
    if given is None:
        return None
    with reading(campaign) as table:
        answer = read_entry(bytes(given.entry.body), table.game.header.version)
        if isinstance(answer, Answer):
            last = _last(table.game, answer.key)
            if table.game.runner.found(answer.key) and answer != last:
                raise OutOfDate("page.answered_meanwhile", rule=answer.key.rule)
    return given.entry


def _last(game: Game, key: Key) -> Answer | None:
    """The answer to a question that is in force, or None."""
    given = [e for e in reversed(game.effective) if isinstance(e, Answer)]
    return next((answer for answer in given if answer.key == key), None)


def answers_of(game: Game, seat: str) -> int:
    """How many answers of a seat are in force."""
    return sum(isinstance(each, Answer) and each.key.seat == seat for each in game.effective)


def take_back(campaign: Campaign, seat: str, known: int | None = None) -> None:
    """Take back the seat's own last answer; what it has left for the same question is revoked.

    known: how many of its answers were in force on the page that asks for it, so that a second
           click takes back no second one; None not to look.
    Raises Refusal past a die (one that is typed and waits to be confirmed too), a reveal, or
    another's; OutOfDate if there are more or fewer by now.
    """
    with reading(campaign) as table:
        sealed = any(seat in request.answered for request in table.game.course.requests())
    # That a sealed answer was taken back is heard by those only who might know that it was given.
    with writing(campaign, SEALED if sealed else COURSE) as table:
        if known is not None and known != answers_of(table.game, seat):
            raise OutOfDate("page.answered_meanwhile")
        _check_not_thrown(campaign, table.game, seat)
        _check_final(campaign, table.game, seat)
        table.game.undo(seat)
        void_receipts(campaign, table.game)
        settle(campaign, table)


def _check_final(campaign: Campaign, game: Game, seat: str, keys: Sequence[Key] = ()) -> None:
    """Raises NotAllowed where an umpire who plays would take a sealed answer back, or replace it.

    Of the seat that the record names the game says so itself; another may have been named since.
    keys: of the questions it is about, or none for all.
    """
    for request in game.course.requests():
        about = seat in request.answered and (not keys or request.keys[seat] in keys)
        if about and seat in umpired_seats(campaign):
            raise NotAllowed("answer.final", rule=request.rule, part=seat)


def _check_not_thrown(campaign: Campaign, game: Game, seat: str) -> None:
    """Raises NotAllowed where dice have been thrown, and typed, for what that answer led to."""
    typed = TypedDice.objects.filter(campaign=campaign).values_list("key", flat=True)
    given = [e for e in reversed(game.effective) if isinstance(e, Answer) and e.key.seat == seat]
    runner = game.runner.at(given[0].key.path) if given else None
    if runner is not None and any(key_text(key) in typed for key in runner.open_keys()):
        raise NotAllowed("undo.die", rule=given[0].key.rule, part=seat)
