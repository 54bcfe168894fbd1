"""What a way costs, item by item: its length, what slow ground adds, the fees of obstacles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tactician.rules.core.going import Going, price
from tactician.rules.core.legs import Rates, Stretch, cost
from tactician.rules.core.measure import TOL, Inches

__all__ = ["Ledger", "ledger_of", "ledger_words"]

Item = tuple[str, Inches]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """The price of a way taken apart; the items add up to it."""

    length: Inches
    """What the way would cost on ground that costs nothing."""
    slow: Inches
    """What slow ground adds, the dearest counting where pieces overlap."""
    slow_pieces: tuple[str, ...]
    """The pieces of slow ground on the way."""
    fees: tuple[Item, ...]
    """Obstacles crossed and what each of them cost, all crossings together."""

    @property
    def total(self) -> Inches:
        """The price of the way."""
        return self.length + self.slow + sum(inches for _, inches in self.fees)


def ledger_of(going: Going, stretches: tuple[Stretch, ...], rates: Rates, radius: Inches) -> Ledger:
    """The items of a way's price.

    Args:
        going: what the ground costs.
        stretches: the way.
        rates: what heights cost.
        radius: of the base.
    """
    length, bare = cost(stretches, rates), replace(going, regions=(), fees=())

    def more(part: Going) -> Inches:
        return price(part, stretches, rates, radius) - length

    pieces = ((region.name, more(replace(bare, regions=(region,)))) for region in going.regions)
    fees = ((fee.name, more(replace(bare, fees=(fee,)))) for fee in going.fees)
    return Ledger(
        length=length,
        slow=more(replace(bare, regions=going.regions)),
        slow_pieces=tuple(name for name, inches in pieces if inches > TOL),
        fees=tuple((name, inches) for name, inches in fees if inches > TOL),
    )


def ledger_words(ledger: Ledger) -> Iterator[str]:
    """The items as lines for a person; none where the length is all there is to pay."""
    if ledger.slow <= TOL and not ledger.fees:
        return
    yield f"length: {ledger.length:.4f}"
    if ledger.slow > TOL:
        yield f"slow ground ({', '.join(ledger.slow_pieces)}): {ledger.slow:.4f}"
    for name, inches in ledger.fees:
        yield f"fee for {name}: {inches:.4f}"
