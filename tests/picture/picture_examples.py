"""Snapshots written by hand, as the programs beside them would give."""

from __future__ import annotations

from itertools import pairwise

from minigrad.snapshot import Edge, OpInfo, Saved, Scalar, Snapshot, StorageInfo, TensorInfo


def storage(
    letter: str, values: tuple[Scalar, ...], version: int = 0, dtype: str = "float32"
) -> StorageInfo:
    size = 4 if dtype == "float32" else 8
    return StorageInfo(
        f"s-{letter}", letter, dtype, len(values), size * len(values), version,
        tuple(range(len(values))), values,
    )  # fmt: skip


def tensor(
    name: str | None,
    letter: str,
    values: tuple[Scalar, ...],
    *,
    id: str | None = None,
    shape: tuple[int, ...] | None = None,
    grad_fn: str | None = None,
    leaf: bool = False,
    grad: tuple[Scalar, ...] | None = None,
    cells: tuple[int, ...] | None = None,
    version: int = 0,
    marks: tuple[str, ...] = (),
    volatile: bool = False,
) -> TensorInfo:
    return TensorInfo(
        id or f"t-{name}",
        name,
        (len(values),) if shape is None else shape,
        "float32",
        leaf or grad_fn is not None,
        grad_fn is None,
        grad_fn,
        f"s-{letter}",
        tuple(range(len(values))) if cells is None else cells,
        values,
        grad,
        version,
        marks,
        volatile,
    )


def op(label: str, number: int = 1, freed: bool = False, recorded: bool = True) -> OpInfo:
    return OpInfo(f"o-{label}-{number}", f"{label.capitalize()}Backward0", label, freed, recorded)


def flow(*ids: str) -> tuple[Edge, ...]:
    return tuple(Edge("flow", a, b) for a, b in pairwise(ids))


def data(*ids: str) -> tuple[Edge, ...]:
    return tuple(Edge("data", a, b) for a, b in pairwise(ids))


def cut(tail: str, head: str, label: str = "detach") -> Edge:
    return Edge("cut", tail, head, label)


def lesson(version: int = 0) -> Snapshot:
    """x -> y = x * 2; z = y.detach(); loss = (y * z).sum(), with z.add_(1) when version is 1."""
    b = (3.0, 5.0, 7.0) if version else (2.0, 4.0, 6.0)
    return Snapshot(
        (
            tensor("x", "A", (1.0, 2.0, 3.0), leaf=True),
            tensor("y", "B", b, grad_fn="MulBackward0", version=version),
            tensor("z", "B", b, version=version),
            tensor(None, "C", (4.0, 16.0, 36.0), id="t-1", grad_fn="MulBackward0"),
            tensor("loss", "D", (56.0,), shape=(), grad_fn="SumBackward0"),
        ),
        (op("mul", 1), op("mul", 2), op("sum", 1)),
        (
            storage("A", (1.0, 2.0, 3.0)),
            storage("B", b, version),
            storage("C", (4.0, 16.0, 36.0)),
            storage("D", (56.0,)),
        ),
        (
            *flow("t-x", "o-mul-1", "t-y"),
            cut("t-y", "t-z"),
            *flow("t-y", "o-mul-2"),
            *data("t-z", "o-mul-2"),
            *flow("o-mul-2", "t-1", "o-sum-1", "t-loss"),
        ),
        (Saved("o-mul-2", "other", "t-z", "s-B", 0, version),),
    )


def twice() -> Snapshot:
    """a = tensor(3.); b = a * a; b.backward(): a leaf used twice, and its gradient."""
    return Snapshot(
        (
            tensor("a", "A", (3.0,), shape=(), leaf=True, grad=(6.0,)),
            tensor("b", "B", (9.0,), shape=(), grad_fn="MulBackward0"),
        ),
        (op("mul", 1, freed=True),),
        (storage("A", (3.0,)), storage("B", (9.0,))),
        (*flow("t-a", "o-mul-1"), *flow("t-a", "o-mul-1", "t-b")),
        (),
    )


def views() -> Snapshot:
    """base = zeros(2, 3); row = base[1]; tail = base.view(6)[4:]; column = base[:, 0]; base.T."""
    v = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0)
    return Snapshot(
        (
            tensor("base", "A", v, shape=(2, 3)),
            tensor("row", "A", v[3:], cells=(3, 4, 5)),
            tensor("column", "A", (0.0, 3.0), cells=(0, 3)),
            tensor(
                "turned",
                "A",
                (0.0, 3.0, 1.0, 4.0, 2.0, 5.0),
                shape=(3, 2),
                cells=(0, 3, 1, 4, 2, 5),
            ),
        ),
        (
            op("select", 1, recorded=False),
            op("select", 2, recorded=False),
            op("t", 1, recorded=False),
        ),
        (storage("A", v),),
        (
            *data("t-base", "o-select-1", "t-row"),
            *data("t-base", "o-select-2", "t-column"),
            *data("t-base", "o-t-1", "t-turned"),
        ),
        (),
    )


