"""One decision of the rules, answered in numbered steps.

A decision is asked piece by piece: who does what, then at whom, or where. What has been pressed of a decision so far is
the whole memory of it, so that everything here is a function of the moment, the seats and the numbers pressed.
Legality is the rules' business throughout: choices, domains and `explain` are asked, nothing is decided here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from tactician.agent.view.layout import Layout
from tactician.agent.view.observe import Observation, Observer
from tactician.agent.view.orders import ask, ask_order
from tactician.agent.view.question import Asked, Moment, Partial, Question
from tactician.agent.view.seats import Seats
from tactician.rules.core.action import Action
from tactician.rules.core.appraisal import appraiser_of
from tactician.rules.core.remember import Remembered
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import State

__all__ = ["Asked", "Observation", "Partial", "Question", "View"]

KEPT = 256
"""Moments whose questions are remembered."""

Step = Question | Action
"""What follows a number: the next question, or nothing more to ask."""


class View:
    """A ruleset in the numbers of a layout.

    >>> from tactician.agent.view.layout import layout_of
    >>> from tactician.rules.core.ruleset import Scenario, load_ruleset
    >>> duel = load_ruleset("_template")
    >>> view = View(duel, layout_of(duel, "duel"))
    >>> state = duel.start(Scenario(size="duel"))
    >>> seats = Seats.at_start(state, view.layout)
    >>> view.asked(state, seats).stage
    'place'
    >>> view.press(state, seats, (), view.layout.option("stop"))
    Action(verb='move', unit='R1', order=(), paths=(), targets=(), models=(), places=(), mark=None)
    """

    def __init__(self, ruleset: Ruleset, layout: Layout) -> None:
        """Speak a layout's numbers about a ruleset's decisions."""
        self.ruleset = ruleset
        self.layout = layout
        self._appraiser = appraiser_of(ruleset)
        self._questions: Remembered[Question] = Remembered(KEPT)
        self.observer = Observer(ruleset, layout)

    def __reduce__(self) -> tuple[type[View], tuple[Ruleset, Layout]]:
        """Pickle and copy without what is remembered."""
        return View, (self.ruleset, self.layout)

    def question(self, state: State, seats: Seats, partial: Partial = ()) -> Question:
        """The question that is asked next, while a side decides: what is asked, and the numbers that answer it."""
        return self._questions.get((state, seats), partial, lambda: self._find_question(state, seats, partial))

    def answer(self, question: Question, index: int) -> Step:
        """What a number comes to: the next question, or a legal action.

        Raises:
            ValueError: the number may not be pressed now.
        """
        name = self.layout.name_of(index)
        if not question.mask[index]:
            raise ValueError(f"{index} ({name}) may not be pressed now: {question.asked.in_words()} is asked for")
        return question.answer(index)

    def asked(self, state: State, seats: Seats, partial: Partial = ()) -> Asked:
        """What is asked next, while a side decides."""
        return self.question(state, seats, partial).asked

    def mask(self, state: State, seats: Seats, partial: Partial = ()) -> NDArray[np.bool_]:
        """Which numbers may be pressed now, shape (layout.size,); never all false while a side decides, read-only."""
        return self.question(state, seats, partial).mask

    def press(self, state: State, seats: Seats, partial: Partial, index: int) -> Partial | Action:
        """What a number comes to: a legal action, or what has been pressed so far with one number more.

        Args:
            state: a moment in which a side decides.
            seats: who sits where.
            partial: what has been pressed of this decision before.
            index: the number.

        Raises:
            ValueError: the number may not be pressed now.
        """
        question = self.question(state, seats, partial)
        step = self.answer(question, index)
        if isinstance(step, Action):
            return step
        longer = (*partial, index)
        self._questions.get((state, seats), longer, lambda: step)
        return longer

    def observe(self, state: State, seats: Seats, partial: Partial, side: str) -> Observation:
        """What a side sees (see `tactician.agent.view.observe`); the question is shown to the side that is asked."""
        asks = self.ruleset.to_move(state) == side
        return self.observer.observe(state, seats, self.asked(state, seats, partial) if asks else None, side)

    def index_path(self, state: State, seats: Seats, action: Action) -> tuple[int, ...] | None:
        """The numbers that come nearest to an action: exactly to it, where numbers can say it.

        Returns:
            Numbers to be pressed one after another, the last of which gives an action; None where its unit or its verb
            has no number now.
        """
        partial: Partial = ()
        while True:
            question = self.question(state, seats, partial)
            about = question.asked.verb, question.asked.unit
            index = question.find(action) if about in (("", ""), (action.verb, action.unit)) else None
            if index is None:
                return None
            if isinstance(self._after(state, seats, partial, question, index), Action):
                return (*partial, index)
            partial = (*partial, index)

    # ---- questions ---------------------------------------------------------------------------------------------------

    def _find_question(self, state: State, seats: Seats, partial: Partial) -> Question:
        if not partial:
            return self._first(state, seats)
        before = self.question(state, seats, partial[:-1])
        step = before.answer(partial[-1]) if before.mask[partial[-1]] else None
        if not isinstance(step, Question):
            raise ValueError(f"nothing more is asked after {partial}")
        return step

    def _after(self, state: State, seats: Seats, partial: Partial, question: Question, index: int) -> Step:
        """What follows a number; a next question is remembered."""
        longer = (*partial, index)
        step = question.answer(index)
        if isinstance(step, Question):
            found = step
            self._questions.get((state, seats), longer, lambda: found)
        return step

    def _first(self, state: State, seats: Seats) -> Question:
        """Who does what; or what is asked about the only thing that can be done."""
        moment = Moment(
            ruleset=self.ruleset,
            appraiser=self._appraiser,
            layout=self.layout,
            state=state,
            seats=seats,
            side=self.ruleset.to_move(state),
        )
        choices = self.ruleset.choices(state)
        if len(choices) == 1:
            step = ask(moment, choices[0])
            if isinstance(step, Question):
                return step
        return ask_order(moment, choices)
