"""Mare Nostrum: the sea as it stands, as a map to print."""

from __future__ import annotations

from typing import Any

from polemarque.report.pictures import draws_board
from polemarque.report.sea_chart import draw_sea
from polemarque.report.sea_state import Mark, Shown, ShownArmy, ShownFleet
from polemarque.report.voice import Names, catalogue_of
from polemarque.systems.mare_nostrum.atlas import Atlas
from polemarque.systems.mare_nostrum.state import FIRST_YEAR, TURNS_A_YEAR
from polemarque.systems.mare_nostrum.wares import RESOURCES

SEASONS = {
    "fr": ("printemps", "été", "automne", "hiver"),
    "en": ("spring", "summer", "autumn", "winter"),
}
WHEN = {
    "fr": "tour {turn} · {season} {year} avant notre ère",
    "en": "turn {turn} · {season} {year} BC",
}


@draws_board("mare_nostrum")
def sea(campaign: Any, lang: str, names: Names) -> str | None:
    """Who controls what, where armies and fleets are, and what is besieged, cut or pillaged."""
    atlas: Atlas = campaign.atlas
    texts = catalogue_of("mare_nostrum")
    used = {good for province in atlas.provinces for good in province.resources}
    return draw_sea(
        atlas,
        shown(campaign, names),
        lang,
        under=when(campaign.turn, lang),
        goods={key: texts.say(lang, f"resource.{key}") for key in RESOURCES if key in used},
    )


def when(turn: int, lang: str) -> str:
    """A turn with its season and year; the first is spring of 300 BC (MN-F1)."""
    year, season = divmod(max(turn, 1) - 1, TURNS_A_YEAR)
    return WHEN[lang].format(turn=turn, season=SEASONS[lang][season], year=FIRST_YEAR - year)


def shown(campaign: Any, names: Names) -> Shown:
    """A campaign as neutral data; what fleets carry is shown on them."""
    called = names.get("seat", {})
    lands = campaign.lands
    aboard = {army.place for army in campaign.armies.values()}
    return Shown(
        names={code: called.get(code, code) for code in campaign.seats},
        owners={place: land.owner for place, land in lands.items()},
        homes={code: seat.home for code, seat in campaign.seats.items() if seat.home},
        armies=tuple(
            [
                ShownArmy(army.owner, army.place, army.exhausted)
                for army in campaign.armies.values()
                if army.place in lands
            ]
        ),
        fleets=tuple(
            [
                ShownFleet(fleet.owner, fleet.place, fleet.id in aboard)
                for fleet in campaign.fleets.values()
            ]
        ),
        caravans=tuple([(one.owner, one.place) for one in campaign.caravans.values()]),
        bands=tuple([(band.kind, band.place) for band in campaign.bands.values()]),
        routes=tuple(
            [(one.owner, one.origin, one.destination) for one in campaign.routes.values()]
        ),
        sieges={
            place: max(1, campaign.turn - land.siege.begun)
            for place, land in lands.items()
            if land.siege is not None
        },
        marks={place: _marks(land) for place, land in lands.items() if land.marked},
        fortresses=tuple([p for p, land in lands.items() if "fortress" in land.improvements]),
        arsenals=tuple([p for p, land in lands.items() if "arsenal" in land.improvements]),
    )


def _marks(land: Any) -> tuple[Mark, ...]:
    marks: tuple[tuple[bool, Mark], ...] = (
        (land.pillaged, "pillaged"),
        (land.taxed_off, "blockaded"),
        (land.cut, "cut"),
    )
    return tuple([mark for suffered, mark in marks if suffered])
