"""Answers as they come from people: taken once, on the disk; sealed ones with a receipt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from polemarque.club.campaigns.bot_turns import let_play
from polemarque.club.campaigns.question_keys import key_text
from polemarque.club.campaigns.session import (
    BY_POST,
    SEALED,
    UNHEARD,
    LiveCampaign,
    read_lock,
    write_lock,
)
from polemarque.club.models import Campaign, Draft, Entry, Given, Person, Receipt
from polemarque.club.orders.forced_answers import awaited, spare
from polemarque.club.orders.standing_orders import Lasting, bring, leave, own_left, settle
from polemarque.club.people.roles import Visit, umpired_seats, visit_of
from polemarque.club.trust.receipts import keep_receipt, receipt_of, standing_receipt
from polemarque.kernel.errors import NotAllowed, NotUnderstood, OutOfDate
from polemarque.kernel.game import Game
from polemarque.kernel.records.record import Answer, Leave, read_entry
from polemarque.kernel.request import UMPIRE, Key, Request


def open_requests(game: Game, seat: str) -> list[Request]:
    """The questions that `seat` may answer now; those it has sealed can be sealed again."""
    return [request for request in game.course.requests() if seat in request.seats]


def seal(
    campaign: Campaign, person: Person, seat: str, key: Key, value: object,
    *, once: str, salt: str = "", standing: str = "", lasting: Lasting | None = None,
    ahead: Sequence[Leave] = (),
) -> Receipt | None:  # fmt: skip
    """Take an answer and what follows from it; the receipt of a sealed one.

    once: names the filled form: sent again it is not taken again.
    salt: made by the browser, 64 hexadecimal digits, or "" for one made here.
    standing: digest of the answer that the form knew of; another person of the seat may have
          sealed since, and is not replaced unseen.
    lasting: for how long it is left for the same question when it comes again, None for this once.
    ahead: what else is left in advance with it.
    Raises Refusal, and then nothing has changed.
    """
    with write_lock(campaign) as table:
        kept = given_before(campaign, once)
        if kept is not None:
            return receipt_of(kept)
        _, asked = table.game.runner.find(key)
        sealed = asked if isinstance(asked, Request) and asked.sealed else None
        if sealed:
            table.kind = SEALED
        stands = standing_receipt(campaign, key)
        if stands is not None and stands.digest != standing:
            raise OutOfDate("page.answered_meanwhile", rule=key.rule)
        check_final(campaign, table.game, seat, [key])
        _check_alone(campaign, table.game, person, key, value)
        spare(campaign, table, key)
        table.game.answer(seat, value, key, salt=salt)
        receipt = put_down(campaign, table, person, once, sealed)
        Draft.objects.filter(campaign=campaign, person=person, key=key_text(key)).delete()
        if lasting is not None:
            leave(table.game, key, value, lasting)
        _put_ahead(table.game, ahead)
        settle(campaign, table)
    let_play(campaign)
    return receipt


def leave_ahead(campaign: Campaign, ahead: Sequence[Leave]) -> None:
    """Leave answers in advance where nothing is answered now, and let follow what follows."""
    with write_lock(campaign) as table:
        table.kind = UNHEARD
        _put_ahead(table.game, ahead)
        settle(campaign, table)
    let_play(campaign)


def _put_ahead(game: Game, ahead: Iterable[Leave]) -> None:
    for each in ahead:
        game.enter(each)


def put_down(
    campaign: Campaign, table: LiveCampaign, person: Person, once: str, sealed: Request | None
) -> Receipt | None:
    """Put down the answer that was just entered, and who gave it; its receipt if it is sealed.

    sealed: the question to which the seat itself has sealed it, or had it sealed: what the rules
            answer in its absence, and dice, have no receipt.
    """
    row = table.put(campaign)[-1]
    Given.objects.create(campaign=campaign, entry=row, person=person, once=once)
    if sealed is None:
        return None
    return keep_receipt(campaign, table.game, row.number, untold=sealed.ask.spares)


def given_before(campaign: Campaign, once: str) -> Entry | None:
    """The entry that this very form has made already, or None.

    Raises OutOfDate if that answer has been replaced or taken back since: anyone who sends the form
    again is to see what stands now.
    """
    given = Given.objects.filter(campaign=campaign, once=once).select_related("entry").first()
    if given is None:
        return None
    with read_lock(campaign) as table:
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


def check_final(campaign: Campaign, game: Game, seat: str, keys: Sequence[Key] = ()) -> None:
    """Raises NotAllowed where an umpire who plays would take a sealed answer back, or replace it.

    Of the seat that the record names the game says so itself; another may have been named since.
    keys: of the questions it is about, or none for all.
    """
    for request in game.course.requests():
        about = seat in request.answered and (not keys or request.keys[seat] in keys)
        if about and seat in umpired_seats(campaign):
            raise NotAllowed("answer.final", rule=request.rule, part=seat)


def settles_alone(visit: Visit, request: Request) -> bool:
    """Whether an umpire decides a question of the rules: not one who plays, and whom the record
    does not know as such, for the seats have named them since."""
    return visit.neutral or request.ask.touches is None


def _check_alone(campaign: Campaign, game: Game, person: Person, key: Key, value: object) -> None:
    """Raises NotAllowed where an umpire who plays would answer more than what holds without."""
    _, request = game.runner.find(key)
    if key.seat != UMPIRE or not isinstance(request, Request):
        return
    if settles_alone(visit_of(campaign, person), request):
        return
    options = request.options(UMPIRE)
    if options.take(value) != options.take(request.otherwise(UMPIRE)):
        raise NotAllowed("desk.plays", rule=key.rule)


# By post or mail ---------------------------------------------------------------------------------

# The record says that an umpire has brought them; the seat has its receipt, and puts another in its
# place while it is sealed.  What the seat has sealed itself no umpire replaces.


def check_postman(visit: Visit, seat: str) -> None:
    """Raises NotAllowed where an umpire plays, or a program the seat; NotUnderstood on no seat."""
    if not visit.neutral:
        raise NotAllowed("posted.party", part=seat)
    found = visit.campaign.seats.filter(code=seat).first()
    if found is None:
        codes = tuple(visit.campaign.seats.values_list("code", flat=True))
        raise NotUnderstood("seat.unknown", part=seat, legal=codes)
    if found.bot:
        raise NotAllowed("posted.program", part=seat)


def posted_requests(campaign: Campaign, table: LiveCampaign, seat: str) -> list[Request]:
    """The questions that a seat may answer by post: those it has not sealed itself."""
    owed = awaited(campaign, table, seat)
    return [
        request
        for request in open_requests(table.game, seat)
        if request in owed or _by_post(table, request.keys[seat])
    ]


def _by_post(table: LiveCampaign, key: Key) -> bool:
    """Whether the answer that stands has come by post."""
    return any(
        isinstance(entry, Answer) and entry.key == key and entry.by == BY_POST
        for entry in table.game.effective
    )


def _bring_ahead(visit: Visit, table: LiveCampaign, ahead: Sequence[Leave]) -> list[Leave]:
    """Leave what an umpire brings in advance, but in place of nothing that the seat itself has
    left: they may not know of it.  Gives what is not left therefore."""
    refused = _in_place_of_own(visit.campaign, table.game, ahead)
    bring(visit.campaign, table, visit.person, [each for each in ahead if each not in refused])
    return refused


def _in_place_of_own(campaign: Campaign, game: Game, ahead: Sequence[Leave]) -> list[Leave]:
    own = {seat: own_left(campaign, game, seat) for seat in {each.seat for each in ahead}}
    return [each for each in ahead if (each.rule, each.subject) in own[each.seat]]


def leave_posted(visit: Visit, ahead: Sequence[Leave]) -> list[Leave]:
    """Leave answers in advance that have come by post; those that are not, as in `enter_posted`."""
    for each in ahead:
        check_postman(visit, each.seat)
    with write_lock(visit.campaign) as table:
        table.kind = UNHEARD
        refused = _bring_ahead(visit, table, ahead)
        settle(visit.campaign, table)
    let_play(visit.campaign)
    return refused


def enter_posted(
    visit: Visit, key: Key, value: object, once: str, ahead: Sequence[Leave] = ()
) -> list[Leave]:  # fmt: skip
    """Enter an answer that has come by post, and what follows from it.

    ahead: what is left in advance with it, but in place of nothing that the seat itself has left.
    Gives what is not left therefore.
    once: names the filled form: sent again it is not taken again.
    Raises as `check_postman`; OutOfDate if the question is not open, or the seat has sealed itself;
    NotUnderstood or NotAllowed by its options.
    """
    campaign = visit.campaign
    check_postman(visit, key.seat)
    with write_lock(campaign) as table:
        if given_before(campaign, once) is not None:
            return _in_place_of_own(campaign, table.game, ahead)
        asked = _asked(campaign, table, key)
        if asked.sealed:
            table.kind = SEALED
        spare(campaign, table, key)
        table.game.answer(key.seat, value, key, BY_POST)
        put_down(campaign, table, visit.person, once, asked if asked.sealed else None)
        refused = _bring_ahead(visit, table, ahead)
        settle(campaign, table)
    let_play(campaign)
    return refused


def _asked(campaign: Campaign, table: LiveCampaign, key: Key) -> Request:
    """The question, if it may be answered by post."""
    for request in posted_requests(campaign, table, key.seat):
        if request.keys[key.seat] == key:
            return request
    raise OutOfDate("posted.closed", rule=key.rule, part=key.seat)
