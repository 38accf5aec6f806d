"""The operations of networks as small programs, in the form of ``op_table.py``: convolutions, pooling,
look-ups, sums of products, activations, normalizations and losses."""

# ruff: noqa: N803 - T is the module, F its nn.functional, as in the conformance programs
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from op_parts import A, Make, N, distinct, given, nonzero, positive, reals, row, whole


def chances(*shape: int) -> Make:
    """Numbers well inside (0, 1)."""
    return lambda rng: rng.uniform(0.1, 0.9, shape)


def simplex(*shape: int) -> Make:
    """Rows of positive numbers that sum to one."""

    def make(rng: np.random.Generator) -> np.ndarray:
        drawn = rng.uniform(0.2, 1.0, shape)
        return drawn / drawn.sum(1, keepdims=True)

    return make


def functional(name: str, *arguments: Any, **options: Any) -> Callable[..., Any]:
    """A program that calls a function of ``nn.functional`` on the inputs, then on ``arguments``."""
    return lambda T, *x: getattr(T.nn.functional, name)(*x, *arguments, **options)


def of_weights(name: str, **options: Any) -> Callable[..., Any]:
    """A program that calls a loss of input and target with weights, given last."""
    return lambda T, x, t, w: getattr(T.nn.functional, name)(x, t, weight=w, **options)


IMAGES = reals(2, 2, 5, 4)
LINES = reals(2, 2, 6)

CONVOLUTIONS = [
    row("conv1d", functional("conv1d"), LINES, reals(3, 2, 3), reals(3)),
    row("conv1d without bias", functional("conv1d"), LINES, reals(3, 2, 3)),
    row("conv1d of no batch", functional("conv1d"), reals(2, 6), reals(3, 2, 3), reals(3)),
    row("conv1d stride", functional("conv1d", stride=2), LINES, reals(1, 2, 3), reals(1)),
    row("conv1d padding", functional("conv1d", padding=2), LINES, reals(3, 2, 3), reals(3)),
    row("conv1d dilation", functional("conv1d", dilation=2), LINES, reals(3, 2, 3), reals(3)),
    row("conv1d groups", functional("conv1d", groups=2), LINES, reals(4, 1, 2), reals(4)),
    row("conv1d same", functional("conv1d", padding="same"), LINES, reals(3, 2, 3), reals(3)),
    row("conv1d same, even", functional("conv1d", padding="same"), LINES, reals(3, 2, 4), reals(3)),
    row("conv1d valid", functional("conv1d", padding="valid"), LINES, reals(3, 2, 3), reals(3)),
    row("conv2d", functional("conv2d"), IMAGES, reals(3, 2, 2, 3), reals(3)),
    row("conv2d without bias", functional("conv2d"), IMAGES, reals(3, 2, 2, 3)),
    row("conv2d of no batch", functional("conv2d"), reals(2, 5, 4), reals(3, 2, 2, 2), reals(3)),
    row("conv2d stride", functional("conv2d", stride=2), IMAGES, reals(3, 2, 2, 2), reals(3)),
    row("conv2d strides", functional("conv2d", stride=(2, 1)), IMAGES, reals(1, 2, 2, 2)),
    row(
        "conv2d padding", functional("conv2d", padding=(1, 0)), IMAGES, reals(3, 2, 3, 3), reals(3)
    ),
    row(
        "conv2d all options",
        functional("conv2d", stride=(2, 1), padding=(2, 1), dilation=(1, 2), groups=2),
        IMAGES,
        reals(4, 1, 3, 2),
        reals(4),
    ),
    row("conv2d depthwise", functional("conv2d", groups=2), IMAGES, reals(2, 1, 2, 2), reals(2)),
    row("conv2d one by one", functional("conv2d"), IMAGES, reals(3, 2, 1, 1), reals(3)),
    row(
        "conv2d same",
        functional("conv2d", padding="same", dilation=(1, 2)),
        IMAGES,
        reals(3, 2, 3, 2),
        reals(3),
    ),
    row(
        "conv_transpose1d",
        functional("conv_transpose1d", stride=2, padding=1, output_padding=1),
        LINES,
        reals(2, 3, 3),
        reals(3),
    ),
    row("conv_transpose2d", functional("conv_transpose2d"), IMAGES, reals(2, 3, 2, 3), reals(3)),
    row(
        "conv_transpose2d all options",
        functional(
            "conv_transpose2d",
            stride=2,
            padding=1,
            output_padding=(1, 0),
            groups=2,
            dilation=(1, 2),
        ),
        IMAGES,
        reals(2, 2, 3, 2),
        reals(4),
    ),
    row("unfold", functional("unfold", (2, 3), padding=1, stride=2), IMAGES),
    row(
        "fold", functional("fold", (4, 5), (2, 2), dilation=1, padding=0, stride=1), reals(2, 8, 12)
    ),
]

