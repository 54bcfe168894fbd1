"""The page of an environment, ``docs/env/<ruleset>-<size>.md``: ``python -m tactician.env.page [FOLDER]`` writes all.

Everything on it is read off the spaces, the rewards and the environments themselves.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tactician.agent.policies import policy_names
from tactician.agent.view.observe import names, shapes
from tactician.env import id_of
from tactician.env.aec import AGENTS, TableEnv
from tactician.env.game import MOST_ILLEGAL, view_of
from tactician.env.rewards import REWARDS
from tactician.env.solo import SoloEnv
from tactician.rules.core.ruleset import Info, load_ruleset, ruleset_names

__all__ = ["main", "page", "pages"]

FOLDER = Path("docs") / "env"


def pages() -> dict[str, str]:
    """Every page by the name of its file."""
    return {f"{name}-{size}.md": page(name, size) for name in ruleset_names() for size in load_ruleset(name).info.sizes}


def page(ruleset: str, size: str) -> str:
    """The page of a ruleset at a size, as Markdown."""
    parts = (_head, _numbers, _observation, _rewards, _arguments)
    return "\n".join(line for part in parts for line in part(ruleset, size)).rstrip() + "\n"


def _head(ruleset: str, size: str) -> Iterator[str]:
    info, layout = load_ruleset(ruleset).info, view_of(ruleset, size).layout
    yield from (f"# {info.name}, {size}", "")
    yield "This page is generated: `python -m tactician.env.page` writes it anew. How to use the environments stands in"
    yield from ("[learning](../learning.md).", "")
    yield f"    gymnasium.make('tactician.env:{id_of(ruleset, size)}')"
    yield from (f"    tactician.env.aec.TableEnv('{ruleset}', '{size}')    # agents {AGENTS[0]} and {AGENTS[1]}", "")
    yield from ("| what | |", "|---|---|")
    yield f"| ruleset | {info.name}, version {info.version} |"
    yield f"| actions | `Discrete({layout.size})` |"
    boxes = ", ".join(f"`{name}` {shape}" for name, shape in sorted(shapes(layout).items()))
    yield f"| observation | float32 from -1 to 1: {boxes} |"
    yield f"| missions | {', '.join(info.missions)} |"
    yield f"| armies | {', '.join(info.armies)} |"
    yield from (f"| tables | {', '.join(info.tables)} |", "")


def _numbers(ruleset: str, size: str) -> Iterator[str]:
    layout = view_of(ruleset, size).layout
    yield from ("## Actions", "")
    yield "A decision is answered in one or more steps: who does what, then at whom or where. The mask says which"
    yield "numbers may be pressed now; one that is masked out changes nothing, is counted in `info['illegal']`, and"
    yield f"after {MOST_ILLEGAL} in a row the episode is truncated. The numbers mean the same on every table, and both"
    yield "sides see their own edge of the table in the south. Where an order names a direction instead of an enemy,"
    yield from ("the place at its end, such as `place N 1`, stands for it.", "")
    yield from ("| number | means | number | means | number | means |", "|---|---|---|---|---|---|")
    rows = -(-layout.size // 3)
    for row in range(rows):
        cells = [f"{number} | {layout.name_of(number)}" for number in range(row, layout.size, rows)]
        yield f"| {' | '.join([*cells, *[' | '] * (3 - len(cells))])} |"
    yield ""


def _observation(ruleset: str, size: str) -> Iterator[str]:
    layout = view_of(ruleset, size).layout
    boxes = shapes(layout)
    yield from ("## Observation", "")
    yield from ("Parts in the order of a flat observation, which is their rows one after another.", "")
    yield from _measuring(load_ruleset(ruleset).info)
    for part, meanings in sorted(names(layout, load_ruleset(ruleset)).items()):
        yield from (f"### `{part}` {boxes[part]}", "")
        if part == "units":
            yield from (f"Rows 0 to {layout.own - 1} are the own slots, the rest the enemy's; of each row:", "")
        if part == "board":
            yield from ("Planes over the table, its long side along the 30 columns:", "")
        yield from (f"- {number}: {meaning}" for number, meaning in enumerate(meanings))
        yield ""


def _measuring(info: Info) -> Iterator[str]:
    """A word about distances, where the rules forbid to measure them."""
    if not info.measuring_before_declaring:
        yield "The rules let nobody measure before declaring. Observations are exact all the same: the places of both"
        yield from ("sides and all that follows from them are shown as they are, while people judge by eye.", "")


def _rewards(ruleset: str, size: str) -> Iterator[str]:
    yield from ("## Rewards", "", "Blue is paid what red is not.", "", "| name | an episode's payments |", "|---|---|")
    yield from (f"| `{name}` | {reward.text} |" for name, reward in REWARDS.items())
    yield ""


def _arguments(ruleset: str, size: str) -> Iterator[str]:
    yield from ("## Arguments", "")
    yield f"Policies by name, for `opponent`: {', '.join(policy_names())}."
    told: dict[str, str] = {}
    for kind in (SoloEnv, TableEnv):
        yield from ("", f"`{kind.__name__}`:" if not told else f"`{kind.__name__}`, where it differs:", "")
        yield from ("| argument | default | |", "|---|---|---|")
        defaults = inspect.signature(kind).parameters
        for name, text in _texts(kind).items():
            if name not in told and name not in ("ruleset", "size"):
                yield f"| `{name}` | `{defaults[name].default!r}` | {text} |"
        told |= _texts(kind)


def _texts(kind: type) -> dict[str, str]:
    """What the docstring of a constructor says of each argument."""
    found: dict[str, str] = {}
    name = ""
    wanted = tuple(inspect.signature(kind).parameters)
    section = (inspect.getdoc(vars(kind)["__init__"]) or "").partition("Args:\n")[2].partition("\n\n")[0]
    for line in section.splitlines():
        before, _, text = line.strip().partition(": ")
        if before in wanted:
            name = before
            found[name] = text
        else:
            found[name] += f" {line.strip()}"
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Write every page into a folder, by default the one of this repository's documentation."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    folder = Path(given[0]) if given else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")
        sys.stdout.write(f"wrote {folder / name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
