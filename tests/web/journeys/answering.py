"""Filling a question's form in a browser: what is chosen is clicked, tapped or typed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal

from playwright.sync_api import Error, Locator, Page, Response, expect

FRESH = 'form[data-question]:not(:has(input[name="standing"]))'
"""The form of a question that its seat has not answered."""

CONFLICT = 409


class Moved(Exception):
    """The question had moved on by the time its answer came."""


READY: Literal["domcontentloaded"] = "domcontentloaded"
"""A page is ready when it can be read and its scripts have run."""

ABOUT = """form => ({
  id: form.id, key: form.elements.namedItem('key').value, sheet: 'sheet' in form.dataset,
  scripts: matchMedia('(scripting: enabled)').matches,
})"""
"""What is to be known of a form before it is filled."""

LEFT = """form => {
  for (const one of form.querySelectorAll('select, [role=radiogroup], .amount input')) {
    const radios = [...one.querySelectorAll('input[type=radio]')];
    if (radios.length && !radios.some(radio => radio.checked))
      return [radios[0].name, radios[0].value];
    if (one.tagName === 'SELECT' && !one.value)
      return [one.name, [...one.options].find(option => option.value)?.value ?? ''];
    if (one.tagName === 'INPUT' && !one.value)
      return [one.name, one.closest('.amount').dataset.least];
  }
  return form.querySelector('button[value=seal]') ? null : ['', ''];
}"""
"""What is left to do before a form can be sealed: the first part in which nothing is chosen, and
the first word that could be; nameless if the form has more to ask that it has yet to work out."""

MOST_STEPS = 200


class Question:
    """The first question of a page that its seat has not answered, in the hand of a mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page
        about = page.locator(FRESH).first.evaluate(ABOUT)
        self.form = page.locator(f'form[id="{about["id"]}"]')
        self.name: str = about["id"].removesuffix("-form")
        self.key: str = about["key"]
        self.sheet: bool = about["sheet"]
        self.scripts: bool = about["scripts"]
        self.steps = 0

    # What a person does; a finger and a keyboard have their own ways -----------------------------

    def press(self, control: Locator) -> None:
        """Press a button or an entry, or the box or mark of a choice."""
        control.click()

    def pick(self, select: Locator, value: str) -> None:
        """Choose from a list that folds out."""
        select.select_option(value)

    def type(self, field: Locator, value: str) -> None:
        """Write into a field, and leave it."""
        field.fill(value)
        field.blur()

    # The form ------------------------------------------------------------------------------------

    def fill(self, choices: Mapping[str, str]) -> None:
        """Choose, then fill what is still open with the first word that is offered.

        choices: part of the sheet, or "" where it is none -> value, or values parted by commas.
        What is not named stays as the form proposes it.
        """
        self.form.dispatch_event("input")  # from now on nothing new takes its place
        for part, value in choices.items():
            name = f"{self.name}/{part}" if part else self.name
            while not self._inputs(name).count():
                left = self.form.evaluate(LEFT)
                assert left is not None, f"{self.key} never asks for {part}"
                self._go_on(*left)
            self.choose(name, value)
        while (left := self.form.evaluate(LEFT)) is not None:
            self._go_on(*left)

    def _go_on(self, name: str, value: str) -> None:
        """Take that word of that part, or go on to more if there is no such part."""
        self.steps += 1
        assert self.steps < MOST_STEPS, f"never filled: {self.key}"
        if name:
            self.choose(name, value)
        else:
            self._work_out()

    def _inputs(self, name: str) -> Locator:
        return self.form.locator(f"[name={json.dumps(name)}]:not([type=hidden])")

    def choose(self, name: str, value: str) -> None:
        """Give the part of that input's name that value."""
        parts = self._inputs(name)
        part = parts.first
        self._unfold(part)
        kind = part.get_attribute("type")
        if kind == "checkbox":
            for box in parts.all():
                self._tick(box, ticked=box.get_attribute("value") in value.split(","))
        elif kind == "radio":
            mark = parts.and_(self.page.locator(f"[value={json.dumps(value)}]"))
            self._tick(mark, ticked=True)
        elif part.input_value() != value:
            self._mark()
            if part.evaluate("part => part.tagName") == "SELECT":
                self.pick(part, value)
            else:
                self.type(part, value)
            self._worked_out()
            expect(part).to_have_value(value)

    def seal(self) -> None:
        """Send it, and see what follows.  Raises Moved if it is not asked any more."""
        moved: list[str] = []

        def look(answer: Response) -> None:
            if answer.status == CONFLICT and answer.request.method == "POST":
                moved.append(answer.url)

        self.page.on("response", look)
        try:
            with self.page.expect_navigation(wait_until=READY):
                self.press(self.form.locator('button[value="seal"]'))
        except Error:
            if moved:
                raise Moved(self.key) from None
            raise
        finally:
            self.page.remove_listener("response", look)

    def _tick(self, box: Locator, *, ticked: bool) -> None:
        if box.is_checked() != ticked:
            self._mark()
            self.press(box)
            self._worked_out()
            expect(box).to_be_checked(checked=ticked)

    def _unfold(self, part: Locator) -> None:
        """Open the folds in which it lies."""
        for fold in part.locator("xpath=ancestor::details").all():
            if fold.get_attribute("open") is None:
                self.press(fold.locator("summary").first)

    def _mark(self) -> None:
        self.form.evaluate("form => form.setAttribute('data-old', '')")

    def _worked_out(self) -> None:
        """Wait until the sheet has worked itself out, or have it worked out without scripts."""
        if not self.sheet:
            return
        if self.scripts:
            expect(self.form).not_to_have_attribute("data-old", "")
        else:
            self._work_out()

    def _work_out(self) -> None:
        if self.scripts and self.sheet:  # it is worked out where it stands
            self._mark()
            self.press(self.form.locator('button[value="work"]'))
            expect(self.form).not_to_have_attribute("data-old", "")
            return
        with self.page.expect_navigation(wait_until=READY):
            self.press(self.form.locator('button[value="work"]'))


