"""How readable text is: the contrast of its colour and the background, as WCAG 2 defines it."""

from __future__ import annotations

import re
from typing import Any

Colour = tuple[float, float, float, float]
"""Red, green, blue and opacity, each from 0 to 1."""

ENOUGH = 4.5
"""What WCAG asks for text of normal size (level AA)."""

_COLOURS_OF = """element => {
    const backgrounds = [];
    for (let e = element; e; e = e.parentElement) backgrounds.push(getComputedStyle(e).backgroundColor);
    return [getComputedStyle(element).color, backgrounds];
}"""


def contrast_of(element: Any) -> float:
    """The contrast of an element's text, from 1 (invisible) to 21 (black on white)."""
    text, backgrounds = element.evaluate(_COLOURS_OF)
    behind = (1.0, 1.0, 1.0, 1.0)
    for layer in reversed([parse(background) for background in backgrounds]):
        behind = over(layer, behind)
    return contrast(over(parse(text), behind), behind)


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
