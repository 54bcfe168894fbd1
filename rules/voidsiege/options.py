"""What the sources leave open, under names; and the verbs, in an order that never changes."""

from __future__ import annotations

from tactician.rules.core.ruleset import Option

__all__ = ["OPTIONS", "RULINGS", "VERBS"]

VERBS = (
    "move",
    "shoot",
    "defend",
    "run",
    "advance",
    "assault",
    "ditch",
    "overrun",
    "rally",
    "snap_fire",
    "pass",
    "go",
    "remove",
    "deploy",
    "return",
    "split",
    "combine",
)
"""New verbs are appended, never inserted, and raise the version of learning environments."""


def _number(name: str, default: float, text: str, source: str, mark: str = "proposed") -> Option:
    return Option(name=name, default=default, text=text, source=source, mark=mark)


def _pick(name: str, default: str, others: tuple[str, ...], text: str, source: str, mark: str = "proposed") -> Option:
    return Option(name=name, default=default, values=(default, *others), text=text, source=source, mark=mark)


def _flag(name: str, default: bool, text: str, source: str, mark: str = "proposed") -> Option:
    return Option(name=name, default=default, values=(default, not default), text=text, source=source, mark=mark)


OPTIONS: tuple[Option, ...] = (
    _number("coherency_distance", 2.0, "greatest gap of a link of a unit, heights included", "G1", "inferred"),
    _flag("coherency_chain", True, "the whole unit is one chain, not only each model near another", "G1"),
    _flag("in_step", True, "models of a unit move at the same time, not one after another", "G2"),
    _pick("regroup", "fewer", ("whole",), "what a unit in pieces must reach by moving: fewer pieces, or one", "G3"),
    _flag("standing_near", True, "models that do not move may stay near enemies", "G4", "inferred"),
    _pick(
        "charge_commands",
        "move advance assault",
        ("move advance", "advance assault"),
        "commands that can carry a charge",
        "G7",
    ),
    _flag("leave_cover", True, "a run may leave the cover that it starts in", "G8"),
    _flag("moving_loses_cover", True, "a unit that moved 2 inches has no cover until the exchange is over", "G10"),
    _flag("shunt_defends", True, "a shunt counts as stationary for the cover of Defend", "G11", "inferred"),
    _pick("shunt_measure", "paid", ("walked",), "inches of a shunt: paid for, or walked with descents", "G12"),
    _pick("melee_pairs", "involved", ("charged",), "pairs looked at by the check for melee", "G13"),
    _pick("melee_check", "once", ("each",), "melee is checked after the exchange, or after its moves too", "G13"),
    _number("command_points", 6, "command points of each side in a turn", "G14"),
    _pick("turn_order", "alternate", ("winner",), "who starts later turns: by turns, or always the winner", "G15"),
    _flag("splitting", True, "a unit may divide on its own command", "G16"),
    _flag("combining", True, "units of one profile may join when one ends its movement near the other", "G16"),
    _flag("mates_block", True, "models of the moving unit block each other where they are at the instant", "G18"),
    _flag("table_edge", True, "no part of a base leaves the table (otherwise its centre may not)", "G19"),
    _number("climb_limit", 0, "highest face that may be climbed; 0 for any", "G20"),
    _pick(
        "target_named",
        "with_command",
        ("after_move",),
        "when the target of Advance and Assault is named and answered",
        "G21",
        "ruling",
    ),
    _flag("idle_part_restricts", False, "a part of a command that did nothing still gives its restriction", "G22"),
    _pick("casualties", "owner", ("nearest",), "who is removed: the owner's choice, or the nearest", "casualties"),
    _flag("cover_without_defend", True, "cover adds to Resolve against shooting without Defend", "cover"),
    _pick("cover_share", "most", ("all", "any"), "share of a unit that must be in cover", "cover"),
    _flag("snap_leaves_shoot", True, "Snap Fire leaves the Shoot restriction", "snap fire"),
    _flag("melee_cover", False, "cover counts in melee", "melee"),
    _number("rally_distance", 2.0, "how near a mate rallied models come back", "rally"),
    _number("deploy_depth", 12.0, "depth of the deployment zones of a full table", "deployment", "found"),
)

RULINGS: tuple[str, ...] = (
    "Models hide nobody from sight; blocking pieces and solid floors do, as high as they stand.",
    "Defend and Rally name no target and move nobody: nobody answers them. An answer carries no charge.",
    "A movement of 0 inches did nothing, whether by choice or not: no restriction (idle_part_restricts).",
    "Ditch is used up by the next incoming damage, and otherwise ends when a turn begins.",
    "A target that joins another unit before the shots is still the target, in its new unit.",
    "Units that split off during a command have its restrictions and its inches moved.",
    "Simultaneous duties go by side, the commanding one first, then by unit id.",
    "All-out War: two sides near an objective that nobody denies both score; at equal points play goes on.",
    "The Wall: a defender without victory points loses none.",
    "Annihilation, after the last turn: threat points of lost models decide, each its share of its unit's cost.",
    "Tables smaller than 48 inches shrink deployment depth and the places of objectives in proportion.",
    "melee_check = each: after the movements and again at the end, as mutual shooting cannot be taken apart.",
    "A base on a ramp stops where it touches a solid floor at its head and climbs the rest; a level landing avoids it.",
)
"""Readings that no option changes, for the ruleset's page."""