class Tapped(Question):
    """A question under a finger."""

    def press(self, control: Locator) -> None:
        control.tap()


class Keyed(Question):
    """A question answered without anything but keys: what is used is reached by Tab."""

    def press(self, control: Locator) -> None:
        if control.get_attribute("type") == "radio":
            self._go_to_radio(control)
        else:
            tab_to(self.page, control)
            button = control.evaluate("control => control.tagName") == "BUTTON"
            self.page.keyboard.press("Enter" if button else "Space")

    def pick(self, select: Locator, value: str) -> None:
        tab_to(self.page, select)
        options = select.locator("option").evaluate_all("all => all.map(one => one.value)")
        steps = options.index(value) - options.index(select.input_value())
        for _ in range(abs(steps)):
            self.page.keyboard.press("ArrowDown" if steps > 0 else "ArrowUp")

    def type(self, field: Locator, value: str) -> None:
        tab_to(self.page, field)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(value)
        self.page.keyboard.press("Tab")

    def _go_to_radio(self, radio: Locator) -> None:
        """Tab goes to the mark that is set, or to the first; arrows to the next."""
        name = radio.get_attribute("name") or ""
        group = self.form.locator(f"input[type=radio][name={json.dumps(name)}]")
        tab_to(self.page, group)
        self.page.keyboard.press("Space")
        for _ in range(group.count()):
            if radio.is_checked():
                return
            self.page.keyboard.press("ArrowDown")


MOST_TABS = 300


def tab_to(page: Page, controls: Locator, key: str = "Tab") -> None:
    """Press Tab until the focus is on one of these; it can be seen where it is.

    key: or "Shift+Tab", for what stands above: past the end of a page Firefox leaves it.
    """
    for _ in range(MOST_TABS):
        if controls.evaluate_all("all => all.includes(document.activeElement)"):
            assert page.evaluate(SEEN), f"the focus on {controls} cannot be seen"
            return
        page.keyboard.press(key)
    raise AssertionError(f"{controls} is not reached by Tab")


SEEN = """() => {
  const focused = document.activeElement;
  const near = [focused, focused.closest('label'), focused.querySelector('.hit')].filter(Boolean);
  return near.some(one => {
    const style = getComputedStyle(one);
    return style.outlineStyle !== 'none' || style.boxShadow !== 'none' || one.matches('.hit');
  });
}"""
"""Whether something around the focus shows where it is."""
