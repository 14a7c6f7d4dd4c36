"""Acts of the umpire: found, looked at before they are done, and done.

An act is entered only as it was looked at: if anything was entered meanwhile, the difference is
made again and shown again.  Where an umpire plays, every umpire sees an act through the eyes
of their own seat, or of nobody, and it waits until a seat consents that is no party to it.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import msgspec
from django.db import IntegrityError, transaction
from django.utils import timezone

from polemarque.club.campaigns.bot_turns import let_play
from polemarque.club.campaigns.session import COURSE, LiveCampaign, read_lock, write_lock
from polemarque.club.campaigns.visibility import hides_readiness, period_shown
from polemarque.club.models import (
    COMMANDER,
    Campaign,
    Given,
    Holder,
    Person,
    Proposal,
    Pulse,
    TypedDice,
)
from polemarque.club.orders.standing_orders import settle
from polemarque.club.people.roles import Visit, visit_of
from polemarque.club.transfer.models import check_here
from polemarque.club.trust.receipts import void_receipts
from polemarque.kernel.acts import Effect, UmpireAct, enact
from polemarque.kernel.adjust import heads_of, pattern_of
from polemarque.kernel.agenda import age_of
from polemarque.kernel.editions import fighting_system, known
from polemarque.kernel.errors import (
    KernelFault,
    NotAllowed,
    NotUnderstood,
    OutOfDate,
    Refusal,
    shortened,
)
from polemarque.kernel.events import Event
from polemarque.kernel.game import Game, replay
from polemarque.kernel.interpreter import RollRequest
from polemarque.kernel.records.record import (
    TYPED,
    Adjust,
    Answer,
    Entry,
    Header,
    Replace,
    Undo,
    read_entry,
    write_entry,
)
from polemarque.kernel.request import DICE, UMPIRE, Key, Request
from polemarque.kernel.run import Runner

SPOKEN = frozenset({"act.not_between_items", "act.unknown", "act.no_battle", "act.edition",
                    "act.nothing_adjustable", "option.unknown", "option.value"})  # fmt: skip
"""Refusals that a party to the game may read: they follow from what everybody knows.  By another
a party would learn, act by act, what others hide."""


STATIC = frozenset({"act.form", "act.improvement", "act.number", "act.province", "act.territory",
                    "act.text", "act.truth", "act.zone", "answer.list", "option.unknown",
                    "option.value", "seat.unknown"})  # fmt: skip
"""Refusals that stay the same all through a game: of its seats, its map, its options, and of the
kind of a value."""


class Foreseen(msgspec.Struct, frozen=True):
    """What an act would change, or why it cannot be done.

    number: of entries of the record for which it was found out.
    told:   what the rules tell next, secrets included.
    """

    number: int
    effect: Effect = Effect()
    told: Sequence[Event] = ()
    refusal: Refusal | None = None


def act_of(proposal: Proposal) -> UmpireAct:
    """The act that is proposed."""
    act = read_entry(bytes(proposal.entry))
    assert isinstance(act, UmpireAct)
    return act


def find_act(campaign: Campaign, number: int) -> Proposal | None:
    """The proposed act of that number; a wish to take back (`taking_back`) is none."""
    found = campaign.proposals.filter(pk=number).first()
    return None if found and isinstance(read_entry(bytes(found.entry)), Undo) else found


def foresee(proposal: Proposal) -> Foreseen:
    """What a proposed act would change as the game stands.

    The game is played again beside its table, which is free for everybody meanwhile.
    """
    campaign = proposal.campaign
    with read_lock(campaign) as table:
        memory: dict[Any, Foreseen] = table.memory.setdefault("foreseen", {})
        at = (proposal.pk, table.count)
        if at in memory:
            return memory[at]
        header, entries = table.game.header, tuple(table.game.entries)
    found = foreseen(header, entries, act_of(proposal))
    with read_lock(campaign) as table:
        for old in [each for each in memory if each[1] != table.count]:
            del memory[old]
        memory[at] = found
    return found


def foreseen(header: Header, entries: Sequence[Entry], act: UmpireAct) -> Foreseen:
    """What an act would change in a game of that record."""
    told: list[Event] = []
    twin = replay(header, entries, publish=told.append)
    before = len(told)
    try:
        effect = enact(twin, act)
        return Foreseen(len(entries), effect, told[before:])
    except Refusal as refusal:
        return Foreseen(len(entries), refusal=refusal)
    except (KernelFault, TypeError):  # the rules cannot go on from there, or read such a value
        return Foreseen(len(entries), refusal=NotAllowed("desk.impossible"))


# Proposing ---------------------------------------------------------------------------------------


def propose(visit: Visit, act: UmpireAct, once: str) -> Proposal:
    """Keep an act to be looked at; the same form, filled in the same way, makes it once.

    Raises the refusal of the game, as far as the umpire may read it, and NotAllowed once it is
    over.  One who may not look yet (see `sees`) is refused what could be said of any game of that
    set-up alone: of the rest, consent will show.
    """
    campaign, once = visit.campaign, _known_by(once, act)
    kept = Proposal.objects.filter(campaign=campaign, once=once).first()
    if kept is not None:
        return kept
    with read_lock(campaign) as table:
        check_running(table)
        strange = None if visit.neutral else _strange(table.game, act)
        refusal = strange or (_refusal(table.game, act) if sees(visit, table) else None)
        number = table.count
    if refusal is not None and (visit.neutral or strange or refusal.code in SPOKEN):
        raise refusal
    try:
        with transaction.atomic():
            check_here(campaign)
            return Proposal.objects.create(
                campaign=campaign, entry=write_entry(act), number=number, by=visit.person, once=once
            )  # fmt: skip
    except IntegrityError:  # sent twice at once
        return Proposal.objects.get(campaign=campaign, once=once)


def _known_by(once: str, act: UmpireAct) -> str:
    """What a filled form is known by: anyone who goes back and fills it in otherwise means another
    act.  The day on which it is sent makes none."""
    undated = write_entry(msgspec.structs.replace(act, date=""))
    return hashlib.sha256(once.encode() + b"\n" + undated).hexdigest()


def sees(visit: Visit, table: LiveCampaign) -> bool:
    """Whether an umpire may look at what an act would change, as the game stands.

    Where one who plays has yet to seal none may: it would tell them who has sealed before.
    """
    return not hides_readiness(visit, table) or not _others(visit)


def check_running(table: LiveCampaign) -> None:
    """Raises NotAllowed once the game is over: nothing is changed any more."""
    if table.game.over:
        raise NotAllowed("desk.over", part=table.game.header.campaign)


def _refusal(game: Game, act: UmpireAct) -> Refusal | None:
    """Why an act cannot be done at all, as far as that is known without playing again."""
    if isinstance(act, Replace):
        return None
    try:
        game.course.prepared(game.course.placed(act))
    except Refusal as refusal:
        return refusal
    except TypeError:
        return NotUnderstood("desk.value", part=act.value if isinstance(act, Adjust) else "")
    return None


def _strange(game: Game, act: UmpireAct) -> Refusal | None:
    """Why an adjustment can be none in any game of that set-up.

    It is asked of the game as it began, which follows from the header alone: whatever has been
    played, sealed or hidden since, the answer is the same, so that it tells nothing of that.
    """
    runner = game.runner.at(act.path) if isinstance(act, Adjust) else None
    if not isinstance(act, Adjust) or runner is None:
        return None
    patterns = adjustable(runner).names
    if patterns and not pattern_of(act.name, patterns) and act.name not in heads_of(patterns):
        return NotUnderstood("act.unknown", part=act.name, legal=patterns)
    if runner is not game.runner or runner.system.adjust is None:
        return None
    try:
        runner.system.adjust(Game(game.header.freed).runner.state, act.name, act.value)
    except Refusal as refusal:
        return refusal if refusal.code in STATIC else None
    except (KernelFault, TypeError):
        return None
    return None


def needs_consent(proposal: Proposal) -> bool:
    """Whether an act waits for another seat.

    Raises NotAllowed where it does, and nobody commands a seat that could consent.
    """
    asked = _asked(proposal)
    if asked and not consenting(proposal):
        raise NotAllowed("desk.nobody_consents", part=", ".join(asked), legal=asked)
    return bool(asked)


def consenting(proposal: Proposal) -> list[str]:
    """The seats whose commanders may consent; of those that are asked nobody may command one."""
    held = Holder.objects.filter(seat__campaign=proposal.campaign, role=COMMANDER)
    commanded = set(held.values_list("seat__code", flat=True))
    return [seat for seat in _asked(proposal) if seat in commanded]


def _asked(proposal: Proposal) -> list[str]:
    """The seats one of which has to consent: none where a neutral umpire acts, nor where programs
    play all others.

    They are those of other people, but that of the umpire who plays and those which the act makes
    winners.  Only where nobody else is left do these count: first that umpire's, whose loss alone
    it is, then the winners'.
    """
    if proposal.by is None:
        return []
    visit = visit_of(proposal.campaign, proposal.by)
    others = [] if visit.neutral else _others(visit)
    with read_lock(proposal.campaign) as table:
        winners = _winners(table.game, act_of(proposal))
        umpire = table.game.header.umpire
    for parties in ({umpire, *winners}, winners):
        if found := [seat for seat in others if seat not in parties]:
            return found
    return others


def _others(visit: Visit) -> list[str]:
    """The seats that are for other people, whether anybody commands them now or not."""
    codes = visit.campaign.seats.filter(bot="").values_list("code", flat=True)
    return [code for code in codes if code not in visit.seats]


def _winners(game: Game, act: UmpireAct) -> Collection[str]:
    """The seats that an act declares the winners of the game, or of a battle in it."""
    runner = game.runner.at(act.path) if isinstance(act, Adjust) else None
    if not isinstance(act, Adjust) or runner is None or runner.system.adjust is None:
        return frozenset()
    try:
        found = runner.system.standing(runner.system.adjust(runner.state, act.name, act.value))
        return frozenset(found.winners if found.over else ())
    except (Refusal, KernelFault, TypeError):  # the act will be refused
        return frozenset()


def open_proposals(campaign: Campaign) -> list[Proposal]:
    """What waits for the consent of a seat."""
    return list(campaign.proposals.filter(done=None).exclude(put=None).order_by("pk"))


def confirm(visit: Visit, proposal: Proposal, number: int) -> Proposal:
    """Enter a proposed act, or put it to the other seats where it needs their consent.

    number: of entries for which the difference was shown that is confirmed.
    Raises OutOfDate if something was entered since and the act is entered at once; what is put to
    others they look at as it stands when they consent.  NotAllowed where another waits already, and
    as `needs_consent`.
    """
    if needs_consent(proposal):
        return _put(visit, proposal)
    return _enter(proposal, number, visit.person)


def _put(visit: Visit, proposal: Proposal) -> Proposal:
    campaign = visit.campaign
    with transaction.atomic():
        row = _locked(proposal)
        check_here(campaign)
        if row.put is None and row.done is None:
            if open_proposals(campaign):
                raise NotAllowed("desk.another_waits")
            row.put = timezone.now()
            row.save(update_fields=["put"])
            Pulse.objects.create(campaign=campaign, kind=COURSE)
        return row


def consent(visit: Visit, seat: str, proposal: Proposal, number: int) -> Proposal:
    """A seat consents to an act, which is entered.

    Raises NotAllowed if it is not for that seat to consent, OutOfDate as `confirm` does.
    """
    _check_consent(proposal, seat)
    return _enter(proposal, number, visit.person, seat)


def refuse(seat: str, proposal: Proposal) -> None:
    """A seat does not consent: the act is dropped.  Raises NotAllowed as `consent` does."""
    _check_consent(proposal, seat)
    _drop(proposal, seat)


def drop(proposal: Proposal) -> None:
    """The umpire drops an act that is not done; one that is done stays."""
    _drop(proposal, "")


def _check_consent(proposal: Proposal, seat: str) -> None:
    if proposal.put is None or seat not in consenting(proposal):
        raise NotAllowed("desk.not_yours", part=seat)


def _drop(proposal: Proposal, seat: str) -> None:
    dropped = Proposal.objects.filter(pk=proposal.pk, done=None)
    if dropped.update(done=timezone.now(), seat=seat):
        Pulse.objects.create(campaign=proposal.campaign, kind=COURSE)


def _locked(proposal: Proposal) -> Proposal:
    return Proposal.objects.select_for_update().get(pk=proposal.pk)


def _enter(proposal: Proposal, number: int, person: Person, seat: str = "") -> Proposal:
    """Enter an act as it was looked at, dated today, and whatever follows from it."""
    campaign = proposal.campaign
    with write_lock(campaign) as table:
        row = _locked(proposal)
        if row.done is not None:
            return row
        if table.count != number:
            raise OutOfDate("desk.gone_on")
        act = msgspec.structs.replace(act_of(row), date=today())
        table.game.enter(act)
        entry = table.put(campaign)[-1]
        once = secrets.token_hex(16)  # that it is done once, the row itself says
        Given.objects.create(campaign=campaign, entry=entry, person=person, once=once)
        row.done, row.entered, row.seat, row.number = timezone.now(), True, seat, number
        row.save()
        void_receipts(campaign, table.game)
        TypedDice.objects.filter(campaign=campaign).delete()  # they were thrown for what was before
        settle(campaign, table)
    let_play(campaign)
    return row


def today() -> str:
    """The date that an act carries: the server's."""
    return timezone.localdate().isoformat()


