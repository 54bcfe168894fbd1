"""Weight profiles: named, open, and each leaning where its sentence says."""

from __future__ import annotations

from dataclasses import fields

import pytest
from tactician.agent.value.profiles import PROFILES, profile, profile_names
from tactician.agent.value.terms import Weights


def test_there_are_three_from_careful_to_bold() -> None:
    assert profile_names() == ("cautious", "balanced", "aggressive")
    for one in PROFILES:
        assert one.sentence.endswith(".")
        assert profile(one.name) is one


def test_balanced_is_what_everybody_uses_who_says_nothing() -> None:
    assert profile("balanced").weights == Weights()


def test_they_lean_where_their_sentences_say() -> None:
    careful, even, bold = (one.weights for one in PROFILES)
    assert careful.danger > even.danger > bold.danger
    assert careful.threat < even.threat < bold.threat
    for one in (careful, bold):
        assert one.result == even.result
        assert all(getattr(one, field.name) >= 0.0 for field in fields(Weights))


def test_an_unknown_one_is_refused_with_the_nearest() -> None:
    with pytest.raises(ValueError, match="did you mean 'cautious'"):
        profile("cautios")
