"""The checks say what is so, and know the slips that are common in each exercise."""

import json
from typing import Any

import pytest

import minigrad
from minigrad import lessons
from minigrad.lessons import check
from minigrad.lessons.verdict import Verdict


@pytest.fixture
def x() -> minigrad.Tensor:
    return minigrad.tensor([1.0, 2.0, 3.0], requires_grad=True)


def test_facts_that_hold_are_said_in_the_words_of_the_caller(x: Any) -> None:
    y = x * 2
    d = y.detach()
    assert repr(check.no_path(d, x)) == "✓ no path leads from d to x"
    assert repr(check.path(y + 1, x)) == "✓ a path leads from y + 1 to x, by way of add → mul"
    assert repr(check.shares(d, y)) == "✓ d and y share memory"
    assert repr(check.not_shares(d, x)) == "✓ d and x have memory of their own"
    assert repr(check.value(d, [2, 4, 6])) == "✓ d is [2, 4, 6]"
    assert repr(check.equal(d, y)) == "✓ d and y hold the same values"
    assert repr(check.leaf(d)) == "✓ d is a leaf"
    assert repr(check.requires_grad(x)) == "✓ x requires grad"


def test_several_facts_make_one_line(x: Any) -> None:
    y = x * 2
    d = y.detach()
    whole = check(check.no_path(d, x), check.shares(d, y))
    assert repr(whole) == "✓ no path leads from d to x; d and y share memory"
    assert bool(whole) is True


def test_of_several_facts_the_first_that_fails_is_told(x: Any) -> None:
    d = x.detach()
    whole = check(check.no_path(d, x), check.not_shares(d, x), check.value(d, [2, 4, 6]))
    assert repr(whole).startswith("✗ d and x share memory")
    assert bool(whole) is False


def test_what_is_still_to_do_is_told_first(x: Any) -> None:
    d = ...
    whole = check(check.path(x.detach(), x), check.no_path(d, x))
    assert repr(whole) == "○ d is still to do"
    assert bool(whole) is False


def test_only_facts_can_be_put_together() -> None:
    with pytest.raises(TypeError, match=r"check\(\): argument 2 must be a fact.*not bool"):
        check(Verdict("yes", "so it is"), True)  # type: ignore[arg-type]


class TestMakeAConstant:
    """Lesson 1: from x make d with the value x * 2 and no history."""

    def answer(self, x: Any, d: Any) -> str:
        return repr(check(check.no_path(d, x), check.leaf(d), check.value(d, [2, 4, 6])))

    def test_every_right_way_is_right(self, x: Any) -> None:
        with minigrad.no_grad():
            unrecorded = x * 2
        for d in (
            (x * 2).detach(),
            x.detach() * 2,
            x.data * 2,
            (x * 2).detach().clone(),
            minigrad.tensor((x * 2).tolist()),
            unrecorded,
        ):
            assert self.answer(x, d).startswith("✓")

    def test_forgotten_detach(self, x: Any) -> None:
        assert "still leads from d to x, by way of mul" in self.answer(x, x * 2)

    def test_detach_called_but_its_result_not_kept(self, x: Any) -> None:
        d = x * 2
        d.detach()
        assert "returns a new one: which of the two is d?" in self.answer(x, d)

    def test_forgotten_doubling(self, x: Any) -> None:
        assert self.answer(x, x.detach()) == "✗ d is [1, 2, 3]: these are the values of x"

    def test_forgotten_call(self, x: Any) -> None:
        assert "are the () missing" in self.answer(x, (x * 2).detach)

    def test_the_tensor_itself(self, x: Any) -> None:
        assert self.answer(x, x) == "✗ d is x itself, under another name"

    def test_nothing_and_numbers(self, x: Any) -> None:
        assert "None, not a tensor" in self.answer(x, None)
        assert "is of type ndarray, not a tensor" in self.answer(x, x.detach().numpy() * 2)
        assert "is of type list, not a tensor" in self.answer(x, [2, 4, 6])