# Answers that stand ------------------------------------------------------------------------------


def standing_answers(visit: Visit, table: LiveCampaign) -> list[Answer]:
    """The answers that the umpire may correct, newest first.

    None that is still sealed; to an umpire who is a party, their own and those of their office: not
    even its key is shown of another's, for it may name what is secret.  Dice, where they are typed.
    """
    game = table.game
    closed = {key for r in game.course.requests() for s, key in r.keys.items() if s in r.answered}
    theirs = {*game.header.seats, UMPIRE} if visit.neutral else {*visit.seats, UMPIRE}
    if game.header.dice == TYPED and visit.neutral:
        theirs.add(DICE)
    return [
        each
        for each in reversed(game.effective)
        if isinstance(each, Answer) and each.key.seat in theirs and each.key not in closed
    ]


class AsThen(msgspec.Struct, frozen=True):
    """A question as it was asked then, and the answer that stands.

    game: stands where it was asked.   given: the answer.
    """

    game: Game
    asked: Request | RollRequest
    given: Answer

    @property
    def period(self) -> int:
        """The period that readers are told it was asked in, 0 for the opening."""
        return period_shown(self.game)


def as_then(visit: Visit, key: Key) -> AsThen:
    """A question whose answer may be corrected, the game played again up to it.

    Raises OutOfDate if no such answer stands, or it is not for this umpire; NotAllowed once the
    game is over.
    """
    found = next(all_as_then(visit, [key]), None)
    if found is None:
        raise OutOfDate("desk.no_answer", rule=key.rule, part=key)
    return found