APART = distinct(2, 2, 5, 4)
POOLING = [
    row("max_pool1d", functional("max_pool1d", 2), distinct(2, 2, 6)),
    row("max_pool1d of no batch", functional("max_pool1d", 3, stride=1), distinct(2, 6)),
    row("max_pool1d padding", functional("max_pool1d", 3, 2, 1), distinct(2, 2, 6)),
    row("max_pool2d", functional("max_pool2d", 2), APART),
    row("max_pool2d overlapping", functional("max_pool2d", (3, 2), stride=1), APART),
    row("max_pool2d padding", functional("max_pool2d", 3, 2, padding=1), APART),
    row("max_pool2d dilation", functional("max_pool2d", 2, 1, dilation=2), APART),
    row("max_pool2d ceil", functional("max_pool2d", 2, 2, ceil_mode=True), APART),
    row("max_pool2d of no batch", functional("max_pool2d", 2), distinct(2, 5, 4)),
    row("max_pool2d indices", functional("max_pool2d", 2, return_indices=True), APART),
    row("max_pool1d indices", functional("max_pool1d", 2, return_indices=True), distinct(2, 2, 6)),
    row("avg_pool1d", functional("avg_pool1d", 2), LINES),
    row("avg_pool1d of no batch", functional("avg_pool1d", 2), reals(2, 6)),
    row("avg_pool1d padding", functional("avg_pool1d", 3, 2, 1), LINES),
    row("avg_pool2d", functional("avg_pool2d", 2), IMAGES),
    row("avg_pool2d overlapping", functional("avg_pool2d", (3, 2), stride=1), IMAGES),
    row("avg_pool2d padding", functional("avg_pool2d", 3, 2, 1), IMAGES),
    row("avg_pool2d uncounted", functional("avg_pool2d", 3, 2, 1, False, False), IMAGES),
    row("avg_pool2d ceil", functional("avg_pool2d", 2, 2, 0, True), IMAGES),
    row("avg_pool2d ceil padded", functional("avg_pool2d", 3, 2, 1, True), IMAGES),
    row("avg_pool2d of no batch", functional("avg_pool2d", 2), reals(2, 5, 4)),
    row("avg_pool2d divisor", functional("avg_pool2d", 2, divisor_override=3), IMAGES),
    row("adaptive_avg_pool2d", functional("adaptive_avg_pool2d", (2, 3)), IMAGES),
    row("adaptive_avg_pool2d to one", functional("adaptive_avg_pool2d", 1), IMAGES),
    row("adaptive_avg_pool2d of no batch", functional("adaptive_avg_pool2d", 2), reals(2, 5, 4)),
    row("adaptive_avg_pool2d keeping", functional("adaptive_avg_pool2d", (None, 2)), IMAGES),
    row("adaptive_avg_pool1d", functional("adaptive_avg_pool1d", 4), LINES),
    row("adaptive_max_pool2d", functional("adaptive_max_pool2d", (2, 3)), APART),
    row("adaptive_max_pool1d", functional("adaptive_max_pool1d", 4), distinct(2, 2, 6)),
]

