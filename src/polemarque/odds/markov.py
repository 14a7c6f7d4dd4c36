"""Absorbing chains, solved exactly: situations that lead to one another until one is final.

Each situation i ends in a final key with some weight, or goes on to situation j: q(i, j).
What is wanted is x(i) = r(i) + sum of q(i, j) x(j), for vectors r of Fractions by key.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush
from typing import Any

from polemarque.kernel.errors import KernelFault

Vector = dict[Hashable, Fraction]

ONE = Fraction(1)


def add(vector: Vector, other: Mapping[Any, Fraction], times: Fraction = ONE) -> None:
    """Add `times` another vector to a vector, in place."""
    for key, amount in other.items():
        vector[key] = vector.get(key, 0) + amount * times


def order_of(
    edges: Mapping[Hashable, Mapping[Hashable, Fraction]], start: Hashable
) -> list[Hashable]:
    """Situations reachable from `start`, each after those it leads to (as far as loops allow)."""
    order: list[Hashable] = []
    seen = {start}
    path = [(start, iter(edges[start]))]
    while path:
        situation, following = path[-1]
        for then in following:
            if then not in seen:
                seen.add(then)
                path.append((then, iter(edges[then])))
                break
        else:
            order.append(situation)
            path.pop()
    return order


def solve(
    order: Sequence[Hashable],
    edges: Mapping[Hashable, Mapping[Hashable, Fraction]],
    ends: Mapping[Hashable, Vector],
) -> dict[Hashable, Vector]:
    """The vectors x of x(i) = ends(i) + sum of edges(i, j) x(j), for every situation of `order`.

    Situations are eliminated in the given order; without loops, and with self loops only, nothing
    is left to do when `order_of` made it.  Raises KernelFault if some situation never ends.
    """
    rank = {situation: place for place, situation in enumerate(order)}
    open_edges: list[dict[int, Fraction]] = []  # to situations of later rank only
    vectors: list[Vector] = []
    for place, situation in enumerate(order):
        vector = dict(ends[situation])
        going = {rank[then]: weight for then, weight in edges[situation].items()}
        earlier = [then for then in going if then < place]
        heapify(earlier)
        while earlier:
            then = heappop(earlier)
            weight = going.pop(then)
            add(vector, vectors[then], weight)
            for later, further in open_edges[then].items():
                if later not in going:
                    going[later] = Fraction(0)
                    if later < place:
                        heappush(earlier, later)
                going[later] += weight * further
        stays = going.pop(place, None)
        if stays is not None:
            if stays == 1:
                raise KernelFault(f"a situation never ends: {situation!r}")
            factor = 1 / (1 - stays)
            vector = {key: amount * factor for key, amount in vector.items()}
            going = {then: weight * factor for then, weight in going.items()}
        vectors.append(vector)
        open_edges.append(going)
    for place in reversed(range(len(order))):
        for later, weight in open_edges[place].items():
            add(vectors[place], vectors[later], weight)
    return dict(zip(order, vectors, strict=True))
