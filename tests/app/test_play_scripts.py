"""Three people play a whole game each, from the first prompt to the result."""

from __future__ import annotations

import itertools
import random
import re

from tactician import session
from tactician.agent.policies import Budget, policy
from tactician.hints import hints_from
from tactician.rules.core.record import Did, replay
from tactician.rules.core.ruleset import Scenario

from tests.app.table import RULES, Table


def finished(result: session.Result, table: Table) -> None:
    """The game reached its end, and its record leads there too."""
    assert result.left == "finished"
    assert RULES.to_move(result.state) == "terminal"
    assert replay(result.record, RULES) == result.state
    assert "the game is over by " in table.transcript[-1]
    assert "Traceback" not in table.text


def test_a_newcomer_who_only_takes_suggestions() -> None:
    table = Table(itertools.cycle(["?", "1"]))
    result = session.play(
        RULES,
        RULES.start(Scenario(size="duel")),
        human="red",
        bot=policy("straight-ahead"),
        adviser=hints_from(policy("greedy"), Budget(evaluations=4), random.Random(1)),
        ask=table.ask,
        tell=table.tell,
        seed=5,
    )
    finished(result, table)
    assert max(table.questions) <= 2
    assert "  1  red: R1 (N-Force) deploy" in table.text
    assert "take it?" not in table.text


class InWords:
    """Orders everything in words: some orders that cannot be, one taken back, then always at the enemy."""

    def __init__(self) -> None:
        self.deployed = 0
        self.opening = ["undo", "n-force move to 12,20", "r1 run to 23,23"]
        self.last = ""
        self.tries = [
            "n-force advance 6 toward troopers shoot troopers",
            "n-force shoot troopers",
            "R1 move 6 toward B1",
            "R1 move to 12,9; R1a stay",
            "R1 move",
        ]
        self.number = 0

    def __call__(self, question: str) -> str:
        if "take it?" in question:
            return "R1 move by 0,-0.5" if self.last.startswith("r1 run") else "y"
        self.last = self._order(question)
        return self.last

    def _order(self, question: str) -> str:
        if "deploy R1" in question:
            self.deployed += 1
            return "n-force deploy at 10,3" if self.deployed == 1 else "at 12,3"
        if "remove" in question:
            models = re.findall(r"R1\w", question)
            return f"remove {' '.join(models[: int(question.split()[2])])}"
        if "where does" in question:
            return "3 toward troopers"
        if "answer?" in question:
            return "pass"
        if self.opening:
            return self.opening.pop(0)
        self.number += 1
        return self.tries[self.number % len(self.tries)]


def test_one_who_orders_every_unit_in_words() -> None:
    table = Table(InWords())
    result = session.play(
        RULES,
        RULES.start(Scenario(size="duel")),
        human="red",
        bot=policy("straight-ahead"),
        ask=table.ask,
        tell=table.tell,
        seed=2,
    )
    finished(result, table)
    text = table.text
    assert re.search(r'VS-AL-01 \(.+\): R1a 17\.00", limit 6" at \(9, 20\); the same: R1b', text)
    assert re.search(r'VS-AL-04 \(.+\): R1\w \d+\.\d\d", limit 12" at \(', text)
    assert "take it? (y, n, or another order) > R1 move by 0,-0.5" in text
    assert "nearest legal: red: R1 (N-Force) move" in text
    assert "taken back: red: R1 (N-Force) deploy R1a at 7,3" in text
    deployed = result.record.plies[1]
    assert isinstance(deployed, Did)
    assert deployed.action.places[0][1].point == (9.0, 3.0)
    illegal = text.count("not legal: ")
    assert illegal >= 2
    assert max(table.questions) <= 2


def test_one_at_a_real_table_who_types_dice() -> None:
    rng = random.Random(8)
    orders = InWords()
    orders.opening = []
    wrong = ["7"]

    def person(question: str) -> str:
        if "what came up?" not in question:
            return orders(question)
        count = int(re.match(r"roll (\d+)D", question)[1])  # type: ignore[index]
        faces = [str(rng.randint(1, 6)) for _ in range(count)]
        if wrong:
            return " ".join([wrong.pop(), *faces[1:]])
        return rng.choice([" ", ","]).join(faces) if rng.random() < 0.5 else "".join(faces)

    table = Table(person)
    result = session.play(
        RULES,
        RULES.start(Scenario(size="duel")),
        human="red",
        bot=policy("straight-ahead"),
        ask=table.ask,
        tell=table.tell,
        dice="table",
    )
    finished(result, table)
    assert result.record.seed is None
    assert "roll-off: who goes first: die 1 shows 7, expected a whole number from 1 to 6" in table.text
    rolls = [ply for ply in result.record.plies if hasattr(ply, "outcome")]
    assert table.dice == len(rolls) + 1
    assert max(table.questions) <= 2
