"""Weapons and profiles in files: the catalogue's own and those that a battle file brings along."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, cast

from tactician.rules.core.codec import encode
from tactician.rules.core.files import Faults
from tactician.rules.wh40k2e.file_form import ProfileForm, WeaponForm
from tactician.rules.wh40k2e.profiles import SPECIAL_RULES, Damage, Profile, Weapon
from tactician.rules.wh40k2e.scope import refused_kind, unknown_rule

__all__ = ["damage_of", "profile_data", "read_profile", "read_weapon", "weapon_data"]

DICE = re.compile(r"(?:(?P<dice>[1-9][0-9]?)?D(?P<sides>[1-9][0-9]?)(?:\+(?P<more>[0-9]{1,2}))?|(?P<plain>[0-9]{1,3}))")


def damage_of(text: str) -> Damage | None:
    """The damage that a text stands for (``1``, ``D4``, ``2D6``, ``D3+1``), or None."""
    found = DICE.fullmatch(text.strip().upper())
    if found is None:
        return None
    if found["plain"] is not None:
        return Damage(add=int(found["plain"]))
    return Damage(dice=int(found["dice"] or 1), sides=int(found["sides"]), add=int(found["more"] or 0))


def read_weapon(form: WeaponForm, name: str, where: str, faults: Faults) -> Weapon:
    """The weapon that a form stands for, faults noted."""
    damage = damage_of(str(form.damage))
    if damage is None:
        faults.wrong(f"{where}.damage", form.damage, "a number, or dice such as D4 or 2D6")
    if form.long < form.short:
        faults.add(f"{where}.long", f"found {form.long:g}", f"at least the short range, {form.short:g}")
    values = {one.name: getattr(form, one.name) for one in fields(WeaponForm)}
    return Weapon(**{**values, "id": name, "damage": damage or Damage()})


def weapon_data(weapon: Weapon) -> dict[str, Any]:
    """A weapon as data that `read_weapon` reads back equal."""
    data: dict[str, Any] = {key: value for key, value in encode(weapon).items() if key not in ("id", "damage")}
    return data if weapon.damage == Damage() else {**data, "damage": str(weapon.damage)}


def read_profile(
    form: ProfileForm, name: str, where: str, arms: Mapping[str, Weapon | None], faults: Faults
) -> Profile:
    """The profile that a form stands for, faults noted.

    Args:
        form: the profile in the file
        name: its id
        where: its field
        arms: every weapon that is known; None for those that could not be read
        faults: collects what is wrong
    """
    for i, weapon in enumerate(form.weapons):
        if weapon not in arms:
            faults.unknown(f"{where}.weapons[{i}]", "weapon", weapon, tuple(arms))
    for i, rule in enumerate(form.rules):
        if rule not in SPECIAL_RULES:
            faults.add(f"{where}.rules[{i}]", unknown_rule(rule))
    refused = refused_kind(form.kind)
    if refused:
        faults.add(f"{where}.kind", refused)
    values = {one.name: getattr(form, one.name) for one in fields(ProfileForm)}
    return Profile(**{**values, "id": name, "name": form.name or name, "kind": cast("Any", form.kind)})


def profile_data(profile: Profile) -> dict[str, Any]:
    """A profile as data that `read_profile` reads back equal."""
    return {key: value for key, value in encode(profile).items() if key != "id"}
