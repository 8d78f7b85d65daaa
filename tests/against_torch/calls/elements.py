# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random calls: elementwise operators, products, creation, losses."""
from random_call import DType, Tensor


BINARY = """
    add sub mul div remainder fmod eq ne lt le gt ge bitwise_and bitwise_or bitwise_xor true_divide rsub
""".split()
OF_TENSORS = """
    floor_divide maximum minimum atan2 logical_and logical_or fmax hypot logaddexp copysign.Tensor
    xlogy.Tensor heaviside gcd isclose nextafter bitwise_left_shift.Tensor float_power.Tensor_Tensor
    dist
""".split()
UNARY = """
    relu exp sin sqrt rsqrt abs neg sign floor ceil round trunc sigmoid tanh gelu silu erf log
    reciprocal isnan isinf logical_not bitwise_not square hardtanh leaky_relu elu softplus mish
    hardswish hardsigmoid log1p expm1 signbit frac deg2rad isfinite positive nan_to_num clone angle sgn
    logit selu
""".split()


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