LOOK_UPS = [
    row(
        "embedding", lambda T, i, w: T.nn.functional.embedding(i, w), whole(0, 4, 2, 3), reals(4, 2)
    ),
    row(
        "embedding padding",
        lambda T, i, w: T.nn.functional.embedding(i, w, padding_idx=1),
        given([[0, 1, 1], [2, 2, 1]]),
        reals(4, 2),
    ),
    row(
        "embedding padding from the end",
        lambda T, i, w: T.nn.functional.embedding(i, w, padding_idx=-2),
        given([2, 1, 3]),
        reals(4, 2),
    ),
    row("embedding of one", lambda T, i, w: T.nn.functional.embedding(i, w), given(2), reals(4, 2)),
    row("one_hot", lambda T, i: T.nn.functional.one_hot(i, 4), whole(0, 4, 2, 3)),
]

EINSUMS = [
    row("einsum product", lambda T, a, b: T.einsum("ij,jk->ik", a, b), A, reals(3, 2)),
    row(
        "einsum batch",
        lambda T, a, b: T.einsum("bij,bjk->bik", a, b),
        reals(2, 2, 3),
        reals(2, 3, 2),
    ),
    row("einsum implicit", lambda T, a, b: T.einsum("ij,jk", a, b), A, reals(3, 2)),
    row("einsum transpose", lambda T, a: T.einsum("ij->ji", a), A),
    row("einsum sum", lambda T, a: T.einsum("ij->", a), A),
    row("einsum rows", lambda T, a: T.einsum("ij->i", a), A),
    row("einsum diagonal", lambda T, a: T.einsum("ii->i", a), reals(3, 3)),
    row("einsum trace", lambda T, a: T.einsum("ii", a), reals(3, 3)),
    row("einsum outer", lambda T, a, b: T.einsum("i,j->ij", a, b), reals(2), reals(3)),
    row("einsum dot", lambda T, a, b: T.einsum("i,i->", a, b), reals(3), reals(3)),
    row(
        "einsum three", lambda T, a, b, c: T.einsum("ij,jk,k->i", a, b, c), A, reals(3, 2), reals(2)
    ),
    row(
        "einsum dots",
        lambda T, a, b: T.einsum("...ij,...jk->...ik", a, b),
        reals(2, 2, 3),
        reals(3, 2),
    ),
    row("einsum stretched", lambda T, a, b: T.einsum("ij,ij->ij", a, b), reals(1, 3), A),
    row("einsum alone", lambda T, a, b: T.einsum("ij,kl->il", a, b), A, reals(2, 4)),
    row("einsum spaces", lambda T, a, b: T.einsum(" ij , jk -> ik ", a, b), A, reals(3, 2)),
    row(
        "einsum bilinear",
        lambda T, a, w, b: T.einsum("bi,oij,bj->bo", a, w, b),
        A,
        reals(2, 3, 2),
        reals(2, 2),
    ),
    row(
        "einsum by numbers", lambda T, a, b: T.einsum(a, [0, 1], b, [1, 2], [0, 2]), A, reals(3, 2)
    ),
    row("bilinear", functional("bilinear"), A, reals(2, 2), reals(2, 3, 2), reals(2)),
]

LINEAR = [
    row("linear", functional("linear"), A, reals(4, 3), reals(4)),
    row("linear without bias", functional("linear"), A, reals(4, 3)),
    row("linear of a vector", functional("linear"), reals(3), reals(4, 3), reals(4)),
    row("linear of a vector without bias", functional("linear"), reals(3), reals(4, 3)),
    row("linear of three", functional("linear"), reals(2, 2, 3), reals(4, 3), reals(4)),
    row("linear of three without bias", functional("linear"), reals(2, 2, 3), reals(4, 3)),
    row("linear of four", functional("linear"), reals(1, 2, 2, 3), reals(4, 3), reals(4)),
    row("linear by a vector", functional("linear"), A, reals(3)),
    row("linear by a vector with bias", functional("linear"), A, reals(3), reals()),
]

