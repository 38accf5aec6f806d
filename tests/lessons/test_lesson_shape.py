"""Every lesson is built alike, readable without its colours, and the same in both languages."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from lesson_files import LANGUAGES, LESSONS, NOTEBOOKS, Lesson, each_lesson, headings, in_folds

MOST_LINES = 15

# Words that the section headings hold, in this order.
SECTIONS = {
    "en": ("Predict", "Why", "Exercise", "PyTorch", "Key points"),
    "zh": ("预测", "为什么", "练习", "PyTorch", "要点"),
}
FULL_WIDTH = "？！："  # the marks that end a Chinese sentence
LANGUAGE_LINE = re.compile(r'(?m)^lessons\.language\("(en|zh)"\)$')


def shows_a_picture(cell: object) -> bool:
    outputs = cell.outputs  # type: ignore[attr-defined]
    return any("image/svg+xml" in output.get("data", {}) for output in outputs)


def sentence_in(text: str) -> bool:
    """Tell whether a Markdown text says something beside its headings."""
    prose = re.sub(r"(?m)^#{1,6} .*$", "", text)
    return bool(re.search(rf"\w.*[.:?!。{FULL_WIDTH}]", prose))


@each_lesson
def test_lesson_opens_with_its_only_first_level_heading(path: Path) -> None:
    lesson = Lesson.at(path)
    titles = [
        title for cell in lesson.markdown for level, title in headings(cell.source) if level == 1
    ]
    assert len(titles) == 1
    assert lesson.cells[0].cell_type == "markdown"
    assert lesson.cells[0].source.startswith(f"# {titles[0]}")


@each_lesson
def test_headings_go_down_one_level_at_a_time(path: Path) -> None:
    levels = [level for cell in Lesson.at(path).markdown for level, _ in headings(cell.source)]
    assert [(above, below) for above, below in pairwise(levels) if below > above + 1] == []


@each_lesson
def test_sections_are_there_in_order(path: Path) -> None:
    lesson = Lesson.at(path)
    titles = [title for cell in lesson.markdown for _, title in headings(cell.source)]
    wanted = list(SECTIONS[lesson.language])
    for title in titles:
        if wanted and wanted[0] in title:
            wanted.pop(0)
    assert wanted == [], f"no heading, in order, with {wanted[:1]}"


@each_lesson
def test_opening_links_to_the_other_language_and_to_binder(path: Path) -> None:
    lesson = Lesson.at(path)
    (other,) = (code for code in LANGUAGES if code != lesson.language)
    assert f"(../{other}/{path.name})" in lesson.cells[0].source
    assert "https://mybinder.org/" in lesson.cells[0].source


@each_lesson
def test_first_code_cell_sets_the_language_and_shows_nothing(path: Path) -> None:
    lesson = Lesson.at(path)
    lines = [LANGUAGE_LINE.findall(cell.source) for cell in lesson.code]
    assert lines[0] == [lesson.language]
    assert not any(lines[1:])
    assert lesson.code[0].outputs == []


@each_lesson
def test_a_prediction_comes_before_its_reveal(path: Path) -> None:
    order = re.findall(r"\bpredict\(|\.reveal\(", "\n".join(c.source for c in Lesson.at(path).code))
    assert order[:1] == ["predict("]
    assert ".reveal(" in order


@each_lesson
def test_no_code_cell_is_longer_than_a_screen(path: Path) -> None:
    longest = max(Lesson.at(path).code, key=lambda cell: cell.source.count("\n"))
    assert longest.source.count("\n") < MOST_LINES, longest.source


@each_lesson
def test_nothing_is_hidden(path: Path) -> None:
    hidden = [cell for cell in Lesson.at(path).cells if "hide" in str(cell.metadata)]
    assert hidden == []


@each_lesson
def test_every_picture_comes_after_a_sentence_and_before_a_question(path: Path) -> None:
    cells = Lesson.at(path).cells
    for place, cell in enumerate(cells):
        if cell.cell_type == "code" and shows_a_picture(cell):
            before, after = cells[place - 1], cells[place + 1]
            assert before.cell_type == "markdown", cell.source
            assert sentence_in(before.source), cell.source
            assert after.cell_type == "markdown", cell.source
            assert re.search(f"[?{FULL_WIDTH[0]}]", after.source), cell.source


@each_lesson
def test_images_in_the_text_have_words_in_their_place(path: Path) -> None:
    text = "\n".join(cell.source for cell in Lesson.at(path).markdown)
    assert re.findall(r"!\[\s*\]\(", text) == []
    assert [
        tag for tag in re.findall(r"<img[^>]*>", text) if not re.search(r'alt="[^"]', tag)
    ] == []


@each_lesson
def test_every_fold_says_what_is_in_it(path: Path) -> None:
    text = "\n".join(cell.source for cell in Lesson.at(path).markdown)
    folds = in_folds(text)
    assert len(folds) == text.count("<details")
    assert all(re.match(r"<details>\s*<summary>\S", fold) for fold in folds)


@each_lesson
def test_pytorch_is_shown_and_not_run(path: Path) -> None:
    lesson = Lesson.at(path)
    shown = re.findall(r"(?s)```python\n(.*?)```", "\n".join(c.source for c in lesson.markdown))
    assert any("import torch" in block for block in shown)
    assert not any("import torch" in cell.source for cell in lesson.code)


@each_lesson
def test_links_lead_to_files_that_are_there(path: Path) -> None:
    text = "\n".join(cell.source for cell in Lesson.at(path).markdown)
    relative = re.findall(r"\]\((?!https?:)([^)#\s]+)\)", text)
    assert [link for link in relative if not (path.parent / link).exists()] == []


@each_lesson
def test_confusions_are_known_ones(path: Path) -> None:
    lesson = Lesson.at(path)
    holders = [lesson.notebook.metadata, *(cell.metadata for cell in lesson.cells)]
    named = [name for holder in holders for name in holder.get("confusions", ())]
    assert set(named) <= {f"C{number:02}" for number in range(1, 16)}


@each_lesson
def test_cells_have_ids_that_are_all_different(path: Path) -> None:
    ids = [cell.id for cell in Lesson.at(path).cells]
    assert len(set(ids)) == len(ids)


@each_lesson
def test_lesson_uses_public_names_only(path: Path) -> None:
    code = "\n".join(cell.source for cell in Lesson.at(path).code)
    modules = re.findall(r"(?m)^\s*(?:from|import) (minigrad[\w.]*)", code)
    public = {"minigrad", "minigrad.lessons", "minigrad.history", "minigrad.nn", "minigrad.optim"}
    assert set(modules) - public - {"minigrad.nn.functional", "minigrad.distributions"} == set()


def test_languages_have_the_same_lessons() -> None:
    english, chinese = (
        [path.name for path in LESSONS if path.parent == NOTEBOOKS / code] for code in LANGUAGES
    )
    assert english == chinese


@pytest.mark.parametrize("name", sorted({path.name for path in LESSONS}))
def test_twins_differ_in_their_language_line_only(name: str) -> None:
    def cells(code: str) -> list[tuple[str, str]]:
        return [
            (cell.cell_type, LANGUAGE_LINE.sub("", cell.source) if cell.cell_type == "code" else "")
            for cell in Lesson.at(NOTEBOOKS / code / name).cells
        ]

    def marks(code: str) -> list[tuple[str, list[str]]]:
        lesson = Lesson.at(NOTEBOOKS / code / name)
        return [(cell.id, cell.metadata.get("tags", [])) for cell in lesson.code]

    assert cells("en") == cells("zh")
    assert marks("en") == marks("zh")
