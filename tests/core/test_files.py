"""Reading bytes: what is refused, in one message with the right words, and writing as a whole."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tactician.rules.core.files import (
    LARGEST,
    SHOWN,
    BadInput,
    Fault,
    Faults,
    json_text,
    parse_json,
    read_data,
    read_text,
    write_text,
)


def refusal(path: Path, expect_format: str = "") -> str:
    with pytest.raises(BadInput) as caught:
        read_data(path, expect_format)
    return str(caught.value)


def wrote(folder: Path, text: str, name: str = "battle.json") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_json_and_toml_are_told_apart_by_suffix(tmp_path: Path) -> None:
    assert read_data(wrote(tmp_path, '{"turn": 2}')) == {"turn": 2}
    assert read_data(wrote(tmp_path, "turn = 2\n[a]\nb = [1, 2.5]", "b.TOML")) == {"turn": 2, "a": {"b": [1, 2.5]}}
    assert read_data(wrote(tmp_path, '\ufeff{"turn": 3}')) == {"turn": 3}


def test_a_missing_file_and_a_directory_are_named(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.json") == f"{tmp_path / 'none.json'}: there is no such file"
    assert refusal(tmp_path) == f"{tmp_path}: this is a directory, expected a file"


def test_a_file_that_is_too_large_is_refused_without_being_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as stream:
        stream.truncate(200 * 1024 * 1024)
    assert refusal(path) == f"{path}: the file is too large, expected at most 16 MiB"
    assert LARGEST == 16 * 1024 * 1024
    assert read_text(wrote(tmp_path, "12345"), largest=5) == "12345"
    with pytest.raises(BadInput, match="too large"):
        read_text(wrote(tmp_path, "123456"), largest=5)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1, column 1: not JSON: expecting value"),
        ('{"a": [1,\n 2', "line 2, column 3: not JSON: expecting ',' delimiter"),
        ("{'a': 1}", "line 1, column 2: not JSON: expecting property name"),
        ('{"a": {"b": [1, NaN]}}', "a.b[1]: a number that is not finite, expected an ordinary number"),
        ('{"a": -Infinity}', "a: a number that is not finite"),
        ('{"sides": {"red": 1e400}}', "sides.red: a number that is not finite"),
        ("[1, 2]", "found [1, 2], expected an object at the top level"),
        ('"text"', "found 'text', expected an object at the top level"),
        ('{"a": 1, "b": 2, "a": 3}', "a: the key stands twice in one object"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a": ' + "9" * 5000 + "}", "not JSON: Exceeds the limit"),
    ],
)
def test_what_is_no_json_object_is_refused_with_the_place(tmp_path: Path, text: str, words: str) -> None:
    path = wrote(tmp_path, text)
    assert words in refusal(path)
    assert refusal(path).startswith(f"{path}: ")


def test_what_is_no_toml_is_refused_with_the_place(tmp_path: Path) -> None:
    assert "not TOML: " in refusal(wrote(tmp_path, "a = [1,\nb = 2", "a.toml"))
    assert "line 2" in refusal(wrote(tmp_path, "a = [1,\nb = 2", "a.toml"))
    assert "a.b[0]: a number that is not finite" in refusal(wrote(tmp_path, "[a]\nb = [nan, 1]", "a.toml"))


def test_other_suffixes_and_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    assert "the name ends in .yaml, expected .json or .toml" in refusal(wrote(tmp_path, "{}", "a.yaml"))
    path = tmp_path / "bytes.json"
    path.write_bytes(b'{"a": "\xff"}')
    assert "byte 7 is not text, expected UTF-8" in refusal(path)


def test_another_format_is_refused_and_the_one_expected_is_named(tmp_path: Path) -> None:
    path = wrote(tmp_path, '{"format": "tactician-battle/0"}')
    expected = "format: found 'tactician-battle/0', expected 'tactician-battle/1'"
    assert refusal(path, "tactician-battle/1") == f"{path}: {expected}"
    assert read_data(wrote(tmp_path, "{}"), "tactician-battle/1") == {}


def test_a_message_lists_the_first_faults_and_counts_the_rest() -> None:
    faults = [Fault(where=f"a[{i}]", found="found 1", expected="a text") for i in range(SHOWN + 3)]
    lines = str(BadInput(faults)).split("\n")
    assert lines[0] == "a[0]: found 1, expected a text"
    assert lines[SHOWN:] == ["and 3 more"]
    assert str(BadInput(faults[:SHOWN])).count("\n") == SHOWN - 1


def test_an_unknown_name_comes_with_the_nearest_one() -> None:
    faults = Faults()
    faults.unknown("profiles.x.weapons[0]", "weapon", "rifel", ("rifle", "pistol"))
    with pytest.raises(BadInput) as caught:
        faults.check()
    assert str(caught.value) == "profiles.x.weapons[0]: there is no weapon 'rifel'; did you mean 'rifle'?"


def test_numbers_read_back_exactly_and_endless_ones_are_not_written() -> None:
    numbers = [0.1, 1e-300, -0.0, 2.0**-16, 123456789.123456789]
    assert parse_json(json_text(numbers)) == numbers
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text([float("inf")])


def test_a_file_is_written_as_a_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = wrote(tmp_path, "old")
    write_text(path, "new")
    assert path.read_text(encoding="utf-8") == "new"

    def fails(source: str, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(BadInput, match="cannot be written"):
        write_text(path, "newer")
    assert [one.name for one in tmp_path.iterdir()] == ["battle.json"]
    assert path.read_text(encoding="utf-8") == "new"


def test_writing_into_a_folder_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "none" / "battle.json"
    with pytest.raises(BadInput) as caught:
        write_text(path, "{}")
    assert str(caught.value).startswith(f"{path}: cannot be written (")
