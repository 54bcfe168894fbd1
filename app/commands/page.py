"""The page of a ruleset, ``docs/rulesets/<id>.md``, written from what the ruleset says of itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tactician.rules.core.clauses import Clause
from tactician.rules.core.ruleset import Option, Ruleset

__all__ = ["chapter_of", "page", "value_words"]

KINDS = {
    "check": "an order that breaks it is refused",
    "effect": "it changes what happens",
    "order": "it says what comes before what",
    "display": "it is shown",
    "advisory": "it is about how the rules are built or advice is given",
    "out_of_scope": "it is refused with one clear message",
    "planned": "it is refused until it is built",
}
"""What each kind of clause means."""

SURE = ("seed", "found")
"""Words with which the source of a clause begins that is stated by a source."""


def page(ruleset: Ruleset) -> str:
    """The whole page as Markdown."""
    info = ruleset.info
    lines = [
        f"# {info.name}",
        "",
        f"`{info.id}`, version {info.version}: {info.summary}.",
        "",
        f"This page is generated: `tactician rules {info.id} --page > docs/rulesets/{info.id}.md` writes it anew.",
        "",
        *_facts(ruleset),
        *_options(ruleset),
        *_clauses(ruleset),
        *_rulings(ruleset),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _facts(ruleset: Ruleset) -> Iterator[str]:
    info = ruleset.info
    measuring = "at any time" if info.measuring_before_declaring else "not before declaring"
    rows = (
        ("sizes", info.sizes),
        ("missions", info.missions),
        ("armies", info.armies),
        ("tables", info.tables),
        ("verbs", info.verbs),
        ("what is rolled for", info.rolls),
        ("a game ends by", info.ends),
        ("frames of the agenda", info.frames),
    )
    yield from ("## Facts", "")
    yield from _table(
        ("fact", "values"),
        [(name, ", ".join(f"`{value}`" for value in values)) for name, values in rows] + [("measuring", measuring)],
    )


def _options(ruleset: Ruleset) -> Iterator[str]:
    yield from ("## Options", "", "What sources leave open, and how it can be settled otherwise.", "")
    rows = [
        (f"`{one.name}`", f"`{value_words(one.default)}`", _others(one), one.text, f"[{one.mark}]", one.source)
        for one in ruleset.options
    ]
    yield from _table(("option", "default", "other values", "what it settles", "mark", "source"), rows)


def _others(option: Option) -> str:
    others = [value for value in option.values if value != option.default]
    return ", ".join(f"`{value_words(one)}`" for one in others) or f"any number from {option.least:g}"


def value_words(value: float | bool | str) -> str:
    """The value of an option as it is written on the command line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else f"{value:g}"


def _clauses(ruleset: Ruleset) -> Iterator[str]:
    kinds = dict.fromkeys(clause.kind for clause in ruleset.clauses)
    yield from ("## Clauses", "")
    yield f"{len(ruleset.clauses)} clauses. " + "; ".join(f"**{kind}**: {KINDS[kind]}" for kind in sorted(kinds)) + "."
    yield ""
    rows = [
        (one.id, one.kind, one.text, _marked(one.source), f"`{chapter_of(ruleset, one)}`") for one in ruleset.clauses
    ]
    yield from _table(("clause", "kind", "in our words", "source", "decided in"), rows)


def chapter_of(ruleset: Ruleset, clause: Clause) -> str:
    """The file that decides a clause, relative to the project's root."""
    return f"rules/{ruleset.info.id}/{clause.chapter or 'clauses'}.py"


def _marked(source: str) -> str:
    """A source with its mark in brackets: ``proposed: G15`` becomes ``[proposed] G15``."""
    mark, _, rest = source.partition(":")
    return f"[{mark.strip()}] {rest.strip()}".strip()


def _rulings(ruleset: Ruleset) -> Iterator[str]:
    """What is decided although no source states it: clauses and options that are inferred, proposed or ruled."""
    yield from ("## Rulings where the sources are silent", "")
    clauses = [one for one in ruleset.clauses if not one.source.startswith(SURE)]
    options = [one for one in ruleset.options if one.mark not in SURE]
    for clause in clauses:
        yield f"- {_marked(clause.source)}: {clause.text} ({clause.id})"
    for option in options:
        where = f" {option.source}" if option.source else ""
        yield f"- [{option.mark}]{where}: {option.text}: `{option.name} = {value_words(option.default)}`"
    further: tuple[str, ...] = getattr(ruleset, "rulings", ())
    yield from (f"- [ruling] {text}" for text in further)
    if not clauses and not options and not further:
        yield "None."


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(columns)} |"
    yield f"|{'---|' * len(columns)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', '/') for cell in row)} |"
    yield ""
