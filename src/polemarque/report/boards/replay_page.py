"""A film as one page: no network and nothing beside it, read from a disc as well as from a server.

The story stands in the page as text, with its reasons folded below each line, so that it is there
without any script; the script moves the pieces and says the line of each step.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import msgspec

from polemarque.report.boards.draw_scene import Placed, Sheet, piece_title, places
from polemarque.report.boards.film import Film, Frame
from polemarque.report.boards.pieces import Piece, Scene
from polemarque.report.documents.html import asset, lone_page
from polemarque.report.island.glyphs import plain
from polemarque.report.labels import said

_BUTTONS = {
    "first": "M2,2H4V14H2ZM14,2V14L5,8Z",
    "back": "M10,2L12,4L8,8L12,12L10,14L4,8Z",
    "on": "M6,2L4,4L8,8L4,12L6,14L12,8Z",
    "last": "M12,2H14V14H12ZM2,2V14L11,8Z",
}
_PLAY, _PAUSE = "M4,2V14L13,8Z", "M3,2H7V14H3ZM9,2H13V14H9Z"


def replay_page(film: Film, lang: str, *, for_umpire: bool = False) -> str:
    """The whole page, in French ("fr") or English ("en").

    for_umpire: its title says that secrets may be in it, and whom it is for.
    Raises ValueError on a language, a side or a cell that is not known.
    """
    start = Frame(said(lang, "film.start"), pieces=film.scene.pieces)
    frames = (start, *film.frames)
    shown = _everything(film)
    sheet = Sheet(shown, lang)
    reel = _Reel(sheet, film.scene.sides)
    moved = [reel.frame(frame) for frame in frames]
    data = {"frames": moved, "skins": list(reel.skins), "words": list(reel.words)}
    told = said(lang, "chronicle.for_umpire", title=sheet.title) if for_umpire else sheet.title
    body = f"""<div class="film">
{_stage(film, sheet, reel, lang)}
<section aria-label="{escape(said(lang, "film.story"))}">
<ol class="story" tabindex="0" aria-label="{escape(said(lang, "film.story"))}">
{_story(frames, lang)}
</ol>
</section>
</div>"""
    reeled = msgspec.json.encode(data).decode().replace("<", "\\u003c").replace("&", "\\u0026")
    scripts = f"""<script type="application/json" id="film-data">{reeled}</script>
