"""The operations as methods: ``x.exp()`` is ``exp(x)``, with ``x`` as the first argument.

A method is the very function of a family in ``ops/``; here it is stated which one. Its words, its
arguments and their types are the function's. (The operators, and methods that take their arguments
in another way than the function, such as ``x.view(2, 3)``, are written out in ``tensor``.)
"""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .ops import (
        arithmetic,
        choosing,
        comparing,
        copying,
        elementwise,
        extremes,
        gathering,
        indexing,
        joining,
        linalg,
        masking,
        parts,
        random,
        rearranging,
        reductions,
        scans,
        shape,
        softmaxes,
        sorting,
    )
else:
    # The operations are built on Tensor, so they are not there yet when its class is made.

    class Later:
        """Stands for a function of a family of operations, and gives way to it when first used."""

        def __init__(self, family: str, name: str) -> None:
            self.family = family
            self.name = name
            self.places: list[tuple[type, str]] = []

        def __set_name__(self, owner: type, name: str) -> None:
            self.places.append((owner, name))

        def __get__(self, tensor: Any, owner: type) -> Callable[..., Any]:
            from . import ops

            function = getattr(getattr(ops, self.family), self.name)
            for place, name in self.places:
                setattr(place, name, function)
            return function if tensor is None else MethodType(function, tensor)

    class Family:
        """A family of operations, by name; its functions come later."""

        def __init__(self, name: str) -> None:
            self.name = name

        def __getattr__(self, function: str) -> Later:
            return Later(self.name, function)

    arithmetic, choosing, comparing, copying = map(
        Family, ("arithmetic", "choosing", "comparing", "copying")
    )
    elementwise, extremes, gathering, indexing = map(
        Family, ("elementwise", "extremes", "gathering", "indexing")
    )
    joining, linalg, masking, parts = map(Family, ("joining", "linalg", "masking", "parts"))
    random, rearranging, reductions, scans = map(
        Family, ("random", "rearranging", "reductions", "scans")
    )
    shape, softmaxes, sorting = map(Family, ("shape", "softmaxes", "sorting"))