def two_paths() -> Snapshot:
    """loss = (w * x).sum() + (w.detach() * x).sum(): one path recorded, one cut."""
    w, x = (0.5, -1.25), (2.0, 4.0)
    return Snapshot(
        (
            tensor("w", "A", w, leaf=True),
            tensor("x", "B", x),
            tensor(None, "C", (1.0, -5.0), id="t-1", grad_fn="MulBackward0"),
            tensor("kept", "D", (-4.0,), shape=(), grad_fn="SumBackward0"),
            tensor("frozen", "A", w),
            tensor(None, "E", (1.0, -5.0), id="t-2"),
            tensor("lost", "F", (-4.0,), shape=()),
            tensor("loss", "G", (-8.0,), shape=(), grad_fn="AddBackward0"),
        ),
        (
            op("mul", 1), op("sum", 1), op("mul", 2, recorded=False),
            op("sum", 2, recorded=False), op("add", 1),
        ),
        (
            storage("A", w), storage("B", x), storage("C", (1.0, -5.0)), storage("D", (-4.0,)),
            storage("E", (1.0, -5.0)), storage("F", (-4.0,)), storage("G", (-8.0,)),
        ),
        (
            *flow("t-w", "o-mul-1"), *data("t-x", "o-mul-1"),
            *flow("o-mul-1", "t-1", "o-sum-1", "t-kept"),
            cut("t-w", "t-frozen"),
            *data("t-frozen", "o-mul-2"), *data("t-x", "o-mul-2"),
            *data("o-mul-2", "t-2", "o-sum-2", "t-lost"),
            *flow("t-kept", "o-add-1"), *data("t-lost", "o-add-1"),
            *flow("o-add-1", "t-loss"),
        ),
        (Saved("o-mul-1", "other", "t-x", "s-B", 0, 0),),
    )  # fmt: skip


def network() -> Snapshot:
    """Two layers and a loss: ten operations, weights with gradients, h written over in place."""
    names = ("matmul", "add", "relu", "matmul", "add", "sub", "pow", "mean", "mul", "exp")
    tensors = [
        tensor("x", "A", (1.0, -0.5), shape=(1, 2)),
        tensor(
            "W1", "B", (0.1, 0.2, 0.3, 0.4), shape=(2, 2), leaf=True, grad=(0.5, 0.25, 0.125, 1.0)
        ),
        tensor("b1", "C", (0.0, 0.0), leaf=True),
        tensor("W2", "D", (0.7, -0.7), shape=(2, 1), leaf=True),
        tensor("b2", "E", (0.0,), leaf=True),
        tensor("target", "F", (1.0,), shape=(1, 1)),
    ]
    inputs: list[tuple[str, ...]] = [
        ("t-x", "t-W1"), ("t-1", "t-b1"), ("t-2",), ("t-h", "t-W2"), ("t-4", "t-b2"),
        ("t-out", "t-target"), ("t-6",), ("t-7",), ("t-8",), ("t-9",),
    ]  # fmt: skip
    results = ("t-1", "t-2", "t-h", "t-4", "t-out", "t-6", "t-7", "t-8", "t-9", "t-loss")
    plain = ("t-x", "t-target")
    ops, edges = [], []
    counts: dict[str, int] = {}
    letters = "GHIJKLMNOP"
    storages = [
        storage("A", (1.0, -0.5)), storage("B", (0.1, 0.2, 0.3, 0.4)), storage("C", (0.0, 0.0)),
        storage("D", (0.7, -0.7)), storage("E", (0.0,)), storage("F", (1.0,)),
    ]  # fmt: skip
    for label, ins, out, letter in zip(names, inputs, results, letters, strict=True):
        counts[label] = counts.get(label, 0) + 1
        node = op(label, counts[label])
        ops.append(node)
        edges += [Edge("data" if i in plain else "flow", i, node.id) for i in ins]
        edges += flow(node.id, out)
        named = out.removeprefix("t-") if not out[2:].isdigit() else None
        version = 1 if named == "h" else 0
        tensors.append(tensor(named, letter, (0.25, 0.5), shape=(1, 2), id=out, grad_fn=node.name))
        storages.append(storage(letter, (0.25, 0.5), version))
    saved = (
        Saved("o-matmul-1", "self", "t-x", "s-A", 0, 0),
        Saved("o-relu-1", "result", "t-h", "s-I", 0, 1),
        Saved("o-matmul-2", "self", "t-h", "s-I", 0, 1),
        Saved("o-matmul-2", "mat2", "t-W2", "s-D", 0, 0),
    )
    return Snapshot(tuple(tensors), tuple(ops), tuple(storages), tuple(edges), saved)


