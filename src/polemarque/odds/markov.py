"""Absorbing chains, solved exactly: situations that lead to one another until one is final.

Each situation i ends in a final key with some weight, or goes on to situation j: q(i, j).
What is wanted is x(i) = r(i) + sum of q(i, j) x(j), for vectors r by key.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from math import gcd
from typing import Any, TypeVar

from polemarque.kernel.errors import KernelFault

Key = TypeVar("Key")

Vector = tuple[Mapping[Any, int], int]
"""Whole numbers by key, and what they are parts of: adding them up takes no common divisors."""

NOTHING: Vector = ({}, 1)


SHORT = 1 << 512
"""Up to here whole numbers are quick enough: their common divisors would take longer."""


def reduced(parts: dict[Key, int], scale: int) -> tuple[dict[Key, int], int]:
    """The same numbers over the least scale, unless it is short."""
    if scale < SHORT:
        return parts, scale
    common = gcd(scale, *parts.values())
    if common == 1:
        return parts, scale
    return {key: n // common for key, n in parts.items()}, scale // common


def plus(vector: Vector, other: Vector, weight: int = 1, of: int = 1) -> Vector:
    """A vector with `weight` parts `of` so many of another."""
    mine, scale = vector
    theirs, under = other
    if not theirs:
        return vector
    under *= of
    common = gcd(scale, under)
    times, weight = under // common, weight * (scale // common)
    found = {key: n * times for key, n in mine.items()}
    for key, n in theirs.items():
        found[key] = found.get(key, 0) + n * weight
    return reduced(found, scale * times)


def order_of(
    edges: Mapping[Hashable, tuple[Mapping[Hashable, int], int]], start: Hashable
) -> list[Hashable]:
    """Situations reachable from `start`, each after those it leads to (as far as loops allow)."""
    order: list[Hashable] = []
    seen = {start}
    path = [(start, iter(edges[start][0]))]
    while path:
        situation, following = path[-1]
        for then in following:
            if then not in seen:
                seen.add(then)
                path.append((then, iter(edges[then][0])))
                break
        else:
            order.append(situation)
            path.pop()
    return order


def solve(
    order: Sequence[Hashable],
    edges: Mapping[Hashable, tuple[Mapping[Hashable, int], int]],
    ends: Mapping[Hashable, Vector],
) -> dict[Hashable, Vector]:
    """The vectors x of x(i) = ends(i) + sum of edges(i, j) x(j), for every situation of `order`.

    edges: of a situation, the weights of those it leads to, and what its weights are parts of.
    Situations are eliminated in the given order; without loops, and with self loops only, nothing
    is left to do when `order_of` made it.  Raises KernelFault if some situation never ends.
    """
    rank = {situation: place for place, situation in enumerate(order)}
    vectors: list[Vector] = []
    open_edges: list[tuple[dict[int, int], int]] = []  # to situations of later rank only
    for place, situation in enumerate(order):
        leading, scale = edges[situation]
        going = {rank[then]: weight for then, weight in leading.items()}
        vector = ends[situation]
        earlier = [then for then in going if then < place]
        heapify(earlier)
        while earlier:
            then = heappop(earlier)
            weight = going.pop(then)
            vector = plus(vector, vectors[then], weight, scale)
            further, under = open_edges[then]
            if not further:
                continue
            going = {later: n * under for later, n in going.items()}
            scale *= under
            for later, n in further.items():
                if later not in going:
                    going[later] = 0
                    if later < place:
                        heappush(earlier, later)
                going[later] += weight * n
        stays = going.pop(place, 0)
        if stays == scale:
            raise KernelFault(f"a situation never ends: {situation!r}")
        if stays:
            parts, under = vector
            vector = reduced({key: n * scale for key, n in parts.items()}, under * (scale - stays))
            scale -= stays
        vectors.append(vector)
        open_edges.append(reduced(going, scale))
    for place in reversed(range(len(order))):
        going, scale = open_edges[place]
        for later, weight in going.items():
            vectors[place] = plus(vectors[place], vectors[later], weight, scale)
    return dict(zip(order, vectors, strict=True))
