"""Copies of tensors in memory, in pickles and in files: what goes along, what shares, what is refused."""

from __future__ import annotations

import copy
import io
import pickle
import warnings

import numpy as np
import pytest

import minigrad


def through_a_file(thing, **options):
    buffer = io.BytesIO()
    minigrad.save(thing, buffer)
    buffer.seek(0)
    return minigrad.load(buffer, **options)


def test_deepcopy_copies_a_shared_buffer_once():
    x = minigrad.arange(4.0)
    whole, part = copy.deepcopy((x, x[1:3]))
    whole.fill_(7)
    assert part.tolist() == [7, 7]
    assert x.tolist() == [0, 1, 2, 3]
    assert part.storage is whole.storage


def test_deepcopy_of_a_view_keeps_its_place_in_the_buffer():
    c = copy.deepcopy(minigrad.arange(6.0).view(2, 3).t()[1:])
    assert (c.stride(), c.storage_offset(), c.storage.nbytes()) == ((1, 3), 1, 24)


def test_a_leaf_that_is_stretched_can_be_copied():
    c = copy.deepcopy(minigrad.ones(1).expand(3))
    assert (c.tolist(), c.stride(), c.storage.nbytes()) == ([1, 1, 1], (0,), 4)


@pytest.mark.parametrize("make", [lambda: minigrad.zeros(0, 3), lambda: minigrad.tensor(2.5)])
def test_empty_tensors_and_scalars_survive_every_way(make):
    x = make()
    for y in (copy.deepcopy(x), copy.copy(x), pickle.loads(pickle.dumps(x)), through_a_file(x)):
        assert y.shape == x.shape
        assert y.tolist() == x.tolist()


def test_copy_copy_looks_at_the_same_memory_with_a_counter_of_its_own():
    x = minigrad.tensor([1.0, 2.0], requires_grad=True)
    y = copy.copy(x)
    y.detach().add_(1)
    assert x.tolist() == [2, 3]
    assert x._version == 0


def test_what_the_user_put_on_a_tensor_goes_along_and_hooks_do_not():
    x = minigrad.tensor([1.0], requires_grad=True)
    x.note = "mine"
    x.register_hook(lambda grad: grad * 100)
    with pytest.warns(UserWarning, match="will not be serialized"):
        y = pickle.loads(pickle.dumps(x))
    (y * 2).sum().backward()
    assert y.note == "mine"
    assert y.grad.tolist() == [2]


def test_a_tensor_that_looks_at_a_numpy_array_of_another_kind_survives():
    raw = np.arange(4, dtype=np.int32)
    x = minigrad.from_numpy(raw.view(np.float32))
    y = pickle.loads(pickle.dumps(x))
    assert (y.dtype, y.array.tobytes()) == (minigrad.float32, raw.tobytes())


def test_a_file_keeps_what_shares_memory_together(tmp_path):
    x = minigrad.arange(4.0)
    minigrad.save({"x": x, "part": x[1:3], "again": x}, tmp_path / "kept.pt")
    back = minigrad.load(tmp_path / "kept.pt")
    back["x"].fill_(7)
    assert back["part"].tolist() == [7, 7]
    assert back["again"] is back["x"]


def test_a_file_of_a_result_holds_a_leaf():
    y = minigrad.tensor([1.0, 2.0], requires_grad=True) * 3
    back = through_a_file(y)
    assert (back.tolist(), back.is_leaf, back.requires_grad) == ([3, 6], True, True)


def test_plain_values_and_containers_go_through_a_file():
    thing = {"epoch": 3, "name": "net", "losses": [0.5, 0.25], "shape": minigrad.zeros(2, 3).shape}
    assert through_a_file(thing) == thing
    assert through_a_file(minigrad.float64) is minigrad.float64


class Evil:
    def __reduce__(self):
        return (print, ("this must not be printed",))


def test_a_file_that_would_run_code_is_refused_unless_trusted(capsys):
    with pytest.raises(pickle.UnpicklingError, match=r"Weights only load failed.*builtins\.print"):
        through_a_file(Evil())
    assert capsys.readouterr().out == ""
    through_a_file(Evil(), weights_only=False)
    assert "must not" in capsys.readouterr().out


@pytest.mark.parametrize("content", [b"", b"no file of ours", pickle.dumps([1])[:-1]])
def test_anything_that_save_has_not_written_is_an_unpickling_error(content):
    with pytest.raises(pickle.UnpicklingError):
        minigrad.load(io.BytesIO(content))


def test_numpy_functions_give_tensors_back():
    x = minigrad.tensor([0.0, 1.0])
    assert isinstance(np.exp(x), minigrad.Tensor)
    assert np.less(x, 0.5).dtype is minigrad.uint8
    assert isinstance(x + np.ones(2), minigrad.Tensor)
    with pytest.raises(TypeError):
        np.ones(2) + x
    with pytest.raises(ValueError, match="Unable to avoid copy"):
        np.asarray(x, dtype=np.float64, copy=False)


def test_numpy_asks_for_a_copy_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x = minigrad.tensor([1.0])
        a, b = np.array(x), np.asarray(x)
    assert not np.shares_memory(a, b)