def large() -> Snapshot:
    """A long tensor, of which the first and the last cells are kept, and one that is empty."""
    ends = (0.0, 0.001, 0.002, 0.997, 0.998, 0.999)
    kept = StorageInfo("s-A", "A", "float32", 1000, 4000, 0, (0, 1, 2, 997, 998, 999), ends)
    return Snapshot(
        (
            tensor("long", "A", ends[:3], shape=(1000,)),
            tensor("tail", "A", ends[4:], cells=(998, 999)),
            tensor("nothing", "B", (), shape=(0,)),
        ),
        (),
        (kept, storage("B", ())),
        (),
        (),
    )


def cut_off() -> Snapshot:
    """y = x * 2; y.detach_(): the edge into y itself is cut; ``.data`` has a version of its own."""
    v = (2.0, 4.0)
    return Snapshot(
        (
            tensor("x", "A", (1.0, 2.0), leaf=True),
            tensor("y", "B", v, version=3),
            tensor("raw", "B", v, version=0, marks=("volatile",)),
        ),
        (op("mul", 1),),
        (storage("A", (1.0, 2.0)), storage("B", v, 3)),
        (*flow("t-x", "o-mul-1"), cut("o-mul-1", "t-y", "detach_"), cut("t-y", "t-raw", ".data")),
        (),
    )


def volatile() -> Snapshot:
    """Variables of 0.3: w requires grad, v is volatile; y = w * v; z = y.detach(), and w * 2."""
    kept = (3.0, 8.0)
    return Snapshot(
        (
            tensor("w", "A", (1.0, 2.0), leaf=True),
            tensor("v", "B", (3.0, 4.0), volatile=True),
            tensor("y", "C", kept, volatile=True),
            tensor("z", "C", kept, volatile=True),
            tensor("kept", "D", (2.0, 4.0), grad_fn="MulBackward0"),
            tensor(None, "E", (1.0,), id="u-1", volatile=True),
        ),
        (op("mul", 1),),
        (
            storage("A", (1.0, 2.0)),
            storage("B", (3.0, 4.0)),
            storage("C", kept),
            storage("D", (2.0, 4.0)),
            storage("E", (1.0,)),
        ),
        flow("t-w", "o-mul-1", "t-kept"),
        (),
    )


def chain(length: int) -> Snapshot:
    """``length`` tensors, each made from the one before."""
    tensors = [tensor("x0", "A", (1.0, 2.0), leaf=True)]
    ops, storages, edges = [], [storage("A", (1.0, 2.0))], []
    for index in range(1, length):
        letter = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[index % 26] + str(index // 26 or "")
        ops.append(op("mul", index))
        tensors.append(tensor(f"x{index}", letter, (1.0, 2.0), grad_fn="MulBackward0"))
        storages.append(storage(letter, (1.0, 2.0)))
        edges += flow(f"t-x{index - 1}", f"o-mul-{index}", f"t-x{index}")
    return Snapshot(tuple(tensors), tuple(ops), tuple(storages), tuple(edges), ())


EVIL = "</svg><script>alert(1)</script>\n\"'{}\\N\\ |<b>"


def hostile() -> Snapshot:
    """Names that try to be something else than a name."""
    texts = (EVIL, "张量", "🔥✂️", "a" * 80, "]]>&amp;\x00\x1b", "-->", "--")
    tensors = tuple(
        tensor(text, "A", (1.0, float("nan"), float("-inf")), id=f"t-{text}") for text in texts
    )
    node = OpInfo("o-<b>-1", "<b>Backward\\N", "<b>\\N")
    edges = tuple(Edge("data", item.id, node.id) for item in tensors)
    return Snapshot(
        tensors, (node,), (storage("A", (1.0, float("nan"), float("-inf"))),), edges, ()
    )


EXAMPLES = {
    "lesson": lesson(),
    "written": lesson(1),
    "twice": twice(),
    "views": views(),
    "two_paths": two_paths(),
    "network": network(),
    "hostile": hostile(),
    "large": large(),
    "cut_off": cut_off(),
    "volatile": volatile(),
    "empty": Snapshot((), (), (), (), ()),
}
