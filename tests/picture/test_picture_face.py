"""``Picture`` and ``draw``, and what they do where nothing can be laid out."""

from __future__ import annotations

import stat
import sys
from dataclasses import replace

import pytest
from picture_examples import lesson

import minigrad
from minigrad.picture import LayoutUnavailable, Picture, draw
from minigrad.picture import layout as layouts


@pytest.fixture
def no_program(monkeypatch):
    monkeypatch.setattr(layouts.shutil, "which", lambda *args, **options: None)
    monkeypatch.delenv("MINIGRAD_DOT", raising=False)


def script(path, text):
    path.write_text(f"#!{sys.executable}\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IEXEC)
    return str(path)


def test_picture_offers_svg_and_text():
    picture = Picture(lesson())
    assert picture._repr_mimebundle_() == {
        "image/svg+xml": picture.svg,
        "text/plain": picture.text,
    }
    assert repr(picture) == picture.text


def test_without_a_layout_program_the_text_is_shown_and_a_way_to_get_a_picture(no_program):
    bundle = Picture(lesson())._repr_mimebundle_()
    assert list(bundle) == ["text/plain"]
    assert "pip install graphviz-pure" in bundle["text/plain"].splitlines()[-1]
    assert bundle["text/plain"].startswith(Picture(lesson()).text)
    with pytest.raises(LayoutUnavailable, match="pip install graphviz-pure"):
        _ = Picture(lesson()).svg


def test_showing_never_raises_even_when_drawing_does():
    broken = replace(lesson(), storages=lesson().storages[:1])
    with pytest.raises(KeyError):
        _ = Picture(broken, memory=True).svg
    bundle = Picture(broken)._repr_mimebundle_()
    assert list(bundle) == ["text/plain"]
    assert "(no picture: KeyError" in bundle["text/plain"]


def test_chosen_program_that_is_missing_is_named(monkeypatch):
    monkeypatch.setenv("MINIGRAD_DOT", "no-such-program")
    with pytest.raises(LayoutUnavailable, match=r"MINIGRAD_DOT.*no-such-program"):
        _ = Picture(lesson()).svg


@pytest.mark.skipif(sys.platform == "win32", reason="a script needs a launcher there")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import sys; sys.exit('broken plugin')", "failed: broken plugin"),
        ("print('not a layout')", "gave no layout"),
        ("print('{}')", "gave no layout"),
    ],
)
def test_program_that_fails_is_reported_and_the_text_still_shown(
    text, reason, tmp_path, monkeypatch
):
    monkeypatch.setenv("MINIGRAD_DOT", script(tmp_path / "dot", text))
    bundle = Picture(lesson())._repr_mimebundle_()
    assert list(bundle) == ["text/plain"]
    assert reason in bundle["text/plain"]


@pytest.mark.skipif(sys.platform == "win32", reason="a script needs a launcher there")
def test_program_that_never_ends_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setenv("MINIGRAD_DOT", script(tmp_path / "dot", "import time; time.sleep(60)"))
    monkeypatch.setattr(layouts, "TIMEOUT", 0.2)
    with pytest.raises(LayoutUnavailable, match="took more than"):
        _ = Picture(lesson()).svg


def test_same_structure_is_laid_out_once():
    layouts._layout.cache_clear()
    for version in (0, 1, 0, 1):
        _ = Picture(lesson(version)).svg
    assert layouts._layout.cache_info().misses == 1


@pytest.mark.parametrize(("suffix", "face"), [(".svg", "svg"), (".dot", "dot"), (".txt", "text")])
def test_save_writes_what_the_suffix_says(tmp_path, suffix, face):
    picture = Picture(lesson())
    picture.save(tmp_path / f"lesson{suffix}")
    written = (tmp_path / f"lesson{suffix}").read_bytes().decode()
    assert written.rstrip("\n") == getattr(picture, face).rstrip("\n")


def test_save_to_an_unknown_suffix_names_the_path(tmp_path):
    with pytest.raises(ValueError, match=r"path must end in .svg, .dot or .txt.*lesson\.png"):
        Picture(lesson()).save(tmp_path / "lesson.png")
    assert list(tmp_path.iterdir()) == []


def test_draw_names_tensors_after_the_callers_variables():
    x = minigrad.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 2
    z = y.detach()
    text = draw(y, z).text
    assert "y -x detach x-> z" in text
    assert "shared by y and z" in text


def test_draw_takes_other_names():
    x = minigrad.tensor([1.0])
    assert "weights = [1.]" in draw(x, names={"weights": x}).text


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: draw(x, 3), "argument 2 must be a Tensor, not int"),
        (lambda x: draw(x, names=[x]), "names must be a dictionary of tensors, not list"),
        (lambda x: draw(x, names={"a": 1}), "names\\['a'\\] must be a Tensor, not int"),
    ],
)
def test_draw_names_the_argument_that_is_no_tensor(call, message):
    with pytest.raises(TypeError, match=message):
        call(minigrad.tensor([1.0]))
