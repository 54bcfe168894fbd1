"""A person made of a function, and what was asked and told at the table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from tactician.rules.core.ruleset import load_ruleset

RULES = load_ruleset("voidsiege")

TAKEN = re.compile(r"(red|blue): ")
"""How the session tells an order that was taken."""


MOST_LINES = 5000
"""Lines of a transcript after which a session is taken never to end."""


class Table:
    """Answers questions, keeps the transcript, and counts the questions that each order took."""

    def __init__(self, answer: Callable[[str], str] | Iterable[str]) -> None:
        self._answer = answer if callable(answer) else None
        self._lines = iter(()) if callable(answer) else iter(answer)
        self.transcript: list[str] = []
        self.questions: list[int] = [0]
        """Questions that each order took, one given in answer to a question included; dice are not counted."""
        self._refused = False
        self.dice = 0

    def ask(self, question: str) -> str:
        assert len(self.transcript) < MOST_LINES, "the session goes round in circles:\n" + "\n".join(
            self.transcript[-9:]
        )
        if "what came up?" in question:
            self.dice += 1
        elif "take it?" not in question and self._refused:
            self.questions.append(1)
        else:
            self.questions[-1] += 1
        self._refused = False
        if self._answer is not None:
            text = self._answer(question)
        else:
            line = next(self._lines, None)
            if line is None:
                raise EOFError
            text = line
        self.transcript.append(f"{question}{text}")
        if "take it?" in question and text not in ("y", "n"):
            self.questions.append(1)
        return text

    def tell(self, text: str) -> None:
        self.transcript.append(text)
        self._refused = self._refused or text.startswith("not legal")
        if TAKEN.match(text) or text.startswith(("taken back", "not understood")):
            self.questions.append(0)

    @property
    def text(self) -> str:
        return "\n".join(self.transcript)