ACTIVATIONS = [
    row("F.relu", functional("relu"), N),
    row("F.leaky_relu", functional("leaky_relu", 0.2), N),
    row("F.elu", functional("elu", 0.7), N),
    row("F.selu", functional("selu"), N),
    row("F.celu", functional("celu", 0.7), N),
    row("F.silu", functional("silu"), A),
    row("F.gelu", functional("gelu"), A),
    row("F.gelu tanh", functional("gelu", approximate="tanh"), A),
    row("F.mish", functional("mish"), A),
    row("F.softplus", functional("softplus", 2.0, 1.0), given([-1.0, 0.3, 0.6, 2.0])),
    row("F.logsigmoid", functional("logsigmoid"), A),
    row("F.hardtanh", functional("hardtanh", -0.5, 0.7), A),
    row("F.hardsigmoid", functional("hardsigmoid"), given([-4.0, -1.0, 0.5, 4.0])),
    row("F.hardswish", functional("hardswish"), given([-4.0, -1.0, 0.5, 4.0])),
    row("F.relu6", functional("relu6"), given([-4.0, 1.0, 5.5, 7.0])),
    row("F.threshold", functional("threshold", 0.1, 20.0), A),
    row("F.softsign", functional("softsign"), A),
    row("F.tanhshrink", functional("tanhshrink"), A),
    row("F.softshrink", functional("softshrink", 0.5), A),
    row("F.hardshrink", functional("hardshrink", 0.5), A),
    row("F.prelu", functional("prelu"), N, reals(1)),
    row("F.prelu by channel", functional("prelu"), reals(2, 3, 2), reals(3)),
    row("F.glu", functional("glu", 1), reals(2, 4)),
    row("F.softmin", functional("softmin", 1), A),
    row("F.softmax", functional("softmax", 1), A),
    row("F.log_softmax", functional("log_softmax", 0), A),
    row("F.normalize", functional("normalize"), A),
    row("F.normalize p 1", functional("normalize", 1.0, 0), A),
    row("F.cosine_similarity", functional("cosine_similarity"), A, reals(2, 3)),
    row("F.pairwise_distance", functional("pairwise_distance"), A, reals(2, 3)),
    row("F.pad", functional("pad", (1, 2)), A),
    row("F.pad two", functional("pad", (1, 0, 0, 2), value=1.5), A),
    row("F.pad cropping", functional("pad", (-1, 1)), A),
    row("F.pad reflect", functional("pad", (1, 2), mode="reflect"), reals(1, 2, 4)),
    row("F.pad replicate", functional("pad", (1, 2), mode="replicate"), reals(1, 2, 4)),
    row("F.pad circular", functional("pad", (1, 2), mode="circular"), reals(1, 2, 4)),
    row(
        "F.interpolate",
        functional("interpolate", scale_factor=2, mode="nearest"),
        reals(1, 2, 2, 3),
    ),
    row("F.pixel_shuffle", functional("pixel_shuffle", 2), reals(1, 4, 2, 2)),
]


def running(training: bool) -> Callable[..., Any]:
    def program(T: Any, x: Any, w: Any, b: Any) -> Any:
        mean, var = T.zeros(2, dtype=x.dtype), T.ones(2, dtype=x.dtype) * 2
        out = T.nn.functional.batch_norm(x, mean, var, w, b, training=training, momentum=0.3)
        return out, mean, var

    return program


