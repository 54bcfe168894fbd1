"""A person made of a function, and what was asked and told at the table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from tactician.rules.core.ruleset import load_ruleset

RULES = load_ruleset("voidsiege")

TAKEN = re.compile(r"(red|blue): ")
"""How the session tells an order that was taken."""


class Table:
    """Answers questions, keeps the transcript, and counts the questions that each order took."""

    def __init__(self, answer: Callable[[str], str] | Iterable[str]) -> None:
        self._answer = answer if callable(answer) else None
        self._lines = iter(()) if callable(answer) else iter(answer)
        self.transcript: list[str] = []
        self.questions: list[int] = [0]
        """Questions that led to each order taken, request answered or line not understood; dice are not counted."""
        self.dice = 0

    def ask(self, question: str) -> str:
        if "what came up?" in question:
            self.dice += 1
        else:
            self.questions[-1] += 1
        if self._answer is not None:
            text = self._answer(question)
        else:
            line = next(self._lines, None)
            if line is None:
                raise EOFError
            text = line
        self.transcript.append(f"{question}{text}")
        return text

    def tell(self, text: str) -> None:
        self.transcript.append(text)
        if TAKEN.match(text):
            self.questions.append(0)

    @property
    def text(self) -> str:
        return "\n".join(self.transcript)
