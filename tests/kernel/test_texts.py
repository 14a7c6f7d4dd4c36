"""Text catalogues: both languages say the same things, and gaps are found."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from polemarque.kernel.files.findings import Finding, hint, reason
from polemarque.kernel.files.texts import (
    KERNEL_TEXTS,
    LANGUAGES,
    Catalogue,
    MissingText,
    TextsRefused,
    check_texts,
)
from tests.words import unused_keys

NARROW, FULL = "\u202f", "\u00a0"


def test_missing_texts_are_loud() -> None:
    texts = Catalogue({"fr": {"a": "x"}, "en": {"a": "{who} {g:ground}", "b": "y"}})
    for lang, key in (("fr", "b"), ("en", "c"), ("de", "a")):
        with pytest.raises(MissingText) as missing:
            texts.say(lang, key)
        assert (missing.value.lang, missing.value.key, missing.value.name) == (lang, key, "")
    with pytest.raises(MissingText) as missing:
        texts.say("en", "a", g="plains")
    assert (missing.value.key, missing.value.name) == ("a", "who")
    assert "{who}" in str(missing.value)
    with pytest.raises(MissingText, match=r"ground\.plains"):
        texts.say("en", "a", g="plains", who="x")


def test_names_known_only_at_the_table() -> None:
    texts = Catalogue(
        {"fr": {"it": "{^seat:seat} : {de~seat:seat}"}, "en": {"it": "by {seat:seat}", "a": "x"}}
    )
    at_table = texts.naming({"seat": {"A": "Hésiode ?", "B": "{Hes|iod}"}})
    assert at_table.say("fr", "it", seat="A") == f"Hésiode ?{FULL}: d’Hésiode ?"
    assert at_table.say("en", "it", seat="B") == "by {Hes|iod}"
    assert at_table.say("en", "a") == "x"
    with pytest.raises(MissingText):
        texts.say("en", "it", seat="A")
    renamed = at_table.naming({"seat": {"A": "Solon"}})
    assert renamed.say("en", "it", seat="A") == "by Solon"
    assert renamed.say("en", "it", seat="B") == "by {Hes|iod}"
    assert at_table.say("en", "it", seat="A") == "by Hésiode ?"


def test_has_keys_names_and_labels() -> None:
    texts = Catalogue({"fr": {"b": "{?x|{n|{y:f}|}}", "a.c": "z"}, "en": {"b": "w"}})
    assert texts.has("fr", "a.c")
    assert not texts.has("en", "a.c")
    assert not texts.has("de", "b")
    assert texts.keys("fr") == ("a.c", "b")
    assert texts.keys("de") == ()
    assert texts.names("fr", "b") == {"x", "n", "y"}
    assert texts.labels("fr", "b") == {"f"}


def test_french_texts_are_spaced_and_english_ones_are_not() -> None:
    texts = Catalogue({"fr": {"a": "Quoi ?"}, "en": {"a": "What ?"}})
    assert texts.say("fr", "a") == f"Quoi{NARROW}?"
    assert texts.say("en", "a") == "What ?"


# --- files ---------------------------------------------------------------------------------------

GOOD = {
    "fr": '[ground]\nplains = "plaine"\n\n["AT-9.5"]\ntaken = "Pris : {g:ground}."\n',
    "en": '[ground]\nplains = "plain"\n\n["AT-9.5"]\ntaken = "Taken: {g:ground}."\n',
}


def folder_of(tmp_path: Path, texts: Mapping[str, str], name: str = "data") -> Path:
    folder = tmp_path / name
    folder.mkdir()
    for lang, text in texts.items():
        (folder / f"texts.{lang}.toml").write_text(text, encoding="utf-8")
    return folder


def found(findings: tuple[Finding, ...]) -> list[tuple[str, int, str]]:
    """(file, line, code) of findings; each must be sayable in both languages."""
    kernel = Catalogue.load(KERNEL_TEXTS)
    for finding in findings:
        for lang in LANGUAGES:
            assert reason(finding, kernel, lang)
            assert hint(finding, kernel, lang)
    return [(Path(f.file).name, f.line, f.code) for f in findings]


def test_tables_in_tables_give_dotted_keys(tmp_path: Path) -> None:
    texts = Catalogue.load(folder_of(tmp_path, GOOD))
    assert texts.say("fr", "AT-9.5.taken", g="plains") == f"Pris{FULL}: plaine."
    assert texts.say("en", "AT-9.5.taken", g="plains") == "Taken: plain."
    assert texts.keys("en") == ("AT-9.5.taken", "ground.plains")


def test_a_later_folder_replaces_an_earlier_one(tmp_path: Path) -> None:
    club = {"fr": '["ground"]\nplains = "prairie"\n', "en": ""}
    ours, theirs = folder_of(tmp_path, GOOD), folder_of(tmp_path, club, "club")
    texts = Catalogue.load(ours, theirs)
    assert texts.say("fr", "ground.plains") == "prairie"
    assert texts.say("en", "ground.plains") == "plain"


def test_unreadable_files_are_refused_on_loading(tmp_path: Path) -> None:
    with pytest.raises(TextsRefused) as refused:
        Catalogue.load(folder_of(tmp_path, {"fr": "a = 3\n", "en": "\na = \n"}))
    assert found(refused.value.findings) == [
        ("texts.en.toml", 2, "toml.syntax"),
        ("texts.fr.toml", 1, "texts.not_text"),
    ]
    with pytest.raises(TextsRefused) as refused:
        Catalogue.load(folder_of(tmp_path, {"fr": ""}, "half"))
    assert found(refused.value.findings) == [("texts.en.toml", 0, "file.missing")]


def test_a_sound_folder_has_no_findings(tmp_path: Path) -> None:
    assert check_texts(folder_of(tmp_path, GOOD)) == ()


@pytest.mark.parametrize(
    ("french", "english", "findings"),
    [
        ("a = 'x'\nb = 'y'\n", "a = 'x'\n", [("fr", 2, "texts.missing")]),
        ("a = 'x'\n", "\n[b]\nc = 'y'\n", [("en", 3, "texts.missing"), ("fr", 1, "texts.missing")]),
        ("a = 'x'\n[t]\nb = '{n'\n", "a = 'x'\n[t]\nb = 'y'\n", [("fr", 3, "texts.braces")]),
        ("a = 'x'\n", "\na = '{two words}'\n", [("en", 2, "texts.blank")]),
        ("\na = '{n}'\n", "a = '{m}'\n", [("fr", 2, "texts.names")]),
        ("\na = '{?n|{m}}'\n", "a = '{n|m|n}'\n", [("fr", 2, "texts.names")]),
        ("a = '{n} {n}'\n", "a = '{n|m|n}'\n", []),
        ("a = ''\n", "a = ' '\n", [("en", 1, "texts.empty"), ("fr", 1, "texts.empty")]),
        ("a = 'x'\n", "a = ['x']\n", [("en", 1, "texts.not_text"), ("fr", 1, "texts.missing")]),
        (
            "['AT-9.5']\na = 'x'\n['AT-9']\n'5.a' = 'y'\n",
            "['AT-9.5']\na = 'x'\n",
            [("fr", 4, "texts.repeated")],
        ),
        ("\na = '{g:gruond}'\n", "a = '{g:w}'\nw.x = '1'\n",
         [("en", 2, "texts.missing"), ("fr", 2, "texts.label")]),
        ("a = 'x'\na = 'y'\n", "b = 1\n", [("en", 1, "texts.not_text"), ("fr", 2, "toml.twice")]),
    ],
)  # fmt: skip
def test_planted_faults_are_found(
    tmp_path: Path, french: str, english: str, findings: list[tuple[str, int, str]]
) -> None:
    folder = folder_of(tmp_path, {"fr": french, "en": english})
    expected = [(f"texts.{lang}.toml", line, code) for lang, line, code in findings]
    assert found(check_texts(folder)) == expected


def test_differing_names_are_named(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, {"fr": "a = '{n} {c} {b}'", "en": "a = '{n} {d}'"})
    (finding,) = check_texts(folder)
    assert finding.data == {"key": "a", "fr": "b, c", "en": "d"}


def test_a_missing_text_names_the_language_that_lacks_it(tmp_path: Path) -> None:
    (finding,) = check_texts(folder_of(tmp_path, {"fr": "a = 'x'", "en": ""}))
    assert finding.data == {"key": "a", "language": "en"}
    assert finding.place == "a"


def test_words_of_other_folders_may_be_looked_up(tmp_path: Path) -> None:
    mine = folder_of(tmp_path, {"fr": "a = '{g:ground}'", "en": "a = '{g:ground}'"}, "mine")
    assert [f.code for f in check_texts(mine)] == ["texts.label", "texts.label"]
    assert check_texts(mine, folder_of(tmp_path, GOOD)) == ()


def test_families_of_names_need_no_text(tmp_path: Path) -> None:
    mine = folder_of(tmp_path, {"fr": "a = '{s:seat}'", "en": "a = '{s:seat}'"})
    assert check_texts(mine, named=("seat",)) == ()
    assert {f.data["label"] for f in check_texts(mine, named=("place",))} == {"seat"}


def test_unused_keys() -> None:
    texts = Catalogue(
        {
            "fr": {"a": "{g:ground}", "b": "x", "c.d": "x", "c.e.f": "x", "ground.plains": "p"},
            "en": {"a": "x", "only.en": "x", "ground.sea": "s"},
        }
    )
    assert unused_keys(texts, ["a"]) == ("b", "c.d", "c.e.f", "only.en")
    assert unused_keys(texts, ["a", "c.*", "only.en"]) == ("b",)
    assert unused_keys(texts, ["b", "c.e.*"]) == (
        "a", "c.d", "ground.plains", "ground.sea", "only.en"
    )  # fmt: skip
    assert unused_keys(texts, []) == texts_of(texts)


def texts_of(catalogue: Catalogue) -> tuple[str, ...]:
    return tuple(sorted({key for lang in LANGUAGES for key in catalogue.keys(lang)}))


def test_the_kernels_own_texts_are_sound() -> None:
    assert check_texts(KERNEL_TEXTS) == ()