<script>
{asset("film.js")}
</script>
"""
    return lone_page(told, lang, body, f"{asset('page.css')}\n{asset('film.css')}", scripts)


def _stage(film: Film, sheet: Sheet, reel: _Reel, lang: str) -> str:
    """The board with its controls, what happens in a frame, and the legend."""
    return f"""<div class="stage">
{sheet.bare(sheet.pieces(film.scene.pieces), reel.definitions())}
{_controls(lang)}
<div class="now"><p aria-live="polite"><b id="film-count"></b><span id="film-line"></span></p>
<ul id="film-why"></ul></div>
<details class="legend"><summary>{escape(said(lang, "board.legend.title"))}</summary>
{sheet.key_alone()}<p>{escape(said(lang, "film.keys"))}</p>
</details>
</div>"""


def _everything(film: Film) -> Scene:
    """The scene with a piece of each kind that the film ever shows, and its kinds of arrows."""
    pieces = {piece.symbol: piece for piece in film.scene.pieces}
    arrows = {arrow.kind: arrow for arrow in film.scene.arrows}
    for frame in film.frames:
        pieces |= {piece.symbol: piece for piece in frame.pieces}
        arrows |= {arrow.kind: arrow for arrow in frame.arrows}
    return msgspec.structs.replace(
        film.scene, pieces=tuple(pieces.values()), arrows=tuple(arrows.values())
    )


class _Reel:
    """Puts frames into data: each says only what is otherwise than in the one before."""

    def __init__(self, sheet: Sheet, sides: Sequence[str]) -> None:
        self.sheet, self.sides = sheet, sides
        self.skins: dict[str, int] = {}
        self.words: dict[str, int] = {}
        self._faces: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        self._last: dict[int, list[float]] = {}

    def frame(self, frame: Frame) -> tuple[list[list[float]], str]:
        """What changes with a frame, and its arrows."""
        now = {self._number(each.piece): self._placed(each) for each in places(frame.pieces)}
        gone: list[list[float]] = [[number] for number in self._last if number not in now]
        moved = [
            [number, *placed] for number, placed in now.items() if self._last.get(number) != placed
        ]
        self._last = now
        return gone + moved, self.sheet.arrows(frame.arrows)

    def definitions(self) -> str:
        """The counters that skins refer to, each once."""
        return "".join(
            f'<g id="film-face-{number}" class="brd">{face}</g>'
            for face, number in self._faces.items()
        )

    def _number(self, piece: Piece) -> int:
        return self._numbers.setdefault(piece.id, len(self._numbers))

    def _placed(self, each: Placed) -> list[float]:
        """Where a piece stands, how it looks, and what it is called."""
        x, y = self.sheet.layout.at(each.piece.cell)
        face = self._faces.setdefault(each.face, len(self._faces))
        skin = f'<use href="#film-face-{face}"/>{each.words}'
        words = plain(piece_title(each.piece, self.sides, self.sheet.lang))
        return [
            round(x + each.dx, 1),
            round(y + each.dy, 1),
            self.skins.setdefault(skin, len(self.skins)),
            self.words.setdefault(words, len(self.words)),
        ]


def _controls(lang: str) -> str:
    """Buttons and slider; the script unhides them."""

    def button(name: str, path: str) -> str:
        label = escape(said(lang, f"film.{name}"))
        return (
            f'<button type="button" id="film-{name}" aria-label="{label}" title="{label}">'
            f'<svg viewBox="0 0 16 16" aria-hidden="true"><path d="{path}"/></svg></button>'
        )

    first, back, on, last = (button(name, path) for name, path in _BUTTONS.items())
    play, pause = escape(said(lang, "film.play")), escape(said(lang, "film.pause"))
    paces = "".join(
        f'<option value="{pace}"{" selected" if pace == "steady" else ""}>'
        f"{escape(said(lang, f'film.{pace}'))}</option>"
        for pace in ("slow", "steady", "fast")
    )
    step = escape(said(lang, "film.step", number="{number}", count="{count}"))
    return f"""<div class="controls" id="film-controls" role="group" hidden
 aria-label="{escape(said(lang, "film.slider"))}">
{first}
{back}
<button type="button" id="film-play" aria-label="{play}" title="{play}" data-play="{play}"
 data-pause="{pause}"><svg viewBox="0 0 16 16" aria-hidden="true"><path class="play" d="{_PLAY}"/>
<path class="pause" d="{_PAUSE}"/></svg></button>
{on}
{last}
<input type="range" id="film-slider" min="0" value="0" step="1"
 aria-label="{escape(said(lang, "film.slider"))}" data-step="{step}">
<label>{escape(said(lang, "film.pace"))} <select id="film-pace">{paces}</select></label>
</div>"""


def _story(frames: Sequence[Frame], lang: str) -> str:
    """Every line with its reasons; a heading stands where the story comes to it."""
    parts = []
    heading = ""
    for number, frame in enumerate(frames):
        head = ""
        if frame.heading != heading:
            heading = frame.heading
            head = f"<h3>{escape(heading)}</h3>" if heading else ""
        why = "".join(f"<li>{escape(sentence)}</li>" for sentence in frame.why)
        label = escape(said(lang, "why.label"))
        folded = f"<details><summary>{label}</summary><ul>{why}</ul></details>" if why else ""
        parts.append(
            f'<li data-heading="{escape(frame.heading)}">{head}'
            f'<a href="#{number}">{escape(frame.line)}</a>{folded}</li>'
        )
    return "\n".join(parts)
