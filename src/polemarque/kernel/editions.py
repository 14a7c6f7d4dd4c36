"""Editions: which rules a game began with, and what moving it to newer ones would change.

A game pins the edition of its own system and, by the name of the resolver, of every system that
may fight its battles.  A rule that changes is registered again under the new edition, so the list
of what differs between two editions is read off the register: nobody writes it by hand.
"""

from __future__ import annotations

from polemarque.kernel.agenda import Rules, age_of, registered_rules, rules_of
from polemarque.kernel.battle_brief import resolver, resolvers, resolvers_for
from polemarque.kernel.errors import KernelFault, NotAllowed, OutOfDate
from polemarque.kernel.records.record import Adopt, Header
from polemarque.kernel.run import Runner
from polemarque.kernel.system import System, find_system


def fighting_system(name: str) -> System:
    """The system that a resolver's battles are fought by.  Raises NotUnderstood."""
    return find_system(resolver(name).system)


def pinned(system: System) -> dict[str, str]:
    """The newest edition of each system that may fight a game's battles, by resolver."""
    fought_by = system.resolvers
    if system.brief_words is not None:
        fought_by = resolvers_for(system.name, first=fought_by)
    return {name: fighting_system(name).edition for name in fought_by}


def known(system: System) -> tuple[str, ...]:
    """Every edition of a system that still plays, newest first."""
    return (system.edition, *system.past)


def check_editions(header: Header) -> None:
    """Raises OutOfDate if an edition that a record names plays no more, or not yet.

    A resolver that is not installed here is missed when a battle wants it: a game pins all that
    were there when it began, and may have used none.
    """
    here = resolvers()
    named = [(find_system(header.system), header.edition)]
    named += [
        (fighting_system(name), edition)
        for name, edition in header.editions.items()
        if name in here
    ]
    for system, edition in named:
        if edition not in known(system):
            raise OutOfDate("record.edition", part=edition, legal=known(system))


def check_adoption(runner: Runner, act: Adopt) -> None:
    """Whether a game may go on by the edition that an act names.

    Raises NotAllowed if that is none, or not newer than the one it plays by.
    """
    system = fighting_system(act.resolver) if act.resolver else runner.system
    now = runner.editions.get(act.resolver, "") if act.resolver else runner.edition
    newer = [edition for edition in known(system) if age_of(edition) > age_of(now)]
    if act.edition not in newer:
        raise NotAllowed("act.edition", part=act.edition, legal=newer, now=now)


def changes(runner: Runner, act: Adopt) -> tuple[str, ...]:
    """Ids of the rules that an act would change, as the game stands."""
    if not act.resolver:
        return changed_rules(runner.system, runner.edition, act.edition)
    now = runner.editions.get(act.resolver, "")
    return changed_rules(fighting_system(act.resolver), now, act.edition)


def changed_rules(system: System, old: str, new: str) -> tuple[str, ...]:
    """Ids of the rules whose script or procedure is another one in the edition `new`, sorted."""
    was, now = rules_of(system.package, old), rules_of(system.package, new)
    return tuple(
        [
            rule
            for rule in registered_rules(system.package)
            if _found(rule, was) is not _found(rule, now)
        ]
    )


def _found(rule: str, rules: Rules) -> object:
    try:
        return rules[rule]
    except KernelFault:  # a rule that this edition does not have yet
        return None