class Methods:
    """The operations that a tensor has as methods."""

    __slots__ = ()

    # Arithmetic -----------------------------------------------------------------------------------
    __iadd__, __isub__ = arithmetic.add_, arithmetic.sub_
    __imul__, __itruediv__ = arithmetic.mul_, arithmetic.div_
    __ifloordiv__, __imod__ = arithmetic.floor_divide_, arithmetic.remainder_
    __ipow__ = arithmetic.pow_
    add, add_ = arithmetic.add, arithmetic.add_
    addcdiv, addcdiv_ = arithmetic.addcdiv, arithmetic.addcdiv_
    addcmul, addcmul_ = arithmetic.addcmul, arithmetic.addcmul_
    arctan2, arctan2_ = arithmetic.atan2, arithmetic.atan2_
    atan2, atan2_ = arithmetic.atan2, arithmetic.atan2_
    copysign, copysign_ = arithmetic.copysign, arithmetic.copysign_
    div, div_ = arithmetic.div, arithmetic.div_
    divide, divide_ = arithmetic.div, arithmetic.div_
    float_power, float_power_ = arithmetic.float_power, arithmetic.float_power_
    floor_divide, floor_divide_ = arithmetic.floor_divide, arithmetic.floor_divide_
    fmod, fmod_ = arithmetic.fmod, arithmetic.fmod_
    heaviside = arithmetic.heaviside
    hypot, hypot_ = arithmetic.hypot, arithmetic.hypot_
    lerp, lerp_ = arithmetic.lerp, arithmetic.lerp_
    logaddexp, logaddexp2 = arithmetic.logaddexp, arithmetic.logaddexp2
    mul, mul_ = arithmetic.mul, arithmetic.mul_
    multiply, multiply_ = arithmetic.mul, arithmetic.mul_
    pow, pow_ = arithmetic.pow, arithmetic.pow_
    remainder, remainder_ = arithmetic.remainder, arithmetic.remainder_
    square, square_ = arithmetic.square, arithmetic.square_
    sub, sub_ = arithmetic.sub, arithmetic.sub_
    subtract, subtract_ = arithmetic.sub, arithmetic.sub_
    true_divide, true_divide_ = arithmetic.div, arithmetic.div_
    xlogy, xlogy_ = arithmetic.xlogy, arithmetic.xlogy_

    # Functions of each element --------------------------------------------------------------------
    abs, abs_ = elementwise.abs, elementwise.abs_
    absolute, absolute_ = elementwise.absolute, elementwise.absolute_
    acos, acos_ = elementwise.acos, elementwise.acos_
    acosh, acosh_ = elementwise.acosh, elementwise.acosh_
    arccos, arccos_ = elementwise.arccos, elementwise.arccos_
    arcsin, arcsin_ = elementwise.arcsin, elementwise.arcsin_
    arctan, arctan_ = elementwise.arctan, elementwise.arctan_
    arccosh, arccosh_ = elementwise.arccosh, elementwise.arccosh_
    arcsinh, arcsinh_ = elementwise.arcsinh, elementwise.arcsinh_
    arctanh, arctanh_ = elementwise.arctanh, elementwise.arctanh_
    asin, asin_ = elementwise.asin, elementwise.asin_
    asinh, asinh_ = elementwise.asinh, elementwise.asinh_
    atan, atan_ = elementwise.atan, elementwise.atan_
    atanh, atanh_ = elementwise.atanh, elementwise.atanh_
    ceil, ceil_ = elementwise.ceil, elementwise.ceil_
    cos, cos_ = elementwise.cos, elementwise.cos_
    cosh, cosh_ = elementwise.cosh, elementwise.cosh_
    deg2rad, deg2rad_ = elementwise.deg2rad, elementwise.deg2rad_
    erf, erf_ = elementwise.erf, elementwise.erf_
    erfc, erfc_ = elementwise.erfc, elementwise.erfc_
    exp, exp_ = elementwise.exp, elementwise.exp_
    exp2, exp2_ = elementwise.exp2, elementwise.exp2_
    expm1, expm1_ = elementwise.expm1, elementwise.expm1_
    fix, fix_ = elementwise.fix, elementwise.fix_
    floor, floor_ = elementwise.floor, elementwise.floor_
    frac, frac_ = elementwise.frac, elementwise.frac_
    log, log_ = elementwise.log, elementwise.log_
    log10, log10_ = elementwise.log10, elementwise.log10_
    log1p, log1p_ = elementwise.log1p, elementwise.log1p_
    log2, log2_ = elementwise.log2, elementwise.log2_
    logit, logit_ = elementwise.logit, elementwise.logit_
    nan_to_num, nan_to_num_ = elementwise.nan_to_num, elementwise.nan_to_num_
    neg, neg_ = elementwise.neg, elementwise.neg_
    negative, negative_ = elementwise.negative, elementwise.negative_
    rad2deg, rad2deg_ = elementwise.rad2deg, elementwise.rad2deg_
    reciprocal, reciprocal_ = elementwise.reciprocal, elementwise.reciprocal_
    relu, relu_ = elementwise.relu, elementwise.relu_
    positive = elementwise.positive
    round, round_ = elementwise.round, elementwise.round_
    rsqrt, rsqrt_ = elementwise.rsqrt, elementwise.rsqrt_
    sgn, sgn_ = elementwise.sgn, elementwise.sgn_
    sigmoid, sigmoid_ = elementwise.sigmoid, elementwise.sigmoid_
    sign, sign_ = elementwise.sign, elementwise.sign_
    sin, sin_ = elementwise.sin, elementwise.sin_
    sinc, sinc_ = elementwise.sinc, elementwise.sinc_
    sinh, sinh_ = elementwise.sinh, elementwise.sinh_
    sqrt, sqrt_ = elementwise.sqrt, elementwise.sqrt_
    tan, tan_ = elementwise.tan, elementwise.tan_
    tanh, tanh_ = elementwise.tanh, elementwise.tanh_
    trunc, trunc_ = elementwise.trunc, elementwise.trunc_

    # Comparing and logic --------------------------------------------------------------------------
    __iand__, __ior__ = comparing.bitwise_and_, comparing.bitwise_or_
    __ixor__ = comparing.bitwise_xor_
    __ilshift__, __irshift__ = comparing.bitwise_left_shift_, comparing.bitwise_right_shift_
    allclose = comparing.allclose
    bitwise_and, bitwise_and_ = comparing.bitwise_and, comparing.bitwise_and_
    bitwise_left_shift, bitwise_left_shift_ = (
        comparing.bitwise_left_shift,
        comparing.bitwise_left_shift_,
    )
    bitwise_not, bitwise_not_ = comparing.bitwise_not, comparing.bitwise_not_
    bitwise_or, bitwise_or_ = comparing.bitwise_or, comparing.bitwise_or_
    bitwise_right_shift, bitwise_right_shift_ = (
        comparing.bitwise_right_shift,
        comparing.bitwise_right_shift_,
    )
    bitwise_xor, bitwise_xor_ = comparing.bitwise_xor, comparing.bitwise_xor_
    eq, eq_ = comparing.eq, comparing.eq_
    equal = comparing.equal
    ge, ge_ = comparing.ge, comparing.ge_
    greater, greater_ = comparing.greater, comparing.greater_
    greater_equal, greater_equal_ = comparing.greater_equal, comparing.greater_equal_
    gt, gt_ = comparing.gt, comparing.gt_
    isclose = comparing.isclose
    isfinite = comparing.isfinite
    isinf = comparing.isinf
    isnan = comparing.isnan
    isneginf = comparing.isneginf
    isposinf = comparing.isposinf
    isreal = comparing.isreal
    le, le_ = comparing.le, comparing.le_
    less, less_ = comparing.less, comparing.less_
    less_equal, less_equal_ = comparing.less_equal, comparing.less_equal_
    logical_and, logical_and_ = comparing.logical_and, comparing.logical_and_
    logical_not, logical_not_ = comparing.logical_not, comparing.logical_not_
    logical_or, logical_or_ = comparing.logical_or, comparing.logical_or_
    logical_xor, logical_xor_ = comparing.logical_xor, comparing.logical_xor_
    lt, lt_ = comparing.lt, comparing.lt_
    ne, ne_ = comparing.ne, comparing.ne_
    not_equal, not_equal_ = comparing.not_equal, comparing.not_equal_
    signbit = comparing.signbit

    # Choosing -------------------------------------------------------------------------------------
    clamp, clamp_ = choosing.clamp, choosing.clamp_
    clamp_max, clamp_max_ = choosing.clamp_max, choosing.clamp_max_
    clamp_min, clamp_min_ = choosing.clamp_min, choosing.clamp_min_
    clip, clip_ = choosing.clamp, choosing.clamp_
    fmax = choosing.fmax
    fmin = choosing.fmin
    maximum = choosing.maximum
    minimum = choosing.minimum

    # Copying --------------------------------------------------------------------------------------
    clone = copying.clone
    contiguous = copying.contiguous
    copy_ = copying.copy_
    fill_ = copying.fill_
    zero_ = copying.zero_

    # Reductions -----------------------------------------------------------------------------------
    all = extremes.all
    amax = extremes.amax
    amin = extremes.amin
    aminmax = extremes.aminmax
    any = extremes.any
    argmax = extremes.argmax
    argmin = extremes.argmin
    count_nonzero = reductions.count_nonzero
    log_softmax = softmaxes.log_softmax
    logsumexp = softmaxes.logsumexp
    max = extremes.max
    mean = reductions.mean
    min = extremes.min
    nanmean = reductions.nanmean
    nansum = reductions.nansum
    norm = reductions.norm
    softmax = softmaxes.softmax
    std = reductions.std
    sum = reductions.sum
    var = reductions.var

    # Running totals, and products -----------------------------------------------------------------
    cummax = scans.cummax
    diff = scans.diff
    cummin = scans.cummin
    cumprod, cumprod_ = scans.cumprod, scans.cumprod_
    cumsum, cumsum_ = scans.cumsum, scans.cumsum_
    logcumsumexp = scans.logcumsumexp
    prod = scans.prod

    # Shape ----------------------------------------------------------------------------------------
    adjoint = shape.adjoint
    as_strided = parts.as_strided
    diag = parts.diag
    diag_embed, diagflat = parts.diag_embed, parts.diagflat
    diagonal = parts.diagonal
    flatten = shape.flatten
    fliplr = rearranging.fliplr
    flipud = rearranging.flipud
    moveaxis = shape.movedim
    movedim = shape.movedim
    narrow = parts.narrow
    ravel = shape.ravel
    repeat_interleave = rearranging.repeat_interleave
    roll = rearranging.roll
    rot90 = rearranging.rot90
    select = parts.select
    squeeze, squeeze_ = shape.squeeze, shape.squeeze_
    swapaxes, swapaxes_ = shape.transpose, shape.transpose_
    swapdims, swapdims_ = shape.transpose, shape.transpose_
    t, t_ = shape.t, shape.t_
    transpose, transpose_ = shape.transpose, shape.transpose_
    tril, tril_ = rearranging.tril, rearranging.tril_
    triu, triu_ = rearranging.triu, rearranging.triu_
    unflatten = shape.unflatten
    unfold = parts.unfold
    unsqueeze, unsqueeze_ = shape.unsqueeze, shape.unsqueeze_

    # Parts ----------------------------------------------------------------------------------------
    chunk = joining.chunk
    dsplit = joining.dsplit
    hsplit = joining.hsplit
    split = joining.split
    split_with_sizes = joining.split_with_sizes
    tensor_split = joining.tensor_split
    unbind = joining.unbind
    vsplit = joining.vsplit

    # By index and by mask -------------------------------------------------------------------------
    argwhere = masking.argwhere
    gather = gathering.gather
    index_add, index_add_ = gathering.index_add, gathering.index_add_
    index_copy, index_copy_ = gathering.index_copy, gathering.index_copy_
    index_fill, index_fill_ = gathering.index_fill, gathering.index_fill_
    index_put, index_put_ = indexing.index_put, indexing.index_put_
    index_select = gathering.index_select
    masked_fill, masked_fill_ = masking.masked_fill, masking.masked_fill_
    masked_scatter, masked_scatter_ = masking.masked_scatter, masking.masked_scatter_
    masked_select = masking.masked_select
    nonzero = masking.nonzero
    put, put_ = masking.put, masking.put_
    scatter, scatter_ = gathering.scatter, gathering.scatter_
    scatter_add, scatter_add_ = gathering.scatter_add, gathering.scatter_add_
    take = masking.take
    take_along_dim = gathering.take_along_dim

    # Order ----------------------------------------------------------------------------------------
    argsort = sorting.argsort
    bincount = sorting.bincount
    histc = sorting.histc
    kthvalue = sorting.kthvalue
    median = sorting.median
    mode = sorting.mode
    msort = sorting.msort
    nanmedian = sorting.nanmedian
    quantile = sorting.quantile
    sort = sorting.sort
    topk = sorting.topk
    unique = sorting.unique
    unique_consecutive = sorting.unique_consecutive

    # Products of matrices -------------------------------------------------------------------------
    addmm, addmm_ = linalg.addmm, linalg.addmm_
    addmv, addmv_ = linalg.addmv, linalg.addmv_
    addr, addr_ = linalg.addr, linalg.addr_
    baddbmm, baddbmm_ = linalg.baddbmm, linalg.baddbmm_
    bmm = linalg.bmm
    det, inverse, kron = linalg.det, linalg.inverse, linalg.kron
    dot = linalg.dot
    ger = linalg.outer
    inner = linalg.inner
    matmul = linalg.matmul
    mm = linalg.mm
    mv = linalg.mv
    outer = linalg.outer
    trace = linalg.trace
    vdot = linalg.vdot

    # Random numbers -------------------------------------------------------------------------------
    bernoulli, bernoulli_ = random.bernoulli, random.bernoulli_
    exponential_ = random.exponential_
    multinomial = random.multinomial
    normal_ = random.normal_
    random_ = random.random_
    uniform_ = random.uniform_