NORMALIZATIONS = [
    row("layer_norm", functional("layer_norm", (3,)), A),
    row(
        "layer_norm affine",
        lambda T, x, w, b: T.nn.functional.layer_norm(x, (3,), w, b),
        A,
        reals(3),
        reals(3),
    ),
    row(
        "layer_norm scaled",
        lambda T, x, w: T.nn.functional.layer_norm(x, (3,), w),
        A,
        reals(3),
    ),
    row(
        "layer_norm of two dims",
        lambda T, x, w, b: T.nn.functional.layer_norm(x, (2, 3), w, b),
        reals(2, 2, 3),
        reals(2, 3),
        reals(2, 3),
    ),
    row("batch_norm training", running(True), reals(3, 2), reals(2), reals(2)),
    row("batch_norm evaluating", running(False), reals(3, 2), reals(2), reals(2)),
    row("batch_norm of images", running(True), reals(2, 2, 2, 2), reals(2), reals(2)),
    row("batch_norm of lines", running(False), reals(2, 2, 3), reals(2), reals(2)),
    row(
        "batch_norm plain",
        lambda T, x: T.nn.functional.batch_norm(x, None, None, training=True),
        reals(4, 2),
    ),
    row(
        "group_norm",
        lambda T, x, w, b: T.nn.functional.group_norm(x, 2, w, b),
        reals(2, 4, 3),
        reals(4),
        reals(4),
    ),
    row("group_norm plain", functional("group_norm", 2), reals(2, 4, 2, 2)),
    row("instance_norm", functional("instance_norm"), reals(2, 2, 4)),
    row("rms_norm", functional("rms_norm", (3,)), A),
    row(
        "attention",
        functional("scaled_dot_product_attention"),
        reals(2, 3, 4),
        reals(2, 3, 4),
        reals(2, 3, 4),
    ),
    row(
        "attention causal",
        functional("scaled_dot_product_attention", is_causal=True, scale=0.3),
        reals(2, 3, 4),
        reals(2, 3, 4),
        reals(2, 3, 4),
    ),
]

