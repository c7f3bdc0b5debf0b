"""Options as names and values of the command line."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Dict, List, Tuple

def pairs(options: Mapping[str, Any]) -> List[Tuple[str, str]]:
    """Names and values as text. `None` stands for the default.

    `set` takes a dict of parameters; `scale` a pair (width, height), `crop` and `aoi` four numbers.
    """
    found: List[Tuple[str, str]] = []
    for name, value in options.items():
        name = name.replace("_", "-")
        if value is None:
            continue
        if name == "set":
            assignments = [value] if isinstance(value, str) else value
            if isinstance(assignments, Mapping):
                assignments = [f"{key}={int(number)}" for key, number in assignments.items()]
            found += [("set", assignment) for assignment in assignments]
        else:
            found.append((name, text(name, value)))
    return found


def text(name: str, value: Any) -> str:
    """A value as text of the command line."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Fraction):
        return f"{value.numerator}:{value.denominator}"
    if isinstance(value, tuple):
        return ("x" if name == "scale" else ",").join(str(int(number)) for number in value)
    return str(value)


#: Options of the command line without a value.
FLAGS = frozenset(
    {"std", "ste", "ace", "tcc", "procamp", "csc", "repair", "drop-outs", "hot-pixel", "ccm"}
    | {"gamut-expand", "front-csc", "gamut-compress", "lace", "lossless"}
)


def arguments(options: Mapping[str, Any]) -> List[str]:
    """The options as arguments of the command."""
    found: List[str] = []
    for name, value in pairs(options):
        if name in FLAGS:
            found += [f"--{name}"] if value == "on" else []
        else:
            found.append(f"--{name}={value}")
    return found


def merged(first: Mapping[str, Any], second: Mapping[str, Any]) -> Dict[str, Any]:
    """Both, where the second counts for names in both."""
    plain = {name.replace("_", "-"): value for name, value in first.items()}
    return {**plain, **{name.replace("_", "-"): value for name, value in second.items()}}
