"""Maps of provinces: a graph with names, terrain and cities, and the outlines to draw it with."""

from __future__ import annotations

from polemarque.maps.provinces import (
    NO_CITY,
    Holdings,
    Kingdom,
    Latest,
    MapRefused,
    Point,
    Polygon,
    Province,
    ProvinceMap,
    build_map,
    check_map,
    load_map,
)

__all__ = [
    "ProvinceMap",
    "Province",
    "Kingdom",
    "Point",
    "Polygon",
    "NO_CITY",
    "MapRefused",
    "load_map",
    "check_map",
    "build_map",
    "Holdings",
    "Latest",
]