CLASSES = given([2, 0, 1, 1])
LOGITS = reals(4, 3)
LOSSES = []
for reduction in ("mean", "sum", "none"):
    option = {"reduction": reduction}
    LOSSES += [
        row(f"mse_loss {reduction}", functional("mse_loss", **option), A, reals(2, 3)),
        row(f"l1_loss {reduction}", functional("l1_loss", **option), A, reals(2, 3)),
        row(
            f"smooth_l1_loss {reduction}",
            functional("smooth_l1_loss", beta=0.7, **option),
            A,
            reals(2, 3),
        ),
        row(
            f"huber_loss {reduction}", functional("huber_loss", delta=0.7, **option), A, reals(2, 3)
        ),
        row(f"nll_loss {reduction}", functional("nll_loss", **option), LOGITS, CLASSES),
        row(f"cross_entropy {reduction}", functional("cross_entropy", **option), LOGITS, CLASSES),
        row(
            f"cross_entropy weights {reduction}",
            lambda T, x, w, t, option=option: T.nn.functional.cross_entropy(
                x, t, w.detach(), **option
            ),
            LOGITS,
            positive(3),
            CLASSES,
        ),
        row(
            f"cross_entropy ignoring {reduction}",
            functional("cross_entropy", ignore_index=1, **option),
            LOGITS,
            CLASSES,
        ),
        row(
            f"cross_entropy smoothed {reduction}",
            functional("cross_entropy", label_smoothing=0.2, **option),
            LOGITS,
            CLASSES,
        ),
        row(
            f"cross_entropy with all options {reduction}",
            lambda T, x, w, t, option=option: T.nn.functional.cross_entropy(
                x, t, w.detach(), ignore_index=1, label_smoothing=0.2, **option
            ),
            LOGITS,
            positive(3),
            CLASSES,
        ),
        row(
            f"cross_entropy of chances {reduction}",
            functional("cross_entropy", **option),
            LOGITS,
            simplex(4, 3),
        ),
        row(
            f"cross_entropy of chances with all options {reduction}",
            lambda T, x, t, w, option=option: T.nn.functional.cross_entropy(
                x, t, w.detach(), label_smoothing=0.2, **option
            ),
            LOGITS,
            simplex(4, 3),
            positive(3),
        ),
        row(
            f"cross_entropy of images {reduction}",
            functional("cross_entropy", **option),
            reals(2, 3, 2, 2),
            whole(0, 3, 2, 2, 2),
        ),
        row(
            f"cross_entropy of images with all options {reduction}",
            lambda T, x, w, t, option=option: T.nn.functional.cross_entropy(
                x, t, w.detach(), ignore_index=1, label_smoothing=0.2, **option
            ),
            reals(2, 3, 2),
            positive(3),
            whole(0, 3, 2, 2),
        ),
        row(
            f"binary_cross_entropy {reduction}",
            functional("binary_cross_entropy", **option),
            chances(2, 3),
            chances(2, 3),
        ),
        row(
            f"binary_cross_entropy weights {reduction}",
            lambda T, x, t, w, option=option: T.nn.functional.binary_cross_entropy(
                x, t, w.detach(), **option
            ),
            chances(2, 3),
            chances(2, 3),
            positive(3),
        ),
        row(
            f"bce with logits {reduction}",
            functional("binary_cross_entropy_with_logits", **option),
            A,
            chances(2, 3),
        ),
        row(
            f"bce with logits and weights {reduction}",
            lambda T, x, t, w, p, option=option: T.nn.functional.binary_cross_entropy_with_logits(
                x, t, w.detach(), pos_weight=p.detach(), **option
            ),
            A,
            chances(2, 3),
            positive(2, 3),
            positive(3),
        ),
        row(f"kl_div {reduction}", functional("kl_div", **option), A, simplex(2, 3)),
        row(
            f"kl_div of logs {reduction}",
            functional("kl_div", log_target=True, **option),
            A,
            reals(2, 3),
        ),
        row(
            f"soft_margin_loss {reduction}",
            functional("soft_margin_loss", **option),
            A,
            nonzero(2, 3),
        ),
        row(
            f"cosine_embedding_loss {reduction}",
            functional("cosine_embedding_loss", **option),
            A,
            reals(2, 3),
            given([1, -1]),
        ),
        row(
            f"margin_ranking_loss {reduction}",
            functional("margin_ranking_loss", margin=0.1, **option),
            reals(4),
            reals(4),
            given([1.0, -1.0, 1.0, -1.0]),
        ),
        row(
            f"triplet_margin_loss {reduction}",
            functional("triplet_margin_loss", **option),
            A,
            reals(2, 3),
            reals(2, 3),
        ),
        row(
            f"poisson_nll_loss {reduction}",
            functional("poisson_nll_loss", **option),
            A,
            positive(2, 3),
        ),
        row(
            f"gaussian_nll_loss {reduction}",
            functional("gaussian_nll_loss", **option),
            A,
            reals(2, 3),
            positive(2, 3),
        ),
        row(
            f"hinge_embedding_loss {reduction}",
            functional("hinge_embedding_loss", **option),
            A,
            given([[1, -1, 1], [-1, 1, -1]]),
        ),
        row(
            f"multi_margin_loss {reduction}",
            functional("multi_margin_loss", **option),
            LOGITS,
            CLASSES,
        ),
    ]
LOSSES += [
    row("kl_div batchmean", functional("kl_div", reduction="batchmean"), A, simplex(2, 3)),
    row("nll_loss of one", functional("nll_loss"), reals(3), given(1)),
    row("nll_loss of images", functional("nll_loss"), reals(2, 3, 2, 2), whole(0, 3, 2, 2, 2)),
    row("nll_loss of lines", functional("nll_loss"), reals(2, 3, 2), whole(0, 3, 2, 2)),
    row("cross_entropy of one", functional("cross_entropy"), reals(3), given(1)),
    row(
        "cross_entropy of one's chances",
        functional("cross_entropy"),
        reals(3),
        given([0.2, 0.3, 0.5]),
    ),
    row(
        "cross_entropy of one unreduced",
        functional("cross_entropy", reduction="none"),
        reals(3),
        given(1),
    ),
    row("mse_loss broadcast", functional("mse_loss"), A, reals(3)),
    row("l1_loss broadcast", functional("l1_loss"), A, reals(3)),
    row("smooth_l1_loss beta 0", functional("smooth_l1_loss", beta=0.0), A, reals(2, 3)),
]