class TestKeepTheHistory:
    """Lesson 1: make e with the same value that still leads to x."""

    def answer(self, x: Any, e: Any) -> str:
        return repr(check(check.path(e, x), check.value(e, [2, 4, 6])))

    def test_every_right_way_is_right(self, x: Any) -> None:
        for e in (x * 2, x + x, (x * 2).clone(), 2 * x, x * 3 - x):
            assert self.answer(x, e).startswith("✓")

    def test_cut_all_the_same(self, x: Any) -> None:
        assert "e was cut off" in self.answer(x, (x * 2).detach())

    def test_switched_on_again_after_the_cut(self, x: Any) -> None:
        assert "it is a new leaf" in self.answer(x, (x * 2).detach().requires_grad_())

    def test_source_switched_off(self) -> None:
        x = minigrad.tensor([1.0])
        assert "x does not require grad" in self.answer(x, x * 2)

    def test_history_of_something_else(self, x: Any) -> None:
        other = minigrad.tensor([1.0], requires_grad=True)
        assert "has a history, but it does not lead to x" in self.answer(x, other * 2)


def test_paths_end_at_results_too(x: Any) -> None:
    y = x * 2
    z = y.exp()
    assert check.path(z, y)
    assert check.no_path(x * 2, y)
    assert check.no_path(y, z)


def test_outputs_of_one_operation_are_told_apart(x: Any) -> None:
    first, second, _ = x.unbind()
    assert check.no_path(first, second)
    assert check.path(first * 1, first)


def test_no_path_looks_at_all_tensors_of_a_list(x: Any) -> None:
    stored = [(x.detach(), 1.0), (x.detach() * 2, 2.0)]
    assert check.no_path(stored, x)
    stored.append((x * 2, 3.0))
    assert "from something in stored to x" in repr(check.no_path(stored, x))


def test_memory_is_shared_by_views_of_any_part(x: Any) -> None:
    y = x.detach()
    assert check.shares(y[1:], x)
    assert "share memory" in repr(check.not_shares(y[2:], x))
    assert "of their own" in repr(check.shares(x.detach().clone(), x))
    assert "itself" in repr(check.not_shares(y, y))


def test_gradients_are_compared_and_slips_explained() -> None:
    w, frozen = minigrad.tensor(2.0, requires_grad=True), minigrad.tensor(2.0)
    assert "was backward() called" in repr(check.grad(w, 4))
    assert "does not require grad" in repr(check.grad(frozen, 4))
    assert repr(check.grad(w, None)) == "✓ no gradient reached w"
    y = w * w
    y.backward()
    assert repr(check.grad(w, 4)) == "✓ the gradient of w is 4"
    assert "look at its sign" in repr(check.grad(w, -4))
    assert "2 times what it should be" in repr(check.grad(w, 2))
    assert "not yet what is asked for" in repr(check.grad(w, 5))
    assert "Is the cut in its way" in repr(check.grad(w, None))
    (w * 0).backward()
    w.grad = None
    (w * 0).backward()
    assert "but as zero" in repr(check.grad(w, 5))


def test_asking_a_result_for_its_gradient_warns_of_nothing(
    x: Any, recwarn: pytest.WarningsRecorder
) -> None:
    y = x * 2
    assert "results keep theirs only after retain_grad()" in repr(check.grad(y, 1))
    assert list(recwarn) == []


def test_versions_count_the_writes(x: Any) -> None:
    y = x * 2
    assert "no write in place was counted" in repr(check.version(y, 2))
    y.detach().add_(1)
    assert repr(check.version(y, 1)) == "✓ y is at version 1"
    assert "some write in place is missing" in repr(check.version(y, 2))
    assert "more often than asked" in repr(check.version(y, 0))


