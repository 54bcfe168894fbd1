from __future__ import annotations

import doctest
import itertools
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tactician import odds_words
from tactician.odds_words import (
    Comparison,
    DiceTerm,
    OddsAnswer,
    OddsQuestion,
    answer_odds,
    odds_lines,
    parse_odds,
)


def answer(text: str) -> OddsAnswer:
    return answer_odds(parse_odds(text))


@pytest.mark.parametrize(
    ("text", "probability"),
    [
        ("2d6>=7", Fraction(21, 36)),
        ("2d6>=8", Fraction(15, 36)),
        ("2d6>=9", Fraction(10, 36)),
        ("2d6>=10", Fraction(6, 36)),
        ("2D6 > 9", Fraction(6, 36)),
        ("2d6<4", Fraction(3, 36)),
        ("2d6<=4", Fraction(6, 36)),
        ("2d6 = 7", Fraction(1, 6)),
        ("d6+3>=9", Fraction(1, 6)),
        ("3+d6>=9", Fraction(1, 6)),
        ("-d6 + 3 >= -1", Fraction(4, 6)),
        ("d6-d6>0", Fraction(15, 36)),
        ("3d6dl1>=12", Fraction(16, 216)),
        ("3d6dh1<=2", Fraction(16, 216)),
        ("5d4dl2dh2=1", Fraction(106, 1024)),
        ("2d6+d3-1=13", Fraction(3, 108)),
        ("2d6+d3-1=14", Fraction(1, 108)),
        ("10d6 each >=4 : >=10", Fraction(1, 1024)),
        ("3d6 each >4: =0", Fraction(8, 27)),
        ("3d6 each <2: =3", Fraction(1, 216)),
        ("3d6 each =6: >=1", Fraction(91, 216)),
        ("3d6 each >=7: >=1", Fraction(0)),
        ("3d6 each >=-7: >=3", Fraction(1)),
        ("2d6>=2", Fraction(1)),
        ("2d6>12", Fraction(0)),
    ],
)
def test_known_odds(text: str, probability: Fraction) -> None:
    found = answer(text)
    assert found.probability == probability
    assert sum(part for _, part in found.distribution) == 1


def test_a_question_is_read_into_its_parts() -> None:
    assert parse_odds(" 4D6 dl1 dh 2 - d3 + 5 - 1 < -2 ") == OddsQuestion(
        dice=(
            DiceTerm(count=4, sides=6, drop_lowest=1, drop_highest=2),
            DiceTerm(count=1, sides=3, is_subtracted=True),
        ),
        add=4,
        wanted=Comparison(sign="<", number=-2),
    )
    assert parse_odds("10d6 each>=4:>=3") == OddsQuestion(
        dice=(DiceTerm(count=10, sides=6),),
        each=Comparison(sign=">=", number=4),
        wanted=Comparison(sign=">=", number=3),
    )


def test_without_a_comparison_there_is_only_a_distribution() -> None:
    found = answer("d6+3")
    assert found.probability is None
    assert found.distribution == tuple((value, Fraction(1, 6)) for value in range(4, 10))
    pool = answer("2d6 each >=4")
    assert pool.probability is None
    assert pool.distribution == ((0, Fraction(1, 4)), (1, Fraction(1, 2)), (2, Fraction(1, 4)))


