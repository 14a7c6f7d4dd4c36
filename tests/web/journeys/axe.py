"""What axe says of a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT

from tests.web.journeys.browsers import Window

RUN = "async options => (await axe.run(document, options)).violations"

LIGHT: dict[str, Any] = {"resultTypes": ["violations"]}
COLOURLESS: dict[str, Any] = {**LIGHT, "rules": {"color-contrast": {"enabled": False}}}
DARK: dict[str, Any] = {**LIGHT, "runOnly": ["color-contrast"]}


def violations(window: Window, *, colours: bool = True, dark: bool = True) -> Iterator[str]:
    """What axe says of the page that is open; of its colours by day and by night, or not at all."""
    page, before = window.page, len(window.faults)
    looks = {"light": LIGHT if colours else COLOURLESS}
    if colours and dark:
        looks["dark"] = DARK
    page.evaluate(AXE_SCRIPT)
    for light, options in looks.items():
        page.emulate_media(color_scheme=light)  # type: ignore[arg-type]
        for each in page.evaluate(RUN, options):
            for node in each["nodes"]:
                yield f"{page.url} ({light}) {each['id']}: {node['html'][:200]}"
    page.emulate_media(color_scheme="light")
    del window.faults[before:]  # axe's own styles are none of the page's
