# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random calls of PyTorch's operators, family by family: a function draws (operator, arguments, named arguments).
The overload is "default" if none is named.

Arguments need not make sense: what PyTorch refuses is passed over.
"""
from random_call import DType, INTEGERS, Tensor


# ---- windows


def convolution(r):
    n = r.randint(1, 3)
    groups = r.choice([1, 1, 1, 2, 3])
    transposed = r.maybe(0.4)
    channels, filters = groups * r.randint(1, 3), groups * r.randint(1, 3)
    kernel = [r.randint(1, 4) for _ in range(n)]
    dtype = r.floats()
    x = Tensor(([] if r.maybe(0.2) else [r.size()]) + [channels] + [r.randint(3, 12) for _ in range(n)], dtype)
    weight = Tensor(([channels, filters // groups] if transposed else [filters, channels // groups]) + kernel, dtype)
    bias = Tensor([filters], dtype) if r.maybe() else None
    stride, padding = r.per_dimension(n, 1, 3), r.per_dimension(n, 0, 2)
    dilation, more = r.per_dimension(n, 1, 2), r.per_dimension(n, 0, 1)
    kind = r.randrange(3)
    if kind == 0:
        return "convolution", [x, weight, bias, stride, padding, dilation, transposed, more, groups], {}
    if transposed:
        name = f"conv_transpose{n}d" + ("" if n == 1 else ".input")
        return name, [x, weight, bias, stride, padding, more, groups, dilation], {}
    if kind == 1:
        return f"conv{n}d.padding", [x, weight, bias, stride, r.choice(["same", "valid"]), dilation, groups], {}
    return f"conv{n}d", [x, weight, bias, stride, padding, dilation, groups], {}


def pooling(r):
    n = r.randint(1, 3)
    x = Tensor(([] if r.maybe(0.2) else [r.size()]) + [r.size()] + [r.randint(3, 12) for _ in range(n)], r.floats())
    kernel = r.per_dimension(n, 1, 4)
    stride = r.choice([[], r.per_dimension(n, 1, 4)])
    padding = r.per_dimension(n, 0, 2)
    ceil = r.maybe()
    kind = r.randrange(5)
    if kind == 0:
        return f"max_pool{n}d", [x, kernel, stride, padding, r.per_dimension(n, 1, 2), ceil], {}
    if kind == 1:
        return f"max_pool{n}d_with_indices", [x, kernel, stride, padding, r.per_dimension(n, 1, 2), ceil], {}
    if kind == 2:
        return f"avg_pool{n}d", [x, kernel, stride, padding, ceil, r.maybe()], {}
    output = [r.randint(1, 6) for _ in range(n)]
    if kind == 3 or n == 1:
        return r.choice([f"adaptive_avg_pool{n}d", f"adaptive_max_pool{n}d"]), [x, output], {}
    samples = Tensor(x.shape[:-n] + [n], x.dtype) if x.rank > n + 1 else Tensor([1] + x.shape[:-n] + [n], x.dtype)
    return f"fractional_max_pool{n}d", [x, [r.randint(1, 3) for _ in range(n)], output, samples], {}


def resampling(r):
    n = r.randint(1, 3)
    x = Tensor([r.size(), r.randint(1, 3)] + [r.randint(1, 7) for _ in range(n)], r.floats())
    size, factors = [r.randint(1, 12) for _ in range(n)], [r.choice([0.5, 1.5, 2.0, 2.3, 3.0]) for _ in range(n)]
    given = (size, None) if r.maybe() else (None, factors)
    kind = r.randrange(7)
    if kind == 0:
        return r.choice([f"upsample_nearest{n}d.vec", f"_upsample_nearest_exact{n}d.vec"]), [x, *given], {}
    if kind == 1:
        name = {1: "linear1d", 2: r.choice(["bilinear2d", "bicubic2d"]), 3: "trilinear3d"}[n]
        return f"upsample_{name}.vec", [x, given[0], r.maybe(), given[1]], {}
    if kind == 2:
        return f"{r.choice(['reflection', 'replication'])}_pad{n}d", [x, [r.randint(0, 2) for _ in range(2 * n)]], {}
    if kind == 3:
        return "constant_pad_nd", [x, [r.randint(-1, 3) for _ in range(2 * r.randint(0, x.rank))], 0.5], {}
    if kind == 4:
        mode = r.choice(["constant", "reflect", "replicate", "circular"])
        return "pad", [x, [r.randint(0, 1) for _ in range(2 * n)], mode], {}
    factor = r.randint(1, 3)
    if kind == 5:
        x = Tensor(r.sizes(0, 2) + [factor * factor * r.randint(1, 3), r.size(), r.size()])
        return "pixel_shuffle", [x, factor], {}
    x = Tensor(r.sizes(0, 2) + [r.size(), factor * r.size(), factor * r.size()])
    return "pixel_unshuffle", [x, factor], {}


def columns(r):
    kernel, dilation = [r.randint(1, 3) for _ in range(2)], [r.randint(1, 2) for _ in range(2)]
    padding, stride = [r.randint(0, 2) for _ in range(2)], [r.randint(1, 3) for _ in range(2)]
    size = [r.randint(4, 9) for _ in range(2)]
    batch = [] if r.maybe(0.3) else [r.size()]
    if r.maybe():
        return "im2col", [Tensor(batch + [r.size()] + size), kernel, dilation, padding, stride], {}
    blocks = 1
    for i in range(2):
        blocks *= (size[i] + 2 * padding[i] - dilation[i] * (kernel[i] - 1) - 1) // stride[i] + 1
    x = Tensor(batch + [r.size() * kernel[0] * kernel[1], max(blocks, 0)])
    return "col2im", [x, size, kernel, dilation, padding, stride], {}


# ---- normalisation, reduction, order


def normalization(r):
    dtype = r.floats()
    x = Tensor(r.sizes(2, 5), dtype)
    channels = Tensor([x.shape[1]], dtype) if r.maybe() else None
    kind = r.randrange(8)
    if kind == 0:
        mean, training = Tensor([x.shape[1]], dtype), r.maybe()
        return "batch_norm", [x, channels, channels, mean, mean, training, 0.1, 1e-5, False], {}
    if kind == 1:
        mean, training = Tensor([x.shape[1]], dtype), r.maybe()
        return "native_batch_norm", [x, channels, channels, mean, mean, training, 0.1, 1e-5], {}
    if kind == 2:
        return "instance_norm", [x, channels, channels, None, None, True, 0.1, 1e-5, False], {}
    last = x.shape[r.randint(1, x.rank - 1):]
    weight = Tensor(last, dtype) if r.maybe() else None
    if kind == 3:
        return "layer_norm", [x, last, weight, weight], {}
    if kind == 4:
        return "native_layer_norm", [x, last, weight, weight, 1e-5], {}
    if kind == 5:
        return "rms_norm", [x, last, weight], {}
    groups = r.choice([n for n in range(1, x.shape[1] + 1) if x.shape[1] % n == 0])
    if kind == 6:
        return "group_norm", [x, groups, channels, channels], {}
    elements = 1
    for size in x.shape[2:]:
        elements *= size
    return "native_group_norm", [x, channels, channels, x.shape[0], x.shape[1], elements, groups, 1e-5], {}


def softmax(r):
    x = r.tensor()
    name = r.choice(["softmax.int", "log_softmax.int", "cumsum", "cumprod", "_softmax",
                     "_log_softmax", "logcumsumexp", "cummax", "cummin",
                     "glu"])
    if name.startswith("_"):
        return name, [x, r.dim(x.rank), r.maybe(0.1)], {}
    dtype = {} if r.maybe(0.7) or name in ("glu", "logcumsumexp", "cummax", "cummin") else {"dtype": DType(r.any())}
    return name, [x, r.dim(x.rank)], dtype


def reduction(r):
    x = r.tensor()
    dtype = {} if r.maybe(0.7) else {"dtype": DType(r.any())}
    dims, keep = r.choice([None, r.dims(x.rank)]), r.maybe()
    return r.choice([
        lambda: (r.choice(["sum", "mean", "prod", "nansum"]), [x], dtype),
        lambda: ("sum.dim_IntList", [x, dims, keep], dtype),
        lambda: ("nansum", [x, dims, keep], dtype),
        lambda: (r.choice(["mean.dim", "nanmean"]), [x, dims, keep], dtype),
        lambda: ("prod.dim_int", [x, r.dim(x.rank), keep], dtype),
        lambda: (r.choice(["amax", "amin"]), [x, dims or [], keep], {}),
        lambda: ("aminmax", [x], {"dim": r.choice([None, r.dim(x.rank)]), "keepdim": keep}),
        lambda: (r.choice(["max", "min", "any", "all", "median", "nanmedian", "std", "var", "count_nonzero"]), [x], {}),
        lambda: (r.choice(["max.dim", "min.dim", "median.dim", "nanmedian.dim", "any.dim", "all.dim", "mode"]),
                 [x, r.dim(x.rank), keep], {}),
        lambda: (r.choice(["any.dims", "all.dims", "logsumexp"]), [x, dims or [], keep], {}),
        lambda: (r.choice(["argmax", "argmin"]), [x, r.choice([None, r.dim(x.rank)]), keep], {}),
        lambda: (r.choice(["std.dim", "var.dim", "std_mean.dim", "var_mean.dim"]), [x, dims, r.maybe(), keep], {}),
        lambda: (r.choice(["std", "var", "std_mean", "var_mean"]) + ".correction", [x, dims],
                 {"correction": r.choice([None, 0, 1]), "keepdim": keep}),
        lambda: ("norm.ScalarOpt_dim", [x, r.choice([None, 1, 2.0]), dims or [], keep], {}),
        lambda: ("linalg_vector_norm", [x, r.choice([1, 2.0]), dims, keep], dtype),
        lambda: ("count_nonzero.dim_IntList", [x, dims or []], {}),
        lambda: ("quantile.scalar", [x, 0.5, r.choice([None, r.dim(x.rank)]), keep], {}),
        lambda: ("quantile", [x, Tensor(r.sizes(0, 1), x.dtype), r.choice([None, r.dim(x.rank)]), keep], {}),
        lambda: ("kthvalue", [x, r.randint(1, 3), r.dim(x.rank), keep], {}),
        lambda: ("trace", [x], {}),
    ])()


def order(r):
    x = r.tensor(dtype=r.choice([r.floats(), "int64", r.any()]))
    sorted_values = Tensor(r.sizes(1), "float32")
    return r.choice([
        lambda: ("sort", [x, r.dim(x.rank), r.maybe()], {}),
        lambda: ("sort.stable", [x], {"stable": True, "dim": r.dim(x.rank), "descending": r.maybe()}),
        lambda: ("argsort", [x, r.dim(x.rank), r.maybe()], {}),
        lambda: ("topk", [x, r.randint(0, 4), r.dim(x.rank), r.maybe(), r.maybe()], {}),
        lambda: ("msort", [x], {}),
        lambda: ("searchsorted.Tensor", [sorted_values, x], {"out_int32": r.maybe()}),
        lambda: ("bucketize.Tensor", [x, sorted_values], {"out_int32": r.maybe(), "right": r.maybe()}),
        lambda: ("histc", [x, r.randint(1, 9)], {}),
    ])()


# ---- indexing


def indexed(r):
    """x[:, i, None, mask, ...] as its operator sees it."""
    x = r.tensor(1, 4)
    shape = r.sizes(0, 2)
    indices = [None if r.maybe(0.4) else Tensor(r.broadcastable(shape), r.choice(["int64", "int64", "int32"]))
               for _ in range(r.randint(1, x.rank))]
    return x, indices


def indexing(r):
    x = r.tensor(0, 4)
    rank = x.rank
    along = r.dim(rank)
    vector = Tensor(r.sizes(0, 1), r.choice(["int64", "int32"]))
    like = Tensor([r.randint(1, n) if n else 0 for n in x.shape], "int64")
    slice_of = Tensor(x.shape, x.dtype)
    if rank and vector.rank:
        slice_of.shape[along] = vector.shape[0]
    y, indices = indexed(r)
    return r.choice([
        lambda: ("index.Tensor", [y, indices], {}),
        lambda: ("index.Tensor", [y, indices], {}),
        lambda: ("index_put", [y, indices, Tensor([], y.dtype), r.maybe()], {}),
        lambda: ("index_select", [x, along, vector], {}),
        lambda: ("gather", [x, along, like], {}),
        lambda: (r.choice(["scatter.src", "scatter_add"]), [x, along, like, Tensor(like.shape, x.dtype)], {}),
        lambda: ("scatter.value", [x, along, like, 1], {}),
        lambda: ("scatter_reduce.two", [x, along, like, Tensor(like.shape, x.dtype), "sum"], {}),
        lambda: (r.choice(["index_add", "index_copy"]), [x, along, vector, slice_of], {}),
        lambda: ("index_fill.int_Scalar", [x, along, vector, 1], {}),
        lambda: ("take", [x, Tensor(r.sizes(0, 3), "int64")], {}),
        lambda: ("take_along_dim", [x, Tensor(r.broadcastable(x.shape), "int64"), r.choice([None, along])], {}),
        lambda: ("masked_fill.Scalar", [x, Tensor(r.broadcastable(x.shape), "bool"), 1.5], {}),
        lambda: ("masked_scatter", [x, Tensor(r.broadcastable(x.shape), "bool"), slice_of], {}),
        lambda: ("embedding", [Tensor([r.size(), r.size()]), Tensor(r.sizes(0, 3), "int64")], {}),
        lambda: ("select.int", [x, along, r.randint(-3, 3)], {}),
        lambda: ("select_scatter", [x, Tensor(x.shape[1:], x.dtype), 0, r.randint(-3, 3)], {}),
        lambda: ("where.self", [Tensor(r.broadcastable(x.shape), "bool"), x, Tensor(r.broadcastable(x.shape), r.any())], {}),
        lambda: ("where.ScalarOther", [Tensor(x.shape, "bool"), x, 2.5], {}),
    ])()


# ---- views and what only moves elements


def factors(r, count):
    """A shape of so many elements, one size maybe -1."""
    shape = []
    while count > 1 and r.maybe(0.7):
        factor = r.choice([n for n in range(1, count + 1) if count % n == 0])
        shape.append(factor)
        count //= factor
    shape.append(count)
    if r.maybe():
        shape[r.randrange(len(shape))] = -1
    return shape


def count_of(x):
    count = 1
    for size in x.shape:
        count *= size
    return count


def view(r):
    x = r.tensor()
    rank = x.rank
    order_of = r.sample(range(rank), rank)
    size = x.shape[0] if x.shape else 1
    return r.choice([
        lambda: (r.choice(["view", "reshape", "_unsafe_view"]), [x, factors(r, count_of(x))], {}),
        lambda: ("expand", [Tensor([1 if r.maybe() else n for n in x.shape], x.dtype),
                                    r.sizes(0, 1) + [-1 if r.maybe(0.2) else n for n in x.shape]], {}),
        lambda: ("permute", [x, [d - rank if r.maybe(0.3) else d for d in order_of]], {}),
        lambda: (r.choice(["transpose.int", "swapaxes"]), [x, r.dim(rank), r.dim(rank)], {}),
        lambda: (r.choice(["t", "numpy_T", "mT", "mH", "ravel", "squeeze", "atleast_1d", "atleast_2d", "atleast_3d",
                           "detach", "contiguous", "view_as_real", "adjoint"]), [x], {}),
        lambda: ("squeeze.dim", [x, r.dim(rank)], {}),
        lambda: ("squeeze.dims", [x, r.dims(rank)], {}),
        lambda: ("unsqueeze", [x, r.dim(rank, 1)], {}),
        lambda: ("flatten.using_ints", [x, r.dim(rank), r.dim(rank)], {}),
        lambda: ("unflatten.int", [Tensor([size] + x.shape[1:], x.dtype), 0, factors(r, max(size, 1))], {}),
        lambda: ("unfold", [x, r.dim(rank), r.randint(0, 4), r.randint(1, 3)], {}),
        lambda: ("diagonal", [x, r.randint(-3, 3), r.dim(rank), r.dim(rank)], {}),
        lambda: ("diag_embed", [x, r.randint(-2, 2), r.dim(rank, 1), r.dim(rank, 1)], {}),
        lambda: (r.choice(["diag", "triu", "tril"]), [x, r.randint(-2, 2)], {}),
        lambda: ("movedim.int", [x, r.dim(rank), r.dim(rank)], {}),
        lambda: ("as_strided", [x, r.sizes(0, 2), r.sizes(0, 2)], {}),
        lambda: ("view.dtype", [x, DType(r.any())], {}),
        lambda: ("expand_as", [Tensor(r.broadcastable(x.shape)), x], {}),
        lambda: ("broadcast_to", [Tensor(r.broadcastable(x.shape)), x.shape], {}),
        lambda: (r.choice(["tile", "repeat"]), [x, [r.randint(0, 3) for _ in range(r.randint(0, 4))]], {}),
        lambda: ("repeat_interleave.self_int", [x, r.randint(0, 3), r.choice([None, r.dim(rank)])], {}),
        lambda: ("roll", [x, [1, 2], r.dims(rank)], {}),
        lambda: ("flip", [x, r.dims(rank)], {}),
        lambda: ("rot90", [x, r.randint(0, 5), r.sample(range(max(rank, 2)), 2)], {}),
    ])()


def slicing(r):
    x = r.tensor(1, 4)
    along = r.dim(x.rank)
    size = x.shape[along]
    cut = r.randint(0, size)
    start, end = r.choice([None, r.randint(-10, 10)]), r.choice([None, r.randint(-10, 10)])
    return r.choice([
        lambda: ("slice.Tensor", [x, along, start, end, r.randint(1, 3)], {}),
        lambda: ("slice_scatter", [x, Tensor(x.shape, x.dtype), along], {}),
        lambda: ("narrow", [x, along, cut, r.randint(0, size - cut)], {}),
        lambda: (r.choice(["chunk", "unsafe_chunk"]), [x, r.randint(1, 6), along], {}),
        lambda: (r.choice(["split.Tensor", "unsafe_split.Tensor"]), [x, r.randint(1, 6), along], {}),
        lambda: (r.choice(["split_with_sizes", "split.sizes"]), [x, [cut, size - cut], along], {}),
        lambda: ("tensor_split.sections", [x, r.randint(1, 6), along], {}),
        lambda: ("tensor_split.indices", [x, sorted(r.randint(-9, 9) for _ in range(r.randint(0, 3))), along], {}),
        lambda: ("unbind.int", [x, along], {}),
        lambda: (r.choice(["hsplit.int", "vsplit.int", "dsplit.int"]), [x, r.randint(1, 3)], {}),
    ])()


def joining(r):
    x = r.tensor()
    along = r.dim(x.rank)
    parts = [Tensor(x.shape, r.choice([x.dtype, r.any()])) for _ in range(r.randint(1, 4))]
    if x.rank and r.maybe():
        for part in parts:
            part.shape[along] = r.size()
    vectors = [Tensor(r.sizes(0, 1), x.dtype) for _ in range(r.randint(1, 3))]
    return r.choice([
        lambda: (r.choice(["cat", "concat"]), [parts, along], {}),
        lambda: ("stack", [[Tensor(x.shape, part.dtype) for part in parts], r.dim(x.rank, 1)], {}),
        lambda: (r.choice(["hstack", "vstack", "dstack", "column_stack"]), [parts], {}),
        lambda: ("block_diag", [[r.tensor(0, 2) for _ in parts]], {}),
        lambda: ("broadcast_tensors", [list(r.pair())], {}),
        lambda: ("meshgrid.indexing", [vectors], {"indexing": r.choice(["ij", "xy"])}),
        lambda: ("cartesian_prod", [vectors], {}),
    ])()


# ---- elements, products, creation

BINARY = ["add", "sub", "mul", "div", "remainder", "fmod", "eq", "ne", "lt", "le", "gt", "ge",
          "bitwise_and", "bitwise_or", "bitwise_xor", "true_divide", "rsub"]
OF_TENSORS = ["floor_divide", "maximum", "minimum", "atan2", "logical_and", "logical_or", "fmax", "hypot", "logaddexp", "copysign.Tensor",
              "xlogy.Tensor", "heaviside", "gcd", "isclose", "nextafter", "bitwise_left_shift.Tensor", "float_power.Tensor_Tensor", "dist"]
UNARY = ["relu", "exp", "sin", "sqrt", "rsqrt", "abs", "neg", "sign", "floor", "ceil", "round", "trunc", "sigmoid", "tanh",
         "gelu", "silu", "erf", "log", "reciprocal", "isnan", "isinf", "logical_not", "bitwise_not", "square", "hardtanh",
         "leaky_relu", "elu", "softplus", "mish", "hardswish", "hardsigmoid", "log1p", "expm1", "signbit", "frac", "deg2rad",
         "isfinite", "positive", "nan_to_num", "clone", "angle", "sgn", "logit", "selu"]


def unary(r):
    if r.maybe(0.8):
        return r.choice(UNARY), [r.tensor()], {}
    return r.choice(["zeros_like", "ones_like", "rand_like", "empty_like"]), [r.tensor()], {"dtype": DType(r.any())}


def binary(r):
    a, b = r.pair()
    kind = r.randrange(3)
    if kind == 0:
        return r.choice(BINARY) + ".Tensor", [a, b], {}
    if kind == 1:
        return r.choice(BINARY) + ".Scalar", [a, r.choice([2, 2.5, True, -1])], {}
    return r.choice(OF_TENSORS), [a, b], {}


def elementwise(r):
    a, b = r.pair()
    number = r.choice([2, 2.5, True, -1])
    return r.choice([
        lambda: ("div.Tensor_mode", [a, b], {"rounding_mode": r.choice([None, "floor", "trunc"])}),
        lambda: ("div.Scalar_mode", [a, number], {"rounding_mode": r.choice([None, "floor", "trunc"])}),
        lambda: ("pow.Tensor_Tensor", [a, b], {}),
        lambda: ("lerp.Scalar", [a, b, 0.5], {}),
        lambda: (r.choice(["pow.Tensor_Scalar", "clamp", "clamp_min", "clamp_max"]), [a, number], {}),
        lambda: ("pow.Scalar", [number, a], {}),
        lambda: ("clamp.Tensor", [a, b, r.choice([None, b])], {}),
        lambda: (r.choice(["addcmul", "addcdiv"]), [a, b, Tensor(b.shape, a.dtype)], {}),
        lambda: (r.choice(["add_", "mul_", "sub_", "div_"]) + ".Tensor", [a, b], {}),
        lambda: ("full_like", [a, number], {} if r.maybe() else {"dtype": DType(r.any())}),
        lambda: ("to.dtype", [a, DType(r.any())], {}),
        lambda: ("type_as", [a, b], {}),
        lambda: ("threshold", [a, 0.5, 1], {}),
    ])()


def products(r):
    dtype = r.floats()
    m, k, n = r.size(), r.size(), r.size()
    batch = r.sizes(0, 2)
    b = r.size()

    def t(*shape):
        return Tensor(shape, dtype)

    return r.choice([
        lambda: ("mm", [t(m, k), t(k, n)], {}),
        lambda: ("bmm", [t(b, m, k), t(b, k, n)], {}),
        lambda: ("matmul", [t(*r.broadcastable(batch), *([m] * r.maybe(0.7)), k),
                                    t(*r.broadcastable(batch), k, *([n] * r.maybe(0.7)))], {}),
        lambda: ("linear", [t(*batch, k), t(n, k), t(n) if r.maybe() else None], {}),
        lambda: ("addmm", [t(*r.broadcastable([m, n])), t(m, k), t(k, n)], {}),
        lambda: ("baddbmm", [t(*r.broadcastable([b, m, n])), t(b, m, k), t(b, k, n)], {}),
        lambda: ("addbmm", [t(m, n), t(b, m, k), t(b, k, n)], {}),
        lambda: (r.choice(["dot", "vdot"]), [t(k), t(k)], {}),
        lambda: ("inner", [t(*batch, k), t(*r.sizes(0, 2), k)], {}),
        lambda: ("mv", [t(m, k), t(k)], {}),
        lambda: ("addmv", [t(m), t(m, k), t(k)], {}),
        lambda: (r.choice(["outer", "kron"]), [t(m), t(n)], {}),
        lambda: ("kron", [t(*r.sizes(0, 3)), t(*r.sizes(0, 3))], {}),
        lambda: ("addr", [t(m, n), t(m), t(n)], {}),
        lambda: ("bilinear", [t(*batch, m), t(*batch, k), t(n, m, k), t(n)], {}),
        lambda: ("tensordot", [t(m, k, n), t(n, b, k), [1, 2], [2, 0]], {}),
        lambda: ("scaled_dot_product_attention", [t(b, 2, m, k), t(b, 2, n, k), t(b, 2, n, k)], {}),
        lambda: ("einsum", ["bij,bjk->bik", [t(b, m, k), t(b, k, n)]], {}),
        lambda: ("cdist", [t(*batch, m, k), t(*batch, n, k)], {}),
        lambda: ("cross", [t(*batch, 3), t(*batch, 3)], {}),
        lambda: ("linalg_cross", [t(*r.broadcastable(batch), 3), t(*batch, 3)], {}),
        lambda: (r.choice(["linalg_inv", "linalg_det", "linalg_eigvalsh"]), [t(*batch, m, m)], {}),
        lambda: ("linalg_svd", [t(*batch, m, n), r.maybe()], {}),
        lambda: ("linalg_qr", [t(*batch, m, n), r.choice(["reduced", "complete", "r"])], {}),
    ])()


def creation(r):
    dtype = {} if r.maybe() else {"dtype": DType(r.any())}
    shape = r.sizes(0, 3)
    x = r.tensor()
    return r.choice([
        lambda: (r.choice(["zeros", "ones", "rand", "randn", "empty.memory_format"]), [shape], dtype),
        lambda: ("full", [shape, r.choice([1, 2.5, True])], dtype),
        lambda: ("arange", [r.choice([5, 7.5, 0])], dtype),
        lambda: ("arange.start", [r.randint(-3, 2), r.choice([5, 7.5])], dtype),
        lambda: ("arange.start_step", [r.randint(-3, 2), r.choice([5, 7.5]), r.choice([1, 2, 0.5])], dtype),
        lambda: ("linspace", [0, r.choice([1, 2.5]), r.randint(0, 9)], dtype),
        lambda: ("eye", [r.size()], dtype),
        lambda: ("eye.m", [r.size(), r.size()], dtype),
        lambda: (r.choice(["tril_indices", "triu_indices"]), [r.size(), r.size(), r.randint(-3, 3)], {}),
        lambda: (r.choice(["new_zeros", "new_ones", "new_empty"]), [x, shape], dtype),
        lambda: ("new_full", [x, shape, 2.5], dtype),
        lambda: ("randint.low", [0, 5, shape], dtype),
        lambda: ("scalar_tensor", [r.choice([1, 2.5, True])], dtype),
        lambda: ("one_hot", [Tensor(shape, "int64"), r.size()], {}),
    ])()


def losses(r):
    a, b = r.pair(first=r.floats(), second="float32")
    kind = r.randint(0, 2)
    classes, batch, rest = r.size(), r.sizes(0, 1), r.sizes(0, 2)
    scores = Tensor(batch + [classes] + (rest if batch else []))
    target = Tensor(batch + (rest if batch else []), "int64")
    return r.choice([
        lambda: (r.choice(["mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "soft_margin_loss", "kl_div",
                           "poisson_nll_loss"]), [a, b, kind], {}),
        lambda: ("binary_cross_entropy", [a, Tensor(a.shape, a.dtype), None, kind], {}),
        lambda: ("binary_cross_entropy_with_logits", [a, Tensor(a.shape, a.dtype), None, None, kind], {}),
        lambda: (r.choice(["nll_loss_nd", "cross_entropy_loss"]), [scores, target, None, kind], {}),
        lambda: (r.choice(["nll_loss_forward"]), [scores, target, None, kind, -100], {}),
        lambda: ("cosine_similarity", [a, b, r.dim(max(a.rank, b.rank))], {}),
        lambda: ("pairwise_distance", [a, b], {}),
        lambda: ("triplet_margin_loss", [a, Tensor(a.shape), Tensor(a.shape)], {"reduction": kind}),
    ])()


# ---- recurrent networks and signals


def recurrent(r):
    name = r.choice(["lstm", "gru", "rnn_tanh", "rnn_relu"])
    gates = {"lstm": 4, "gru": 3}.get(name, 1)
    size, hidden, layers, batch = r.size(), r.size(), r.randint(1, 3), r.size()
    both, batch_first, biased = r.maybe(), r.maybe(), r.maybe()
    projected = r.randint(1, hidden) if name == "lstm" and r.maybe(0.3) else 0
    output, directions = projected or hidden, 2 if both else 1
    weights = []
    for layer in range(layers):
        for _ in range(directions):
            weights += [Tensor([gates * hidden, size if layer == 0 else output * directions]),
                        Tensor([gates * hidden, output])]
            weights += [Tensor([gates * hidden]) for _ in range(2)] if biased else []
            weights += [Tensor([hidden, output][::-1])] if projected else []
    x = Tensor(r.choice([[batch, r.size(), size], [r.size(), batch, size]]))
    batch = x.shape[0 if batch_first else 1]
    state = Tensor([layers * directions, batch, output])
    states = [state, Tensor([layers * directions, batch, hidden])] if name == "lstm" else state
    return name + ".input", [x, states, weights, biased, layers, 0.0, False, both, batch_first], {}


def cells(r):
    name, gates = r.choice([("lstm_cell", 4), ("gru_cell", 3), ("rnn_tanh_cell", 1), ("rnn_relu_cell", 1)])
    size, hidden, batch = r.size(), r.size(), r.sizes(0, 1)
    state = Tensor(batch + [hidden])
    states = [state, Tensor(batch + [hidden])] if name == "lstm_cell" else state
    return name, [Tensor(batch + [size]), states, Tensor([gates * hidden, size]), Tensor([gates * hidden, hidden])], {}


def signal(r):
    x = r.tensor(1, 4, r.choice([r.floats(), r.any(), "complex64"]))
    count, along = r.choice([None, r.randint(1, 9)]), r.dim(x.rank)
    dims = r.choice([None, r.dims(x.rank)])
    return r.choice([
        lambda: (r.choice(["fft_fft", "fft_ifft", "fft_rfft", "fft_irfft", "fft_hfft", "fft_ihfft"]), [x, count, along], {}),
        lambda: (r.choice(["fft_fftn", "fft_ifftn", "fft_rfftn", "fft_irfftn"]), [x, None, dims], {}),
        lambda: (r.choice(["fft_fft2", "fft_rfft2", "fft_irfft2"]), [x], {}),
        lambda: (r.choice(["fft_fftshift", "fft_ifftshift"]), [x, dims], {}),
        lambda: (r.choice(["fft_fftfreq", "fft_rfftfreq"]), [r.size()], {}),
        lambda: ("stft", [Tensor(r.sizes(0, 1) + [r.randint(16, 40)]), r.choice([8, 16]), r.choice([None, 4])],
                 {"return_complex": True, "onesided": r.maybe()}),
        lambda: (r.choice(["hann_window", "hamming_window", "blackman_window", "bartlett_window"]), [r.size()], {}),
        lambda: (r.choice(["real", "imag", "view_as_real", "conj", "resolve_conj", "view_as_complex"]), [x], {}),
        lambda: (r.choice(["complex", "polar"]), [Tensor(x.shape), Tensor(r.broadcastable(x.shape))], {}),
        lambda: ("cumulative_trapezoid.dx", [x], {}),
        lambda: ("trapezoid.dx", [x], {}),
        lambda: ("diff", [x, r.randint(0, 2), along], {}),
        lambda: ("cov", [x], {}),
    ])()


FAMILIES = [convolution, pooling, resampling, columns, normalization, softmax, reduction, order, indexing, view, slicing,
            joining, unary, binary, elementwise, products, creation, losses, recurrent, cells,
            signal]
