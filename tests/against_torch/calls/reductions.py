# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random calls: normalisation, reduction, order."""
from random_call import DType, Tensor


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
