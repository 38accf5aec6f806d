"""What the README promises: two commands first, code that prints what it says, files that exist."""

import doctest
import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from environments import serving, with_new_home
from repository import ROOT, copy_repository, run

README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
TOUR = [code for language, code in BLOCKS if language == "python"]
PRINTED = re.compile(r"^ *print\(.*\)  # (.+)$", re.MULTILINE)


def test_readme_opens_with_two_commands_of_one_line() -> None:
    assert [(language, code.count("\n")) for language, code in BLOCKS[:2]] == [("bash", 1)] * 2
    opens, tests = (code.strip() for _, code in BLOCKS[:2])
    assert opens.endswith("minigrad lessons")
    assert tests.endswith("-m pytest")


def test_nothing_but_a_title_and_a_few_lines_stands_before_the_commands() -> None:
    before = README[: README.index("```bash")]
    assert before.startswith("# minigrad")
    assert before.count("\n#") == 0
    assert len([line for line in before.splitlines() if line]) <= 5


def test_the_first_command_opens_the_lessons_in_a_fresh_clone(tmp_path: Path) -> None:
    clone = copy_repository(tmp_path / "minigrad")
    environment = with_new_home(clone / ".venv", tmp_path / "home")
    command = f"{BLOCKS[0][1].strip()} --no-browser"
    with serving(environment, "bash", "-c", command, cwd=clone) as server:
        names = {entry["name"] for entry in server.get("contents/")["content"]}
    assert names
    assert server.root.is_relative_to(clone)


def test_ci_runs_the_second_command_of_the_readme() -> None:
    assert run(ROOT / ".ci" / "run", "--show") == BLOCKS[1][1]


def test_every_file_that_the_readme_links_to_exists() -> None:
    targets = re.findall(r"\]\(([^)\s]+)\)", README)
    files = [target for target in targets if "://" not in target and not target.startswith("#")]
    assert files
    assert [target for target in files if not (ROOT / target).is_file()] == []


def test_every_path_that_the_readme_names_exists() -> None:
    named = re.findall(r"`((?:minigrad|notebooks|tests|binder)/[\w./]*)`", README)
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_tour_prints_what_it_says() -> None:
    agree = doctest.OutputChecker().check_output
    names: dict[str, Any] = {}
    assert len(PRINTED.findall("".join(TOUR))) >= 3
    for code in TOUR:
        printed = StringIO()
        with redirect_stdout(printed):
            exec(compile(code, "README.md", "exec"), names)
        promised = "".join(f"{line}\n" for line in PRINTED.findall(code))
        assert agree(promised, printed.getvalue(), doctest.ELLIPSIS), (promised, printed.getvalue())


def test_the_tour_names_what_minigrad_offers() -> None:
    import minigrad

    for name in re.findall(r"^\| `(\w+)\(", README, re.MULTILINE):
        assert callable(getattr(minigrad, name))
