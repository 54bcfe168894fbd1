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
    "covering_fire",
    "intervene",
    "drag",
    "arrive",
    "follow",
    "raid",
    "redeploy",
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
    _flag("horde_answers", True, "models of a Horde come back before its answers too, not only before orders", "horde"),
    _pick("drag_resolve", "met", ("printed",), "Resolve that Drag compares: as damage meets it, or OPDAT", "drag"),
    _number("deploy_depth", 12.0, "depth of the deployment zones of a full table", "deployment", "found"),
    _number("threat_step", 4, "threat points of one of the 1 to 4 steps of King of the Castle", "scout and secure"),
    _flag("lost_return", False, "lost units may be brought on again in King of the Castle", "scout and secure"),
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
    "King of the Castle: the printed 1 to 4 threat points are steps: one in turn 1, two in turn 2, four from turn 4.",
    "A step is 4 threat points, what an ordinary unit of the sample armies costs (threat_step = 1 is the print).",
    "King of the Castle: who is near the objective undenied holds it, even both sides; lost units do not come again.",
    "Raid and Repeat, All-out War: points for lost units are kept; any lost unit can be bought, at full strength.",
    "The Wall, War-zone and Citadel Clash print scout and secure but give no threat points: nobody comes on there.",
    "A scout's base touches its own edge. Until it has moved it is ordered only what moves it, and answers nothing.",
    "The rest of a unit comes on after any movement of its scout, of 0 inches too, before anybody shoots.",
    "Those who find no room within 2 inches come with the unit's next movement; a scout whom nobody joins remains one.",
    "Brought on again, a unit has no restrictions; a part that was split off costs its share, rounded, at least 1.",
    "Annihilation waits as long as a side without models can still pay for a unit, now or in a later turn.",
    "Raid and Repeat: raiding is an activation of its own: a command point, no answer, no restriction gained or lost.",
    "Raid and Repeat: each token stands in the middle, 8 inches from its side's edge; the first in a file is red's.",
    "War-zone: a token in the middle, four 12 inches to a side and 6 up or down; headquarters 6 inches from the edge.",
    "War-zone: victory points can fall below 0; two enemy units near a headquarters cost no more than one.",
    "Citadel Clash: each side's tokens stand 9 inches from its edge, 12 apart (6 is printed); nobody denies them.",
    "A battle's own objectives replace those of any mission: the first half is red's where tokens have sides.",
    "Annihilation, after the last turn: threat points of lost models decide, each its share of its unit's cost.",
    "Tables smaller than 48 inches shrink deployment depth and the places of objectives in proportion.",
    "melee_check = each: after the movements and again at the end, as mutual shooting cannot be taken apart.",
    "Covering Fire and Intervene answer for another unit than the one that acts; gaps are the least between models.",
    "Intervene changes the target of the charge alone; shots named at the friend stay aimed at it.",
    "Whoever may not be charged with the command does not become the target by intervening (The Wall).",
    "An Intervene that moved nobody gives no Run (idle_part_restricts); it may become the target all the same.",
    "Horde: the dice fall for models lost by the unit, never for one whose models are all lost.",
    "Horde: models without room stay lost and are rolled for again before the next command.",
    "Drag: shots and blows count alike, once for each attack; who is in base contact already is not dragged.",
    "Drag: over no models and through no walls, however far; over 12 inches it keeps to the floor if both share it.",
    "Drag is no movement of whoever is dragged: it costs no cover, gives no restriction, may leave a unit in pieces.",
    "Drag by blows comes after the check for melee, which is made once: the pair fights when it is next involved.",
    "A base on a ramp stops where it touches a solid floor at its head and climbs the rest; a level landing avoids it.",
)
"""Readings that no option changes, for the ruleset's page."""