def test_operations_kept_alive_are_counted(x: Any) -> None:
    total: Any = 0
    for _ in range(3):
        total = total + ((x * 2) * 3).sum()
    assert "12, too many" in repr(check.ops(total, 0))
    assert check.ops(total.detach(), 0)
    assert check.ops(7.5, 0)
    y = x * 2
    assert check.ops([y + 1, y + 2], 3)
    assert "too few" in repr(check.ops(y, 3))


def test_a_long_chain_is_walked_without_recursion(x: Any) -> None:
    y = x
    for _ in range(5000):
        y = y + 1
    assert check.ops(y, 5000)
    assert repr(check.path(y, x)).endswith("by way of add → add → … → add → add")


def test_errors_are_known_by_their_words(x: Any) -> None:
    loss = x.sum()
    loss.backward()
    assert repr(check.raises(lambda: x.add_(1), "in-place operation")).startswith(
        "✓ x.add_(1) raises RuntimeError: in-place operation"
    )
    assert repr(check.raises(lambda: 1, "words")) == "✗ 1 raises nothing"
    assert "about something else: 'key'" in repr(check.raises(lambda: {}["key"], "words"))
    assert "not a function" in repr(check.raises(loss, "words"))  # type: ignore[arg-type]


def test_values_are_compared_as_lists_of_numbers(x: Any) -> None:
    store = [x.detach() * 1, x.detach() * 2]
    assert check.value(store, [[1, 2, 3], [2, 4, 6]])
    assert check.value(0.1 + 0.2, 0.3)
    assert check.equal(minigrad.tensor(0.1), 0.1)
    assert not check.value(True, 1)
    row = minigrad.ones(1, 3)
    assert "its shape [1, 3]" in repr(check.value(row, [1, 1, 1]))
    answer = 7
    assert repr(check.value(answer, 8)) == "✗ answer is 7, not yet what is asked for"
    assert repr(check.equal(answer, 8)) == "✗ answer holds 7, and 8 holds 8"


class Broken:
    """Something no check has been made for."""

    is_leaf = True

    @property
    def grad_fn(self) -> None:
        return None

    @property
    def requires_grad(self) -> bool:
        raise OSError("out of order\nand more")


def test_a_check_never_raises(x: Any) -> None:
    broken = Broken()
    assert repr(check.path(broken, x)) == "✗ broken cannot be checked: OSError: out of order"


def test_a_call_over_several_lines_is_read_as_well(x: Any) -> None:
    d = x.detach()
    verdict = check.no_path(
        d,
        x,
    )
    assert repr(verdict) == "✓ no path leads from d to x"


def test_without_its_source_a_call_is_read_from_the_variables(x: Any) -> None:
    here: dict[str, Any] = {"check": check, "x": x, "d": x.detach()}
    exec("verdict = check.no_path(d, x)", here)
    assert repr(here["verdict"]) == "✓ no path leads from d to x"


def test_names_may_be_of_any_script(x: Any) -> None:
    größe = x.detach()
    assert repr(check.no_path(größe, x)) == "✓ no path leads from größe to x"


def test_checks_speak_the_language_of_the_lesson(x: Any) -> None:
    lessons.language("zh")
    d = x.detach()
    assert repr(check.no_path(d, x)) == "✓ 从 d 到 x 没有路径"
    assert repr(check.shares(d, x)) == "✓ d 和 x 共享内存"
    todo = ...
    assert repr(check.leaf(todo)) == "○ todo 还没有写"


def test_html_says_in_words_and_sign_what_it_colours() -> None:
    html = Verdict("no", "a < b")._repr_html_()
    assert 'aria-label="not yet">✗</span> a &lt; b' in html
    assert json.dumps(html)


@pytest.mark.parametrize("code", ["en", "zh"])
def test_every_answer_is_one_line(x: Any, code: str) -> None:
    lessons.language(code)
    y = x * 2
    program = lambda: (_ for _ in ()).throw(ValueError("two\nlines"))  # noqa: E731
    for verdict in (check.path(y, x), check.raises(program, "two"), check.raises(program, "x")):
        assert "\n" not in repr(verdict)
