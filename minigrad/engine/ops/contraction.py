"""``einsum``: products of tensors along named dimensions, written as a formula."""

from __future__ import annotations

import string
from functools import lru_cache
from typing import Any

import numpy as np

from ..op import Named, Op
from ..tensor import Tensor
from .shape import expand_to


def _terms(equation: str, ranks: tuple[int, ...]) -> tuple[tuple[str, ...], str]:
    """Return the letters of each operand and of the result; an ellipsis becomes letters, too."""
    text = equation.replace(" ", "")
    left, arrow, right = text.partition("->")
    operands = left.split(",")
    if len(operands) != len(ranks):
        kind = "fewer" if len(operands) > len(ranks) else "more"
        raise RuntimeError(
            f"einsum(): {kind} operands were provided than specified in the equation: "
            f"{len(ranks)} for '{equation}'"
        )
    if set(text) - set(string.ascii_letters + ".,->"):
        raise RuntimeError(
            f"einsum(): invalid subscript in '{equation}': subscripts must be in [a-zA-Z]"
        )
    free = [letter for letter in string.ascii_letters if letter not in text]
    widest = max(
        [
            rank - (len(term) - 3)
            for term, rank in zip(operands, ranks, strict=True)
            if "..." in term
        ],
        default=0,
    )
    dots = "".join(free[:widest])
    terms = []
    for place, (term, rank) in enumerate(zip(operands, ranks, strict=True)):
        spelled = term
        if "..." in term:
            own = rank - (len(term) - 3)
            spelled = term.replace("...", dots[widest - own :] if own else "")
        if len(spelled) != rank:
            raise RuntimeError(
                f"einsum(): the number of subscripts in the equation ({len(spelled)}) does not match "
                f"the number of dimensions ({rank}) for operand {place} and no ellipsis was given"
            )
        terms.append(spelled)
    if arrow:
        result = right.replace("...", dots)
    else:
        joined = "".join(terms)
        once = sorted({c for c in joined if joined.count(c) == 1 and c not in dots})
        result = dots + "".join(once)
    for letter in result:
        if result.count(letter) > 1:
            raise RuntimeError(
                f"einsum(): output subscript {letter} appears more than once in the output"
            )
        if letter not in "".join(terms):
            raise RuntimeError(
                f"einsum(): output subscript {letter} does not appear in the equation for any input "
                "operand"
            )
    return tuple(terms), result


@lru_cache(maxsize=256)
def _operation(terms: tuple[str, ...], result: str) -> Op:
    """Return the operation of one formula; its vjps are formulas again."""
    names = tuple([f"x{i}" for i in range(len(terms))])
    formula = ",".join(terms) + "->" + result

    def forward(*arrays: Any) -> Any:
        return np.asarray(np.einsum(formula, *arrays, optimize=len(arrays) > 2))

    def vjp(place: int) -> Named:
        others = [i for i in range(len(terms)) if i != place]
        known = [c for c in terms[place] if c in result or any(c in terms[i] for i in others)]

        def back(g: Any, shape: tuple[int, ...], *rest: Any) -> Any:
            found = _product((result, *[terms[i] for i in others]), "".join(known), (g, *rest))
            if len(known) == len(terms[place]):
                return found
            sizes = dict(zip(terms[place], shape, strict=True))
            kept = tuple([sizes[c] if c in known else 1 for c in terms[place]])
            return expand_to(found.reshape(kept), shape)

        return Named(back, ("g", f"x{place}_shape", *[names[i] for i in others]))

    vjps: dict[str, Any] = {name: vjp(i) for i, name in enumerate(names)}
    return Op(
        "EinsumBackward0",
        Named(forward, names),
        inputs=names,
        **vjps,
    )


def _product(terms: tuple[str, ...], result: str, operands: tuple[Any, ...]) -> Any:
    return _operation(terms, result)(*operands)


def einsum(equation: str, *operands: Any) -> Tensor:
    """Return the sum of products that ``equation`` says, such as ``"ij,jk->ik"`` for a product.

    Each operand's dimensions get a letter; letters that the result does not have are summed over.
    Mirrors ``torch.einsum`` (with the formula as text).
    """
    if len(operands) == 1 and isinstance(operands[0], (tuple, list)):
        operands = tuple(operands[0])
    if not operands:
        raise RuntimeError("einsum(): must provide at least one operand")
    terms, result = _terms(equation, tuple([each.ndim for each in operands]))
    plain = [_without_repeats(each, term) for each, term in zip(operands, terms, strict=True)]
    sizes: dict[str, int] = {}
    for place, (each, term) in enumerate(plain):
        for letter, size in zip(term, each.shape, strict=True):
            if sizes.setdefault(letter, size) not in (size, 1) and size != 1:
                raise RuntimeError(
                    f"einsum(): subscript {letter} has size {size} for operand {place} which does "
                    f"not broadcast with previously seen size {sizes[letter]}"
                )
            sizes[letter] = max(sizes[letter], size)
    stretched = [
        each.expand(*[sizes[c] for c in term]) if term and 1 in each.shape else each
        for each, term in plain
    ]
    return _operation(tuple([term for _, term in plain]), result)(*stretched)


def _without_repeats(tensor: Tensor, term: str) -> tuple[Tensor, str]:
    """Take the diagonal wherever a letter stands twice in one operand."""
    for letter in dict.fromkeys(term):
        while term.count(letter) > 1:
            first = term.index(letter)
            second = term.index(letter, first + 1)
            tensor = tensor.diagonal(0, first, second)
            term = term[:first] + term[first + 1 : second] + term[second + 1 :] + letter
    return tensor, term


__all__ = ["einsum"]
