"""The visual identity: contrast by computation, and nothing referred to that is not there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from polemarque.kernel.files.texts import check_texts

WEB = Path(__file__).parents[2] / "src/polemarque/web"
TEMPLATES = sorted((WEB / "templates").rglob("*.html"))
SHEETS = sorted((WEB / "static/css").glob("*.css"))
SIGNS = set(re.findall(r'<symbol id="([^"]+)"', (WEB / "static/img/signs.svg").read_text()))

TEXT, CONTROL = 4.5, 3.0
"""Least contrast of words, and of what shows where a control is (WCAG 2.2, level AA)."""

INKS = ("ink", "faint", "rubric", "link", "well", "late", "secret")
GROUNDS = ("paper", "leaf", "sunk", "marked", "refused")


def colours() -> dict[str, tuple[str, str]]:
    """Token -> its colours by day and by night."""
    tokens = (WEB / "static/css/tokens.css").read_text()
    pairs = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", tokens)
    plain = re.findall(r"--([\w-]+): (#\w{6});", tokens)
    return {name: (day, night) for name, day, night in pairs} | {n: (c, c) for n, c in plain}


def luminance(colour: str) -> float:
    """Relative luminance, from 0 to 1."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """From 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def pairs() -> Iterator[tuple[str, str, float]]:
    """What stands on what, and how clear it has to be."""
    yield from ((ink, ground, TEXT) for ink, ground in product(INKS, GROUNDS))
    yield from (("seal-ink", wax, TEXT) for wax in ("seal", "seal-rim"))
    yield from (
        (line, ground, CONTROL)
        for line, ground in product(("edge", "focus", "seal-rim"), ("paper", "leaf", "sunk"))
    )


@pytest.mark.parametrize(("ink", "ground", "least"), list(pairs()))
def test_contrast_by_day_and_by_night(ink: str, ground: str, least: float) -> None:
    found = [contrast(a, b) for a, b in zip(colours()[ink], colours()[ground], strict=True)]
    assert min(found) >= least, f"{ink} on {ground}: {found[0]:.2f} by day, {found[1]:.2f} by night"


def test_every_colour_of_a_sheet_is_a_token() -> None:
    """Otherwise it has no twin for the night."""
    own = {
        f"{sheet.name}: {colour}"
        for sheet in SHEETS
        if sheet.name not in {"tokens.css", "print.css"}
        for colour in re.findall(r"#[0-9a-f]{3,8}\b", sheet.read_text())
        if colour != "#000"  # of a mask, which shows no colour
    }
    assert own == {"plate.css: #26506f"}, "a focus ring on a map, which is paper at night too"


def test_every_token_that_is_used_is_defined() -> None:
    css = "\n".join(sheet.read_text() for sheet in SHEETS)
    defined = set(re.findall(r"(--[\w-]+):", css))
    assert set(re.findall(r"var\((--[\w-]+)", css)) <= defined


def selectors(sheet: str) -> Iterator[str]:
    """Those of a style sheet, without what stands in brackets but that it looks into others."""
    bare, before = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL), ""
    while before != bare:
        before = bare
        bare = re.sub(r"\(([^()]*)\)", lambda found: ":has" * (":has" in found[1]), bare)
    for rule in re.findall(r"([^{}]+)\{", bare):
        yield from (each.strip() for each in rule.split(","))


def test_a_rule_that_looks_into_others_is_for_some_elements_alone() -> None:
    """A browser styles anew all that such a rule could be for, whenever something is added to the
    page: if that is any element, it is all of a map, at each click."""
    found = [each for sheet in SHEETS for each in selectors(sheet.read_text()) if ":has" in each]
    assert len(found) > 20
    for each in found:
        assert re.match(r"\w|[.\[]|:is\b", re.split(r"[\s>~+]+", each)[-1]), each


def test_every_picture_of_a_sheet_is_there() -> None:
    for sheet in SHEETS:
        for url in re.findall(r'url\("([^"]+)"\)', sheet.read_text()):
            assert (sheet.parent / url).resolve().exists(), f"{sheet.name}: {url}"


def test_every_sheet_is_linked_and_every_file_of_the_frame_is_there() -> None:
    pages = "\n".join(page.read_text() for page in TEMPLATES)
    linked = set(re.findall(r"""{% static ["']([^"']+)["'] %}""", pages))
    assert {f"css/{sheet.name}" for sheet in SHEETS} <= linked
    for name in linked:
        assert (WEB / "static" / name).exists(), name


def test_every_sign_that_is_drawn_exists() -> None:
    for page in TEMPLATES:
        for name in re.findall(r'parts/sign.html" with name="([^"]+)"', page.read_text()):
            assert name in SIGNS, f"{page.name}: {name}"
    assert {f"d6-{face}" for face in range(1, 7)} <= SIGNS


@pytest.mark.parametrize(
    "page", TEMPLATES, ids=lambda page: str(page.relative_to(WEB / "templates"))
)
def test_no_template_breaks_the_policy(page: Path) -> None:
    """No style attribute, no inline script or handler, nothing from elsewhere."""
    text = re.sub(
        r"{% comment %}.*?{% endcomment %}|{%.*?%}|{#.*?#}", "", page.read_text(), flags=re.S
    )
    assert not re.search(r"\sstyle=|\son[a-z]+=", text)
    assert not re.search(r"<script(?![^>]*\ssrc=)", text)
    assert not re.search(r"""(?:src|href)=["'](?:https?:)?//""", text)


@pytest.mark.parametrize("group", ["look", "account"])
def test_texts_of_the_frame_are_whole_in_both_languages(group: str) -> None:
    assert check_texts(WEB / "texts" / group) == ()
