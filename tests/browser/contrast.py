"""How well texts and marks stand out: the contrast of their colour and the background, as WCAG 2 defines it."""

from __future__ import annotations

import re
from typing import Any

Colour = tuple[float, float, float, float]
"""Red, green, blue and opacity, each from 0 to 1."""

ENOUGH = 4.5
"""What WCAG asks for text of normal size (level AA)."""

ENOUGH_FOR_MARKS = 3.0
"""What WCAG asks for marks, edges and the keyboard's focus (level AA)."""

_BEHIND = """
    const known = new Map();
    const behind = element => {  // the nearest first; known for the many texts that share what is behind them
        if (!element) return [];
        if (!known.has(element))
            known.set(element, [getComputedStyle(element).backgroundColor, ...behind(element.parentElement)]);
        return known.get(element) };
    const found = new Map();
    const around = element => (element.closest('.noUi-target') ?? element).parentElement;  // a slider is a thin line
    const note = (what, colour, element) => {
        const layers = behind(element), key = [what.split(':')[0], colour, ...layers].join(' ');
        if (!found.has(key)) found.set(key, [what.slice(0, 80), colour, layers]) };
    const outputs = [...document.querySelectorAll('.jp-OutputArea-output:has(:is(.rq, .rq-named))')];
    const all = where => outputs.flatMap(output => [...output.querySelectorAll(where)])
        .filter(part => part.checkVisibility() && part.getClientRects().length);
    const texts = function*() {
        for (const output of outputs) {
            const walker = document.createTreeWalker(output, NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) {
                const part = walker.currentNode.parentElement, text = walker.currentNode.data.trim();
                if (text && part.checkVisibility() && !part.closest('style, .rq-live')) yield [text, part] }
        } };"""

_COLOURS_OF = f"element => {{ {_BEHIND} return [getComputedStyle(element).color, behind(element)] }}"

_TEXTS = f"""() => {{ {_BEHIND}
    for (const [text, part] of texts()) note(text, getComputedStyle(part).color, part);
    return [...found.values()] }}"""

_MARKS = f"""() => {{ {_BEHIND}
    for (const part of all('.why')) {{
        const what = part.matches('.wrong') ? 'edge of what is wrong' : 'edge';
        for (const side of [part, around(part)])  // what is left of the edge, and what is right of it
            note(`${{what}}: ${{part.innerText}}`, getComputedStyle(part).borderLeftColor, side) }}
    for (const [text, part] of texts())
        for (const glyph of text.match(/[●✗✓○⊘▸]/g) ?? [])
            note(`glyph ${{glyph}}: ${{text}}`, getComputedStyle(part).color, part);
    for (const icon of all('i.fa')) note(`icon: ${{icon.className}}`, getComputedStyle(icon).color, icon);
    for (const handle of all('.noUi-handle'))
        note('handle: of the slider', getComputedStyle(handle).backgroundColor, around(handle));
    for (const part of all('.rq-named :is(button, select, input, textarea, .noUi-handle, .widget-readout)')) {{
        part.focus({{preventScroll: true}});
        known.delete(part);  // its background may be another one now
        const style = getComputedStyle(part);
        const there = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
        const sides = parseFloat(style.outlineOffset) > 0 ? [around(part)] : [part, around(part)];
        const what = `focus: ${{part.tagName}} ${{part.className}}`;
        for (const side of sides) note(what, there ? style.outlineColor : 'rgba(0, 0, 0, 0)', side) }}
    document.activeElement.blur();
    return [...found.values()] }}"""


def contrast_of(element: Any) -> float:
    """The contrast of an element's text, from 1 (invisible) to 21 (black on white)."""
    return _contrast(*element.evaluate(_COLOURS_OF))


def texts_of(page: Any) -> dict[str, float]:
    """The texts in the outputs of a notebook, with their contrast; one text of each colour and background."""
    return {what: _contrast(*colours) for what, *colours in page.evaluate(_TEXTS)}


def marks_of(page: Any) -> dict[str, float]:
    """The marks in the outputs of a notebook, with their contrast: `edge: ...`, `glyph ✗: ...`, `focus: ...`.

    One mark of each kind, colour and background. The focus is brought to each control, as the keyboard brings it.
    """
    page.keyboard.press("Shift")  # a browser shows the focus to those who use the keyboard
    marks: dict[str, float] = {}
    for what, *colours in page.evaluate(_MARKS):
        marks[what] = min(_contrast(*colours), marks.get(what, 21.0))
    return marks


def _contrast(colour: str, backgrounds: list[str]) -> float:
    """The contrast of a colour and what lies behind it, the nearest background first."""
    behind = (1.0, 1.0, 1.0, 1.0)
    for layer in reversed([parse(background) for background in backgrounds]):
        behind = over(layer, behind)
    return contrast(over(parse(colour), behind), behind)


def parse(text: str) -> Colour:
    """A computed CSS colour: rgb(255, 0, 0), rgba(255, 0, 0, 0.5) or color(srgb 1 0 0 / 0.5)."""
    kind, _, rest = text.partition("(")
    if kind not in ("rgb", "rgba") and not rest.startswith("srgb "):
        raise ValueError(f"unknown colour: {text}")
    numbers = [float(number) for number in re.findall(r"-?[\d.]+(?:e-?\d+)?", rest)]
    scale = 1 if kind == "color" else 255
    red, green, blue = (number / scale for number in numbers[:3])
    return red, green, blue, numbers[3] if len(numbers) > 3 else 1.0


def over(front: Colour, behind: Colour) -> Colour:
    """The colour one sees where `front` lies on an opaque colour."""
    red, green, blue = (f * front[3] + b * (1 - front[3]) for f, b in zip(front[:3], behind[:3], strict=True))
    return red, green, blue, 1.0


def contrast(one: Colour, other: Colour) -> float:
    """The contrast of two opaque colours."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Colour) -> float:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