# Where a choice has to be made, or a formula would leave the range of floats.
NETWORK_EDGES = [
    row("max_pool2d of ties", functional("max_pool2d", 2), given([[[[1.0, 1.0], [1.0, 0.0]]]])),
    row("max_pool1d of nan", functional("max_pool1d", 2), given([[[1.0, np.nan, 0.0, 2.0]]])),
    row(
        "bce at 0 and 1",
        functional("binary_cross_entropy"),
        given([0.0, 1.0, 0.0]),
        given([0.0, 1.0, 1.0]),
    ),
    row(
        "bce with large logits",
        functional("binary_cross_entropy_with_logits"),
        given([-200.0, 0.0, 200.0]),
        given([1.0, 0.5, 0.0]),
    ),
    row(
        "cross_entropy of large",
        functional("cross_entropy"),
        given([[1000.0, -1000.0]]),
        given([1]),
    ),
    row(
        "cross_entropy of nothing",
        functional("cross_entropy", ignore_index=1),
        given([[1.0, 2.0]]),
        given([1]),
    ),
    row("kl_div at 0", functional("kl_div"), A, given([[0.0, 0.5, 0.5], [1.0, 0.0, 0.0]])),
    row("softplus of large", functional("softplus"), given([-200.0, 19.0, 21.0, 200.0])),
    row("logsigmoid of large", functional("logsigmoid"), given([-200.0, 0.0, 200.0])),
    row("gelu of large", functional("gelu"), given([-20.0, 0.0, 20.0])),
    row("silu of large", functional("silu"), given([-200.0, 0.0, 200.0])),
    row("mish of large", functional("mish"), given([-200.0, 0.0, 200.0])),
    row("elu of large", functional("elu"), given([-200.0, 0.0, 200.0])),
    row("leaky_relu at 0", functional("leaky_relu"), given([0.0, -1.0])),
    row("hardtanh at bounds", functional("hardtanh"), given([-1.0, 1.0, 0.0])),
    row("l1_loss at 0", functional("l1_loss"), given([1.0, 2.0]), given([1.0, 1.0])),
    row(
        "smooth_l1_loss at bounds",
        functional("smooth_l1_loss"),
        given([1.0, 2.0]),
        given([0.0, 2.0]),
    ),
    row("huber_loss at bounds", functional("huber_loss"), given([1.0, 2.0]), given([0.0, 2.0])),
    row("normalize at 0", functional("normalize"), given([[0.0, 0.0], [3.0, 4.0]])),
    row(
        "cosine_similarity at 0",
        functional("cosine_similarity"),
        given([[0.0, 0.0], [3.0, 4.0]]),
        given([[1.0, 0.0], [4.0, 3.0]]),
    ),
    row("layer_norm of equal", functional("layer_norm", (2,)), given([[1.0, 1.0], [1.0, 2.0]])),
    row("conv2d of an empty batch", functional("conv2d"), reals(0, 2, 3, 3), reals(3, 2, 2, 2)),
    row("max_pool2d of an empty batch", functional("max_pool2d", 2), reals(0, 2, 4, 4)),
    row(
        "embedding of nothing",
        lambda T, w: T.nn.functional.embedding(T.zeros(0, dtype=T.int64), w),
        reals(4, 2),
    ),
    row("mse_loss of nothing", functional("mse_loss"), reals(0), reals(0)),
    row("F.softplus at its threshold", functional("softplus", 1.0, 1.0), given([1.0, 0.5, 2.0])),
]

SMOOTH_NETWORK = (
    CONVOLUTIONS + POOLING + LOOK_UPS + EINSUMS + LINEAR + ACTIVATIONS + NORMALIZATIONS + LOSSES
)
NETWORK_ROWS = SMOOTH_NETWORK + NETWORK_EDGES
