"""Commands about the rules themselves: rules, case, schema."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from importlib import import_module
from importlib.resources import as_file, files
from typing import Annotated, Any

import typer
from tactician.commands.battle import AsJson
from tactician.commands.given import ruleset_of
from tactician.commands.page import chapter_of, page, value_words
from tactician.commands.told import say, say_json, table
from tactician.errors import ILLEGAL, bad
from tactician.rules.core.ruleset import Ruleset, Scenario, load_ruleset, ruleset_names

__all__ = ["case", "rules", "schema"]

Id = Annotated[str | None, typer.Argument(metavar="[ID]", help="A ruleset.", show_default=False)]


def rules(
    name: Id = None,
    clauses: Annotated[bool, typer.Option("--clauses", help="Every clause, and how many cases test it.")] = False,
    reference: Annotated[bool, typer.Option("--reference", help="Options, profiles and commands.")] = False,
    as_page: Annotated[bool, typer.Option("--page", help="The page docs/rulesets/ID.md, as Markdown.")] = False,
) -> None:
    """Say which games there are, and what is implemented, clause by clause."""
    if name is None and not (clauses or reference or as_page):
        found = [load_ruleset(one).info for one in ruleset_names()]
        table(("id", "name", "version", "summary"), ((one.id, one.name, one.version, one.summary) for one in found))
        return
    ruleset = ruleset_of(name or "", "ID")
    if as_page:
        say(page(ruleset).rstrip("\n"))
        return
    if not clauses and not reference:
        _facts(ruleset)
    if clauses:
        counted = case_counts(ruleset)
        rows = (
            (one.id, one.kind, one.text, one.source, f"{counted[one.id]}", chapter_of(ruleset, one))
            for one in ruleset.clauses
        )
        table(("clause", "kind", "in our words", "source", "cases", "decided in"), rows)
    if reference:
        _reference(ruleset)


def _facts(ruleset: Ruleset) -> None:
    info = ruleset.info
    say(f"{info.name} ({info.id}), version {info.version}: {info.summary}")
    rows = (
        ("sizes", info.sizes),
        ("missions", info.missions),
        ("armies", info.armies),
        ("tables", info.tables),
        ("verbs", info.verbs),
        ("rolls", info.rolls),
        ("ends", info.ends),
    )
    table(("fact", "values"), ((name, ", ".join(values)) for name, values in rows))
    kinds = Counter(clause.kind for clause in ruleset.clauses)
    told = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    say(f"{len(ruleset.clauses)} clauses: {told}", f"{len(ruleset.options)} options: see --reference")


def _reference(ruleset: Ruleset) -> None:
    rows = (
        (
            one.name,
            value_words(one.default),
            ", ".join(value_words(value) for value in one.values[1:]) or f"any number from {one.least:g}",
            one.text,
            one.mark,
        )
        for one in ruleset.options
    )
    table(("option", "default", "others", "what it settles", "mark"), rows, title="options")
    data = ruleset.to_data(ruleset.start(Scenario(size=ruleset.info.sizes[0])))
    for title in ("profiles", "commands"):
        if isinstance(data.get(title), Mapping):
            _named(title, data[title])


def _named(title: str, things: Mapping[str, Any]) -> None:
    """A table of things by name, whatever fields they have."""
    columns = list(dict.fromkeys(key for thing in things.values() for key in thing))
    rows = ((name, *(_cell(thing.get(column)) for column in columns)) for name, thing in things.items())
    table((title, *columns), rows)


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool() | float() | int() | str():
            return value_words(value)
        case list():
            return ", ".join(_cell(one) for one in value)
        case {"id": str(name)}:
            return name
        case dict():
            return ", ".join(f"{key} {_cell(one)}" for key, one in value.items())
    return str(value)


def case_counts(ruleset: Ruleset) -> Counter[str]:
    """How many cases of the ruleset's own folder test each clause."""
    from tactician.rules.core.case_files import case_files, read_cases

    place = files(f"tactician.rules.{ruleset.info.id}") / "cases"
    with as_file(place) as folder:
        if not any(one.suffix in (".toml", ".json") for one in folder.rglob("*")):
            return Counter()
        return Counter(case.clause for path in case_files([folder]) for case in read_cases(path))


def case(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="Case files or folders.", show_default=False)],
    without: Annotated[
        str | None, typer.Option(metavar="ID", help="A clause to switch off: its cases should then disagree.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Run situation files: exit 0 if the rules agree with all of them, 1 if not."""
    from tactician.rules.core.cases import run_cases

    results = run_cases(paths, without=without)
    disagreeing = [one for one in results if not one.agrees]
    if as_json:
        rows = [
            {
                "case": one.case.name,
                "file": one.case.file,
                "clause": one.case.clause,
                "source": one.case.source,
                "agrees": one.agrees,
                "problems": list(one.problems),
            }
            for one in results
        ]
        say_json({"cases": rows, "agree": len(results) - len(disagreeing), "disagree": len(disagreeing)})
    else:
        say(*(str(one) for one in disagreeing))
        say(f"{len(results)} cases: {len(results) - len(disagreeing)} agree, {len(disagreeing)} disagree")
    if disagreeing:
        raise typer.Exit(ILLEGAL)


def schema(name: Id = None) -> None:
    """Print the JSON schemas of battle, action, case and record files."""
    ruleset = ruleset_of(name or "", "ID")
    published = getattr(import_module(f"tactician.rules.{ruleset.info.id}.files"), "schema", None)
    if published is None:
        raise bad("ID", f"{ruleset.info.id} publishes no schema")
    say_json(published())