@given(
    terms=st.lists(
        st.tuples(st.integers(1, 3), st.integers(1, 4), st.integers(0, 1), st.integers(0, 1), st.booleans()),
        min_size=1,
        max_size=2,
    ),
    add=st.integers(-5, 5),
)
@settings(max_examples=50)
def test_any_small_sum_agrees_with_throwing_every_sequence(
    terms: list[tuple[int, int, int, int, bool]], add: int
) -> None:
    words = f"{add}"
    parts = []
    for count, sides, low, high, is_subtracted in terms:
        low, high = (low, high) if low + high < count else (0, 0)
        words += f"{'-' if is_subtracted else '+'}{count}d{sides}dl{low}dh{high}"
        throws = itertools.product(range(1, sides + 1), repeat=count)
        sign = -1 if is_subtracted else 1
        parts.append([sign * sum(sorted(faces)[low : count - high]) for faces in throws])
    totals = Counter(add + sum(chosen) for chosen in itertools.product(*parts))
    everything = totals.total()
    expected = tuple((value, Fraction(totals[value], everything)) for value in sorted(totals))
    assert answer(words).distribution == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "at character 1 (the end of the text): expected dice or a number"),
        ("   ", "(the end of the text): expected dice or a number"),
        ("2d", "at character 3 (the end of the text): expected the number of sides"),
        ("d", "at character 2 (the end of the text): expected the number of sides"),
        ("d0", "at character 2 ('0'): expected 1 to 1000 sides"),
        ("d1001", "at character 2 ('1001'): expected 1 to 1000 sides"),
        ("0d6", "at character 1 ('0d6'): expected 1 to 100 dice"),
        ("101d6", "at character 1 ('101d6'): expected 1 to 100 dice"),
        ("60d6+41d6", "at character 6 ('41d6'): expected at most 100 dice in all"),
        ("1e400", "at character 2 ('e400'): expected dice"),
        ("99999999d6", "expected a number of at most 1000000"),
        ("7", "at character 1 ('7'): expected at least one die"),
        ("7>=3", "expected at least one die"),
        ("2d6>=", "at character 6 (the end of the text): expected a whole number to compare with"),
        ("2d6>=d6", "at character 6 ('d6'): expected a whole number to compare with"),
        ("2d6>=8.5", "at character 7 ('.5'): expected"),
        ("2d6>=8 9", "at character 8 ('9'): expected nothing more"),
        ("2d6>=8>=9", "expected nothing more"),
        ("2d6 8", "at character 5 ('8'): expected '+', '-', 'each', a comparison"),
        ("2d6++3", "at character 5 ('+3'): expected dice or a number"),
        ("2d6+", "(the end of the text): expected dice or a number"),
        ("2d6=>8", "at character 5 ('>8'): expected a whole number to compare with"),
        ("2d6!=8", "at character 4 ('!=8'): expected"),
        ("3d6dl", "expected how many of the lowest dice to drop"),
        ("3d6dh>=2", "at character 6 ('>=2'): expected how many of the highest dice to drop"),
        ("3d6dl3", "at character 4 ('dl3'): expected to keep at least one of 3 dice"),
        ("3d6dl1dh2", "expected to keep at least one of 3 dice"),
        ("100d1000dl1", "expected fewer dice or sides where dice are dropped"),
        ("10d6 each", "expected a comparison"),
        ("10d6 each 4", "at character 11 ('4'): expected a comparison"),
        ("10d6 each >=4 >=3", "at character 15 ('>=3'): expected ':' or the end"),
        ("10d6 each >=4 :", "expected a comparison"),
        ("10d6+1 each >=4", "at character 8 ('each >=4'): expected 'each' after one plain pool"),
        ("10d6dl1 each >=4", "expected 'each' after one plain pool"),
        ("d6+d6 each >=4", "expected 'each' after one plain pool"),
        ("-3d6 each >=4", "expected 'each' after one plain pool"),
        ("two dice", "at character 1 ('two dice'): expected dice"),
        ("٢d6", "at character 1 ('٢d6'): expected dice"),
        ("2d6;rm", "at character 4 (';rm'): expected"),
    ],
)
def test_nonsense_is_refused_with_its_place(text: str, words: str) -> None:
    with pytest.raises(ValueError, match="expected") as refused:
        parse_odds(text)
    assert words in str(refused.value)
    assert str(refused.value).startswith(f"odds {text!r}: at character ")


@pytest.mark.parametrize("text", ["1" * 5000, "d6+" * 5000, " " * 5000, "2d6" + "\n" * 300])
def test_very_long_text_is_refused_in_few_words(text: str) -> None:
    with pytest.raises(ValueError, match=f"{len(text)} characters, expected at most 200") as refused:
        parse_odds(text)
    assert len(str(refused.value)) < 250


@given(st.text(alphabet="0123456789d each<>=+-:dlh.", max_size=30))
@settings(max_examples=100)
def test_any_text_is_read_or_refused_in_our_words(text: str) -> None:
    refusal = ""
    try:
        question = parse_odds(text)
    except ValueError as refused:
        refusal = str(refused)
    else:
        assert 1 <= sum(term.count for term in question.dice) <= 100
    assert not refusal or refusal.startswith(f"odds {text!r}: at character ")


def test_the_largest_questions_are_answered() -> None:
    # an independent check: the sum lies symmetrically about its mean, the sum of the means of the dice
    mean = (49 * 1001 + 50 * 1000 + 7) // 2
    found = answer(f"49d1000+50d999+d6>={mean}")
    assert found.probability == (1 + dict(found.distribution)[mean]) / 2


def test_lines_show_fraction_per_cent_and_bars() -> None:
    assert odds_lines(answer("2d3>=5")) == [
        "chance    1/3",
        "per cent  33.3 %",
        "2   11.1 %  " + "#" * 13,
        "3   22.2 %  " + "#" * 27,
        "4   33.3 %  " + "#" * 40,
        "5   22.2 %  " + "#" * 27,
        "6   11.1 %  " + "#" * 13,
    ]
    assert odds_lines(answer("d1-2")) == ["-1  100.0 %  " + "#" * 40]


def test_what_is_possible_is_never_called_nought_nor_a_risk_certain() -> None:
    assert odds_lines(answer("10d6>=60"))[:2] == ["chance    1/60466176", "per cent  <0.1 %"]
    assert odds_lines(answer("10d6<60"))[:2] == ["chance    60466175/60466176", "per cent  >99.9 %"]
    assert odds_lines(answer("10d6>60"))[:2] == ["chance    0", "per cent  0.0 %"]
    assert odds_lines(answer("10d6<=60"))[:2] == ["chance    1", "per cent  100.0 %"]


def test_very_wide_distributions_are_shown_in_groups() -> None:
    lines = odds_lines(answer("d1000"))
    assert lines[0] == "    1..9    0.9 %  " + "#" * 40
    assert lines[-2:] == ["991..999    0.9 %  " + "#" * 40, "    1000    0.1 %  " + "#" * 4]
    assert len(lines) == 112
    assert len(odds_lines(answer("d120"))) == 120


def test_examples_run() -> None:
    assert doctest.testmod(odds_words).failed == 0
