"""A game between a person and a bot, from the first question to the result.

The person is reached through two functions, `ask` and `tell`, so that a terminal, a test or a page can stand behind
them. Every decision asks one question; an illegal order is answered with its clauses and the nearest legal order, which
a second question offers. The end of the input ends the session as ``quit`` does, and nothing is lost.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

from tactician import say
from tactician.agent.dice import stream
from tactician.agent.policies.base import Budget, Policy
from tactician.hints import Adviser, Hint, hint_of, hints_from
from tactician.orders import Order, OrderError, Request, nearest_order, plain, read_each, read_line
from tactician.rules.core.action import Action
from tactician.rules.core.agenda import CHANCE, TERMINAL
from tactician.rules.core.files import BadInput, json_text, write_text
from tactician.rules.core.record import End, Record, write_record
from tactician.rules.core.ruleset import Ruleset
from tactician.rules.core.state import SIDES, State, other_side
from tactician.table_dice import ProgramDice, TableDice, Thrower
from tactician.taped import tape_lines, tight_line

__all__ = ["Result", "play"]

SUGGESTIONS = 5
"""How many suggestions are shown."""

REASONS = 3
"""How many reasons are told with a decision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a session came to."""

    state: State
    left: Literal["finished", "conceded", "quit", "end of input"]
    returns: tuple[float, float]
    """Red's and blue's, a concession included; 0, 0 while the game goes on."""
    record: Record


class _Leave(Exception):
    """The person goes."""

    def __init__(self, how: Literal["conceded", "quit"], side: str = "") -> None:
        super().__init__(how)
        self.how: Literal["conceded", "quit"] = how
        self.side = side


@dataclass(frozen=True, slots=True, kw_only=True)
class _Moment:
    """What an undo goes back to."""

    state: State
    plies: int
    told: str
    """The order that was taken then."""


def play(
    ruleset: Ruleset,
    state: State,
    *,
    human: str,
    bot: Policy,
    ask: Callable[[str], str],
    tell: Callable[[str], None],
    dice: Literal["program", "table"] = "program",
    seed: int = 0,
    adviser: Adviser | None = None,
    budget: Budget | None = None,
    record: str | Path | None = None,
    picture: str | Path | None = None,
) -> Result:
    """Play a game, or the rest of one.

    Args:
        ruleset: the game.
        state: the moment to begin at.
        human: ``red``, ``blue`` or ``both``.
        bot: plays the other side.
        ask: puts a question to the person and returns the line typed; raises `EOFError` at the end of the input.
        tell: shows the person a line or several.
        dice: thrown by the program, or by the person at a real table.
        seed: decides the program's dice, and what a policy draws for itself.
        adviser: answers ``?``; the bot's own thoughts where none is given.
        budget: how long the bot thinks about a decision.
        record: file for the record of the game, written at the end, however the session ends.
        picture: file that always shows the present table, ``.svg`` or ``.png``.

    Returns:
        The last moment, how the session ended and the record. Errors of input are told and asked again, never raised.
    """
    sides = SIDES if human == "both" else (human,)
    thinking, rng = budget or Budget(), stream(seed, f"{bot.name} in play")
    adviser = adviser or hints_from(bot, thinking, stream(seed, f"{bot.name} as adviser"))
    session = _Session(ruleset=ruleset, state=state, sides=sides, bot=bot, adviser=adviser, ask=ask, tell=tell)
    session.budget, session.rng = thinking, rng
    session.record = Record(
        product=_version(),
        ruleset=ruleset.info.id,
        version=ruleset.info.version,
        start=ruleset.to_data(state),
        seed=seed if dice == "program" else None,
    )
    session.dice = TableDice(ask, tell, session.beside_dice) if dice == "table" else ProgramDice(seed)
    session.picture = Path(picture) if picture is not None else None
    return session.run(Path(record) if record is not None else None)


def _version() -> str:
    try:
        return version("tactician")
    except PackageNotFoundError:
        return ""


def _no_record() -> Record:
    return Record(product="", ruleset="", version="", start={})


@dataclass(slots=True, kw_only=True)
class _Session:
    """One session; grows its record and remembers what can be undone."""

    ruleset: Ruleset
    state: State
    sides: tuple[str, ...]
    bot: Policy
    adviser: Adviser
    ask: Callable[[str], str]
    tell: Callable[[str], None]
    budget: Budget = field(default_factory=Budget)
    rng: random.Random = field(default_factory=lambda: stream(0, "play"))
    """The bot's own stream."""
    dice: Thrower = field(default_factory=lambda: ProgramDice(0))
    record: Record = field(default_factory=_no_record)
    picture: Path | None = None
    past: list[_Moment] = field(default_factory=list)
    fence: str = "you have given no order yet"
    """Why nothing can be undone where `past` is empty."""
    hints: tuple[Hint, ...] = ()
    """What was suggested for the present decision."""
    queue: list[str] = field(default_factory=list)
    """Lines typed at another question, still to be read."""

    # ---- the game ----------------------------------------------------------------------------------------------------

    def run(self, file: Path | None) -> Result:
        """Go on until the game or the input ends, or the person leaves."""
        left: Literal["finished", "conceded", "quit", "end of input"] = "finished"
        returns = (0.0, 0.0)
        try:
            self._play()
            returns = self.ruleset.returns(self.state)
            self.record.end = End(ending=self.ruleset.ending(self.state), returns=returns)
            self.tell(say.result(self.ruleset, self.state))
        except _Leave as leave:
            left = leave.how
            if leave.how == "conceded":
                winner = other_side(leave.side)
                returns = (1.0, -1.0) if winner == SIDES[0] else (-1.0, 1.0)
                self.tell(f"{leave.side} concedes: {winner} wins")
        except (EOFError, KeyboardInterrupt):
            left = "end of input"
            self.tell("the input ends here; the game is left as it stands")
        if file is not None:
            self._guarded(lambda: write_record(self.record, file), f"record written: {file}")
        return Result(state=self.state, left=left, returns=returns, record=self.record)

    def _play(self) -> None:
        self._tell_log()
        self._draw()
        while True:
            mover = self.ruleset.to_move(self.state)
            if mover == TERMINAL:
                return
            if mover == CHANCE:
                self._roll()
            elif mover in self.sides:
                self._decide(mover)
            else:
                self._answered_by_bot(mover)

    def _roll(self) -> None:
        roll = self.ruleset.pending(self.state)
        outcome = self.dice.throw(self.ruleset, self.state)
        self.tell(say.fell(roll, outcome))
        self.past.clear()
        self.fence = f"dice have fallen since your last order ({roll.why}), and dice are not taken back"
        self.record.fell(outcome, roll.why)
        self._go_to(self.ruleset.resolve(self.state, outcome), heard=f"{roll.why}: {roll.tell(outcome)}")

    def _answered_by_bot(self, side: str) -> None:
        hint = hint_of(self.bot.decide(self.ruleset, self.state, self.budget, self.rng))
        if self.ruleset.check(self.state, hint.action):
            fallback = self.ruleset.choices(self.state)[0].canonical(self.state)
            hint = Hint(action=fallback, why=("its own choice was not legal",))
        self.tell(f"(bot) {say.did(self.ruleset, self.state, side, hint.action)}")
        for reason in hint.why[:REASONS]:
            self.tell(f"      because {reason}")
        self._apply(side, hint.action)

    def _apply(self, side: str, action: Action) -> None:
        self.record.did(side, action)
        self._go_to(self.ruleset.apply(self.state, action))

    def _go_to(self, state: State, heard: str = "") -> None:
        self.state = state
        self.hints = ()
        self._tell_log(heard)
        self._draw()

    def _tell_log(self, heard: str = "") -> None:
        """What the rules did by themselves, but for a line that was told already."""
        for line in self.state.log:
            if line != heard:
                self.tell(f"  {line}")

    def _draw(self) -> None:
        if self.picture is not None:
            place = self.picture
            self._guarded(lambda: self._picture(place), "")

    # ---- a decision of the person ------------------------------------------------------------------------------------

    def _decide(self, side: str) -> None:
        """Ask until an order is taken, or the moment changes otherwise."""
        before = self.state
        if len(self.ruleset.choices(before)) > 1:
            for line in say.situation(self.ruleset, before, side):
                self.tell(line)
        while self.state is before:
            self._line(self._next(say.prompt(self.ruleset, before)))

    def _next(self, question: str) -> str:
        return self.queue.pop(0) if self.queue else self.ask(question)

    def _line(self, text: str) -> None:
        """Deal with one typed line."""
        if not text.strip():
            self.tell("type an order, ? for suggestions, 1 to take the best one, or help")
            return
        try:
            read = read_line(self.ruleset, self.state, text)
        except OrderError as error:
            self.tell(f"not understood: {error}")
            return
        if isinstance(read, Order):
            self._order(read.actions)
        else:
            self._request(read)

    def _order(self, actions: tuple[Action, ...]) -> None:
        """Take an order if it is legal; otherwise say why not and offer the nearest legal one."""
        for action in actions:
            broken = self.ruleset.check(self.state, action)
            if broken:
                self._refuse(action)
                return
            self._take(action)

    def _take(self, action: Action) -> None:
        side = self.ruleset.to_move(self.state)
        told = say.did(self.ruleset, self.state, side, action)
        self.tell(told)
        self.past.append(_Moment(state=self.state, plies=len(self.record.plies), told=told))
        self._apply(side, action)

    def _refuse(self, action: Action) -> None:
        self.tell(f"not legal: {plain(self.state, action)}")
        for line in say.violations(self.ruleset, self.ruleset.check(self.state, action)):
            self.tell(f"  {line}")
        near = nearest_order(self.ruleset, self.state, action)
        if near is None:
            return
        side = self.ruleset.to_move(self.state)
        self.tell(f"nearest legal: {say.did(self.ruleset, self.state, side, near)}")
        answer = self.ask("take it? (y, n, or another order) > ")
        if answer.strip().lower() in ("y", "yes"):
            self._take(near)
        elif answer.strip().lower() not in ("", "n", "no"):
            self.queue.append(answer)

    # ---- requests ----------------------------------------------------------------------------------------------------

    def _request(self, request: Request) -> None:
        argument = request.argument
        match request.what:
            case "suggest":
                self._suggest()
            case "take":
                self._take_hint(int(argument))
            case "why":
                self._why(argument)
            case "undo":
                self._undo()
            case "concede":
                raise _Leave("conceded", self.ruleset.to_move(self.state))
            case "show":
                for line in say.situation(self.ruleset, self.state, self.ruleset.to_move(self.state)):
                    self.tell(line)
            case "orders":
                for line in say.offers(self.ruleset, self.state):
                    self.tell(line)
            case "yes" | "no":
                self.tell("nothing was offered; type an order, or ? for suggestions")
            case _:
                self._anytime(request)

    def _anytime(self, request: Request) -> bool:
        """Requests that make sense while dice are awaited too; whether it was one."""
        place = Path(request.argument)
        match request.what:
            case "help":
                self.tell(say.HELP)
            case "quit":
                raise _Leave("quit")
            case "save":
                self._guarded(lambda: self._save(place), f"saved: {place}")
            case "picture":
                self._guarded(lambda: self._picture(place), f"picture: {place}")
            case "threat":
                self._guarded(lambda: self._picture(place, SIDES), f"picture: {place}")
            case _:
                return False
        return True

    def beside_dice(self, text: str) -> bool:
        """Deal with a line typed where dice were asked for, if it is a request; whether it was."""
        first, _, rest = text.partition(" ")
        word = {"exit": "quit"}.get(first.lower(), first.lower())
        if word == "concede":
            raise _Leave("conceded", self.sides[0])
        if word == "undo":
            self.tell("dice are being thrown, and an order that made them fall is not taken back")
            return True
        if word in ("save", "picture", "threat") and not rest.strip():
            self.tell(f"{word!r} needs a file")
            return True
        return self._anytime(Request(what=word, argument=rest.strip()))

    def _suggested(self) -> tuple[Hint, ...]:
        if not self.hints:
            self.hints = tuple(self.adviser(self.ruleset, self.state, SUGGESTIONS))[:SUGGESTIONS]
        return self.hints

    def _suggest(self) -> None:
        side = self.ruleset.to_move(self.state)
        for number, hint in enumerate(self._suggested(), start=1):
            why = f" - {hint.why[0]}" if hint.why else ""
            self.tell(f"  {number}  {say.did(self.ruleset, self.state, side, hint.action)}{why}")
        tight = tight_line(self.ruleset, self.state, self.hints[0].action)
        if tight:
            self.tell(f"     1 is {tight}; why 1 tells it by tape")

    def _take_hint(self, number: int) -> None:
        hints = self._suggested()
        if not 1 <= number <= len(hints):
            self.tell(f"there is no suggestion {number}, expected 1 to {len(hints)} (? shows them)")
            return
        self._order((hints[number - 1].action,))

    def _why(self, text: str) -> None:
        if text.isascii() and text.isdigit():
            self._why_hint(int(text[:3]))
            return
        try:
            asked = read_each(self.ruleset, self.state, text)
        except OrderError as error:
            self.tell(f"not understood: {error}")
            return
        for action in asked:
            broken = say.violations(self.ruleset, self.ruleset.check(self.state, action))
            self.tell(f"{plain(self.state, action)}: {'not legal' if broken else 'legal'}")
            for line in broken or (tape_lines(self.ruleset, self.state, action) if len(asked) == 1 else ()):
                self.tell(f"  {line}")

    def _why_hint(self, number: int) -> None:
        hints = self._suggested()
        if not 1 <= number <= len(hints):
            self.tell(f"there is no suggestion {number}, expected 1 to {len(hints)} (? shows them)")
            return
        hint = hints[number - 1]
        self.tell(plain(self.state, hint.action))
        for reason in hint.why or ("no reason is known",):
            self.tell(f"  because {reason}")
        for line in tape_lines(self.ruleset, self.state, hint.action):
            self.tell(f"  {line}")

    def _undo(self) -> None:
        if not self.past:
            self.tell(f"nothing to undo: {self.fence}")
            return
        moment = self.past.pop()
        self.fence = "you are back before your first order since then"
        del self.record.plies[moment.plies :]
        self.tell(f"taken back: {moment.told}")
        self.state, self.hints = moment.state, ()
        self._draw()

    # ---- files -------------------------------------------------------------------------------------------------------

    def _save(self, place: Path) -> None:
        write_text(place, json_text(self.ruleset.to_data(self.state)))

    def _picture(self, place: Path, threats: tuple[str, ...] = ()) -> None:
        """Draw the table, with what some sides threaten."""
        from tactician.pictures import save

        if place.suffix.lower() not in (".svg", ".png"):
            raise ValueError(f"{place}: a picture ends in .svg or .png")
        drawing = self.ruleset.describe(self.state)
        if threats:
            from tactician.threats import with_threat

            drawing = with_threat(drawing, self.ruleset, self.state, threats)
        save(drawing, place)

    def _guarded(self, write: Callable[[], None], done: str) -> None:
        """Write a file; what goes wrong is told, and the game goes on."""
        try:
            write()
        except (BadInput, OSError, ValueError) as error:
            self.tell(f"nothing written: {error}")
        else:
            if done:
                self.tell(done)