def all_as_then(visit: Visit, keys: Collection[Key]) -> Iterator[AsThen]:
    """Those questions of some whose answers this umpire may correct, in the order of their answers.

    The game is played again beside its table, once for all of them: what is wanted of it as it
    stood then is read before the next question is.  Raises NotAllowed once the game is over.
    """
    with read_lock(visit.campaign) as table:
        check_running(table)
        given = {each.key: each for each in standing_answers(visit, table) if each.key in keys}
        header, done = table.game.header, tuple(table.game.effective)
    twin = Game(header.freed) if given else None
    for entry in done:
        if twin is None or not given:
            return
        if isinstance(entry, Answer) and given.get(entry.key) is entry:
            del given[entry.key]
            yield AsThen(twin, twin.runner.find(entry.key)[1], entry)
        twin.enter(entry)


# What can be adjusted ----------------------------------------------------------------------------

PROBE = 0.5
"""A value that nothing takes: what would be legal is read off its refusal."""


class Adjustable(msgspec.Struct, frozen=True):
    """How far a name leads.

    names: what it could go on with, in full; none if it is whole, or goes no further.
    values: what would be legal of it, as the system says it; empty if the name is not whole.
    several: the value is a list of them.
    """

    names: Sequence[str] = ()
    values: Sequence[str] = ()
    several: bool = False


