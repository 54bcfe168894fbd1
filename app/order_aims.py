"""Who aims at whom in an order: models and their targets, from words and in words.

An order names one enemy for everybody who can (``R1 shoot B1``), some models and one enemy (``R1 shoot B1 with a1
a2``) or pairs (``R1 shoot a1=B1 a2=B2:bolter a3="B2:heavy bolter"``). Whom the models aim at that an order does
not tell one by one is the business of the rules: the first of the usual assignments that mostly aims at the enemy
named.
"""

from __future__ import annotations

from collections.abc import Iterator

from tactician.order_words import OrderError, Token, nearest_unit
from tactician.rules.core.action import Pairs
from tactician.rules.core.choice import Assign
from tactician.rules.core.state import State, Unit, other_side
from tactician.rules.core.targets import aimed_unit, main_target, name_of, weapon_of

__all__ = ["aimed_by", "aims_told", "assignment_words", "main_targets", "nearest_assignment", "pair_of"]


def main_targets(state: State, domain: Assign) -> tuple[str, ...]:
    """The units that the usual assignments mostly aim at, in their order."""
    found = (main_target(state, option) for option in domain.usual)
    return tuple(dict.fromkeys(name for name in found if name is not None))


# ---- reading ---------------------------------------------------------------------------------------------------------


def pair_of(state: State, token: Token, side: str) -> tuple[str, str]:
    """A model and its target as the game writes them.

    Args:
        state: the moment.
        token: a token such as ``a1=E1`` or ``a1="E1:bolter"``.
        side: whose models aim.

    Raises:
        OrderError: the target is no unit or model; the message names the nearest.
    """
    role, _, target = token.text.partition("=")
    target = target.strip('"')
    named, weapon = name_of(target), weapon_of(target)
    mine = [model.id for unit in state.units if unit.side == side for model in unit.models]
    model = next((one for one in mine if one.lower() == role.lower()), role)
    return model, f"{_enemy(state, named, side, token)}:{weapon}" if weapon else _enemy(state, named, side, token)


def _enemy(state: State, named: str, side: str, token: Token) -> str:
    """The id of an enemy unit by id or name, or of an enemy model."""
    foes = [unit for unit in state.units if unit.side == other_side(side)]
    names = [(unit.id, unit.id) for unit in foes] + [(unit.name, unit.id) for unit in foes]
    names += [(model.id, model.id) for unit in foes for model in unit.models]
    exact = [found for name, found in names if name == named]
    alike = [found for name, found in names if name.lower() == named.lower()]
    if not alike:
        text = f"there is no enemy {named!r} to aim at"
        raise OrderError(text, column=token.column, hint=nearest_unit(named, state), is_sure=True)
    return (exact or alike)[0]


def aimed_by(state: State, unit: Unit, domain: Assign, enemy: Unit | None, models: tuple[str, ...]) -> Pairs:
    """The pairs of an order that names one enemy at most, and perhaps the models that aim.

    Args:
        state: the moment.
        unit: whose models aim.
        domain: what the rules offer.
        enemy: the unit named, or None.
        models: the models named; empty for everybody who can.

    Returns:
        Sorted by model; what the rules call usual as far as they know something usual, else the enemy for everybody
        named, so that the rules can say what is wrong with it.

    Raises:
        OrderError: no enemy is named, and there are several.
    """
    known = main_targets(state, domain)
    if enemy is None and len(known) > 1 and not models:
        raise OrderError(
            f"{unit.id} needs a target", expected=f"{' or '.join(known)}, or pairs such as {_sample(domain)}"
        )
    usual = domain.usual
    if enemy is not None:
        usual = tuple(option for option in usual if main_target(state, option) == enemy.id)
    if not models:
        everybody = tuple((model, enemy.id) for model in sorted(domain.models)) if enemy is not None else ()
        return usual[0] if usual else everybody
    found = {}
    for model in models:
        aimed = next((dict(option)[model] for option in usual if model in dict(option)), None)
        if aimed is None or (enemy is not None and _unit_id(state, aimed) != enemy.id):
            aimed = enemy.id if enemy is not None else (known[0] if known else "")
        found[model] = aimed
    return tuple(sorted(found.items()))


def _sample(domain: Assign) -> str:
    model, target = domain.usual[0][0]
    return f"{model}={target}"


def _unit_id(state: State, target: str) -> str:
    unit = aimed_unit(state, target)
    return "" if unit is None else unit.id


def nearest_assignment(state: State, domain: Assign, targets: Pairs) -> Pairs:
    """The usual assignment that has most in common with some pairs: the pairs themselves, then whom they aim at."""
    asked, enemy = set(targets), main_target(state, targets)

    def likeness(option: Pairs) -> tuple[int, bool]:
        return len(asked & set(option)), main_target(state, option) == enemy

    return max(domain.usual, key=likeness)


# ---- writing ---------------------------------------------------------------------------------------------------------


def assignment_words(state: State, targets: Pairs) -> Iterator[str]:
    """What may stand after the verb for an assignment, the shortest first; the caller reads it back."""
    enemy = main_target(state, targets)
    if enemy is not None:
        yield f" {_quoted(enemy)}"
        yield f" {_quoted(enemy)} with {' '.join(_quoted(model) for model, _ in targets)}"
    yield "".join(f" {model}={_pair_target(target)}" for model, target in targets)


def _quoted(name: str) -> str:
    return name if name and all(letter.isalnum() or letter in "_'.+-" for letter in name) else f'"{name}"'


def _pair_target(target: str) -> str:
    parts = target.split(":")
    return target if len(parts) < 3 and all(_quoted(part) == part for part in parts) else f'"{target}"'


def aims_told(state: State, unit: Unit, targets: Pairs) -> str | None:
    """Who aims at whom, shortly, such as ``at B2 (all 5)`` or ``a1, a2 at B2; a3 at B1``.

    Returns:
        None where the pairs are no assignment of the unit's models.
    """
    models = [model.id for model in unit.models]
    if not targets or any(model not in models for model, _ in targets):
        return None
    groups: dict[tuple[str, str], list[str]] = {}
    for model, target in targets:
        key = _unit_id(state, target) or name_of(target), weapon_of(target)
        groups.setdefault(key, []).append(model)
    told = {key: f"at {key[0]}{f' with {key[1]}' if key[1] else ''}" for key in groups}
    if len(groups) > 1:
        return "; ".join(f"{', '.join(names)} {told[key]}" for key, names in groups.items())
    ((key, names),) = groups.items()
    if len(names) < len(models):
        return f"{told[key]} ({', '.join(names)})"
    return told[key] if len(models) == 1 else f"{told[key]} (all {len(models)})"
