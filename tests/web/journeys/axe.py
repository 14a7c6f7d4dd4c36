"""What axe says of a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from axe_playwright_python.sync_playwright import Axe

from tests.web.journeys.browsers import Window


def violations(window: Window, *, colours: bool = True) -> Iterator[str]:
    """What axe says of the page that is open; of its colours by day and by night, or not at all."""
    axe, before = Axe(), len(window.faults)
    looks: dict[str, Any] = {"light": {}, "dark": {"runOnly": ["color-contrast"]}}
    if not colours:
        looks = {"light": {"rules": {"color-contrast": {"enabled": False}}}}
    for light, rules in looks.items():
        window.page.emulate_media(color_scheme=light)  # type: ignore[arg-type]
        found = axe.run(window.page, options={"resultTypes": ["violations"], **rules})
        for each in found.response["violations"]:
            for node in each["nodes"]:
                yield f"{window.page.url} ({light}) {each['id']}: {node['html'][:200]}"
    window.page.emulate_media(color_scheme="light")
    del window.faults[before:]  # axe's own styles are none of the page's