def adjustable(runner: Runner, name: str = "") -> Adjustable:
    """What the system of a game, or of a battle in it, says can be adjusted under a name."""
    top = _probed(runner, "")
    if not name:
        return Adjustable(names=top.legal if top else ())
    said = _probed(runner, name)
    if said is None or top is None:
        return Adjustable()
    if said.part == shortened(PROBE):
        return Adjustable(values=said.legal, several=said.code == "answer.list")
    stem = name.removesuffix(".") + "."
    further = _probed(runner, stem)
    if further is None or further.part == shortened(PROBE) or further.legal == top.legal:
        return Adjustable()
    return Adjustable(names=[f"{stem}{each}" for each in further.legal])


def _probed(runner: Runner, name: str) -> Refusal | None:
    """How a system refuses a value that cannot be."""
    if runner.system.adjust is None:
        return None
    try:
        runner.system.adjust(runner.state, name, PROBE)
    except Refusal as refusal:
        return refusal
    except TypeError:  # it does not look at its values first
        return None
    return None


def can_declare_end(table: LiveCampaign) -> Adjustable | None:
    """Who may be declared the winner, if the umpire can declare an end; None if they cannot."""
    said = adjustable(table.game.runner, "end")
    return said if said.values else None


def newer_editions(table: LiveCampaign) -> list[tuple[str, str]]:
    """(resolver or "", edition): what the game could be moved to, its own rules first."""
    runner = table.game.runner
    used = [("", runner.edition, runner.system)]
    used += [(name, now, fighting_system(name)) for name, now in runner.editions.items()]
    return [
        (name, edition)
        for name, now, system in used
        for edition in known(system)
        if age_of(edition) > age_of(now)
    ]
