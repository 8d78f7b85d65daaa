# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random calls: special functions, complex numbers, short-time transforms, losses with weights, matrices."""
from random_call import DType, Tensor

FUNCTIONS = """
    digamma lgamma erfinv erfc exp2 i0 special_i1 special_ndtr special_entr special_expit special_log1p special_sinc
    cosh sinh asinh acosh atanh tan acos asin atan logit log_sigmoid softplus mish silu hardswish nan_to_num log2 log10
""".split()
OF_TWO = """
    xlogy.Tensor special_xlog1py logaddexp logaddexp2 hypot atan2 copysign.Tensor fmax fmin maximum minimum heaviside
    gcd lcm fmod.Tensor remainder.Tensor floor_divide bitwise_left_shift.Tensor bitwise_right_shift.Tensor
    float_power.Tensor_Tensor ldexp.Tensor nextafter isclose
""".split()
COMPLEX_FUNCTIONS = """
    abs angle conj_physical exp log sqrt sin cos sinh cosh tanh square reciprocal neg sigmoid real imag view_as_real
    sum mean cumsum sgn isfinite isnan t conj resolve_conj relu sign
""".split()


def special_functions(r):
    a, b = r.pair()
    return r.choice([
        lambda: (r.choice(FUNCTIONS), [a], {}),
        lambda: (r.choice(OF_TWO), [a, b], {}),
        lambda: ("polygamma", [r.randint(0, 3), a], {}),
        lambda: ("isin.Tensor_Tensor", [a, b], {"invert": r.maybe()}),
        lambda: ("lerp.Tensor", [Tensor(a.shape, "float32"), Tensor(b.shape), Tensor([])], {}),
        lambda: ("logit", [a, 0.1], {}),
        lambda: (r.choice(["addcmul", "addcdiv"]), [a, b, Tensor(b.shape, a.dtype)], {"value": r.choice([2, 0.5])}),
        lambda: ("clamp.Tensor", [a, b, Tensor(b.shape, b.dtype)], {}),
        lambda: ("renorm", [r.tensor(2, 3, "float32"), r.choice([1, 2.0]), 0, 1.0], {}),
    ])()


def complex_numbers(r):
    dtype = r.choice(["complex64", "complex128"])
    shape = r.sizes(0, 3)
    a, b = Tensor(shape, dtype), Tensor(r.broadcastable(shape), r.choice([dtype, "complex64", "float32", "int64"]))
    m, k, n = r.size(), r.size(), r.size()
    number = r.choice([2, 2.5, -1, 0.1])
    return r.choice([
        lambda: (r.choice(COMPLEX_FUNCTIONS), [a], {}),
        lambda: (r.choice(["add", "sub", "mul", "div", "eq", "ne", "rsub"]) + ".Tensor", r.choice([[a, b], [b, a]]), {}),
        lambda: (r.choice(["add", "sub", "mul", "div", "eq", "ne"]) + ".Scalar", [a, number], {}),
        lambda: (r.choice(["add", "sub"]) + ".Tensor", [a, b], {"alpha": r.choice([2, 0.5])}),
        lambda: ("matmul", [Tensor([m, k], dtype), Tensor([k, n], dtype)], {}),
        lambda: (r.choice(["mm"]), [Tensor([m, k], dtype), Tensor([k, n], dtype)], {}),
        lambda: ("cat", [[a, Tensor(shape, r.choice([dtype, "float32"]))], r.dim(len(shape))], {}),
        lambda: ("stack", [[a, a], 0], {}),
        lambda: ("constant_pad_nd", [a, [1, 2], r.choice([0, 1.5])], {}),
        lambda: (r.choice(["tril", "triu"]), [Tensor([m, n], dtype), r.randint(-2, 2)], {}),
        lambda: ("to.dtype", [a, DType(r.choice(["complex64", "complex128", "bool"]))], {}),
        lambda: ("sum.dim_IntList", [a, r.dims(len(shape)), r.maybe()], {}),
        lambda: ("mean.dim", [a, r.dims(len(shape)), r.maybe()], {}),
        lambda: (r.choice(["polar", "complex"]), [Tensor(shape), Tensor(shape)], {}),
        lambda: ("roll", [a, [r.randint(-3, 3)], [r.dim(len(shape))]], {}),
        lambda: (r.choice(["flip"]), [a, r.dims(len(shape))], {}),
        lambda: ("cumsum", [a, r.dim(len(shape))], {}),
        lambda: ("where.self", [Tensor(shape, "bool"), a, b], {}),
        lambda: (r.choice(["prod", "any", "all"]), [a], {}),
        lambda: (r.choice(["adjoint", "mT", "mH"]), [Tensor([m, n], dtype)], {}),
        lambda: ("vdot", [Tensor([m], dtype), Tensor([m], dtype)], {}),
    ])()


def transforms(r):
    x = r.tensor(1, 4, r.choice(["float32", "float64", "int64", "bool", "complex64", "complex128"]))
    norm = r.choice([None, "ortho", "forward", "backward"])
    dims = r.choice([None, r.dims(x.rank)])
    sizes = [r.choice([-1, r.randint(1, 9)]) for _ in dims] if dims and r.maybe() else None
    length = [r.randint(16, 40)]
    n = r.choice([8, 9, 16])
    signal = Tensor(r.sizes(0, 1) + length, r.choice(["float32", "float64", "complex64"]))
    window = r.choice([None, Tensor([n], "float32")])
    half = r.maybe()
    spectrum = Tensor(r.sizes(0, 1) + [n // 2 + 1 if half else n, r.randint(2, 6)], "complex64")
    return r.choice([
        lambda: (r.choice(["fft_fft", "fft_ifft", "fft_rfft", "fft_irfft", "fft_hfft", "fft_ihfft"]),
                 [x, r.choice([None, r.randint(1, 9)]), r.dim(x.rank), norm], {}),
        lambda: (r.choice(["fft_fft", "fft_ifft", "fft_rfft", "fft_irfft", "fft_hfft", "fft_ihfft"]), [x], {}),
        lambda: (r.choice(["fft_fftn", "fft_ifftn", "fft_rfftn", "fft_irfftn", "fft_hfftn", "fft_ihfftn"]),
                 [x, sizes, dims, norm], {}),
        lambda: (r.choice(["fft_fft2", "fft_ifft2", "fft_rfft2", "fft_irfft2", "fft_hfft2", "fft_ihfft2"]), [x], {}),
        lambda: (r.choice(["fft_fftshift", "fft_ifftshift"]), [x, dims], {}),
        lambda: ("_fft_c2c", [Tensor(x.shape, "complex64"), dims or [0], r.randint(0, 2), r.maybe()], {}),
        lambda: ("_fft_r2c", [Tensor(x.shape), dims or [0], r.randint(0, 2), r.maybe()], {}),
        lambda: ("_fft_c2r", [Tensor([n, 3], "complex64"), [0], r.randint(0, 2),  # PyTorch ends at other lengths
                              2 * (n - 1) + r.randint(0, 1)], {}),
        lambda: ("stft", [signal, n, r.choice([None, 1, 4]), None, window, r.maybe(), r.choice([None, half]), True], {}),
        lambda: ("stft.center", [signal, n], {
            "hop_length": r.choice([None, 3]), "window": window, "center": r.maybe(),
            "pad_mode": r.choice(["reflect", "constant", "replicate", "circular"]), "normalized": r.maybe(),
            "onesided": r.choice([None, half]), "return_complex": r.maybe(0.8)}),
        lambda: ("istft", [spectrum, n], {
            "hop_length": r.choice([None, 1, 3]), "window": window, "center": r.maybe(), "normalized": r.maybe(),
            "onesided": r.choice([None, half]), "length": r.choice([None, 7, 40]), "return_complex": r.maybe(0.1)}),
        lambda: (r.choice(["fft_fftfreq", "fft_rfftfreq"]), [r.size(), r.choice([1.0, 0.5])], {}),
        lambda: (r.choice(["linspace", "logspace"]), [r.choice([0, -2.5]), r.choice([1, 2.5]), r.randint(0, 9)], {}),
        lambda: (r.choice(["hann_window", "hamming_window", "blackman_window"]) + ".periodic", [r.size(), r.maybe()], {}),
    ])()


def weighted_losses(r):
    a, b = r.pair(first=r.floats(), second=r.choice(["float32", "float64"]))
    kind, classes, batch, rest = r.randint(0, 2), r.size(), r.sizes(0, 1), r.sizes(0, 2)
    rest = rest if batch else []
    scores, target = Tensor(batch + [classes] + rest), Tensor(batch + rest, "int64")
    weight = r.choice([None, Tensor([classes])])
    ignored = r.choice([-100, 0, 1])
    like = Tensor(a.shape, a.dtype)
    steps, count = r.randint(3, 9), r.randint(1, 3)
    lengths = [[r.randint(1, steps) for _ in range(count)], [r.randint(0, 3) for _ in range(count)]]
    return r.choice([
        lambda: ("cross_entropy_loss", [scores, target, weight, kind, ignored, r.choice([0.0, 0.1, 1.0])], {}),
        lambda: ("cross_entropy_loss", [scores, Tensor(scores.shape), weight, kind, -100, r.choice([0.0, 0.2])], {}),
        lambda: ("nll_loss_nd", [scores, target, weight, kind, ignored], {}),
        lambda: ("nll_loss_forward", [Tensor([r.size(), classes]), Tensor([r.size()], "int64"), weight, kind, ignored], {}),
        lambda: ("binary_cross_entropy", [a, like, r.choice([None, Tensor(like.shape, a.dtype)]), kind], {}),
        lambda: ("binary_cross_entropy_with_logits", [a, like, r.choice([None, Tensor(a.shape[-1:], a.dtype)]),
                                                      r.choice([None, Tensor(a.shape[-1:], a.dtype)]), kind], {}),
        lambda: ("smooth_l1_loss", [a, b, kind, r.choice([0.0, 0.5, 2.0])], {}),
        lambda: ("huber_loss", [a, b, kind, r.choice([0.5, 2.0])], {}),
        lambda: (r.choice(["mse_loss", "l1_loss", "soft_margin_loss"]), [a, b, kind], {}),
        lambda: ("kl_div", [a, b, kind], {"log_target": r.maybe()}),
        lambda: ("poisson_nll_loss", [a, b, r.maybe(), r.maybe(), 1e-8, kind], {}),
        lambda: ("margin_ranking_loss", [a, like, Tensor(like.shape, a.dtype), 0.5, kind], {}),
        lambda: ("hinge_embedding_loss", [a, b, 1.0, kind], {}),
        lambda: ("ctc_loss.IntList", [Tensor([steps, count, classes]), Tensor([count, 3], "int64"), *lengths, 0, kind,
                                      r.maybe()], {}),
        lambda: (r.choice(["cosine_embedding_loss"]), [Tensor([3, 4]), Tensor([3, 4]), Tensor([3]), 0.1, kind], {}),
        lambda: ("triplet_margin_loss", [Tensor([3, 4]), Tensor([3, 4]), Tensor([3, 4])], {"reduction": kind}),
        lambda: ("cosine_similarity", [a, b, r.dim(max(a.rank, b.rank))], {}),
        lambda: ("pairwise_distance", [a, b, r.choice([1.0, 2.0, 3.0])], {"keepdim": r.maybe()}),
    ])()


def matrices(r):
    dtype = r.choice(["float32", "float64"])
    batch, m, n, k = r.sizes(0, 2), r.randint(0, 6), r.size(), r.size()
    square, matrix = Tensor(batch + [m, m], dtype), Tensor(batch + [m, n], dtype)
    return r.choice([
        lambda: (r.choice(["linalg_inv", "inverse", "linalg_det", "det", "logdet", "linalg_slogdet", "slogdet"]), [square], {}),
        lambda: (r.choice(["linalg_inv_ex", "linalg_cholesky_ex"]), [square], {}),
        lambda: (r.choice(["matrix_exp", "linalg_matrix_exp"]), [square], {}),
        lambda: ("linalg_qr", [matrix, r.choice(["reduced", "complete", "r"])], {}),
        lambda: ("linalg_eigvalsh", [square, r.choice(["L", "U"])], {}),
        lambda: ("linalg_matrix_power", [square, r.randint(-3, 5)], {}),
        lambda: ("linalg_solve", [square, r.choice([Tensor(batch + [m, k], dtype), Tensor(batch + [m], dtype)])],
                 {"left": r.maybe(0.8)}),
        lambda: (r.choice(["linalg_svdvals", "linalg_pinv.atol_rtol_float", "pinverse",
                           "linalg_matrix_rank.atol_rtol_float"]), [matrix], {}),
        lambda: (r.choice(["linalg_eigvalsh", "linalg_cond"]), [square], {}),
        lambda: ("linalg_matrix_norm", [matrix, r.choice([1, -1, 2, -2])], {"dim": r.choice([[-2, -1], [-1, -2], [0, 1]]),
                                                                         "keepdim": r.maybe()}),
        lambda: ("linalg_matrix_norm.str_ord", [matrix, r.choice(["fro", "nuc"])], {"keepdim": r.maybe()}),
        lambda: ("linalg_vecdot", [matrix, matrix], {"dim": r.dim(matrix.rank)}),
        lambda: ("linalg_cross", [Tensor(batch + [3], dtype), Tensor(r.broadcastable(batch) + [3], dtype)], {}),
        lambda: ("tensordot", [Tensor([m, k, n], dtype), Tensor([n, 2, k], dtype), [1, 2], [2, 0]], {}),
        lambda: ("kron", [Tensor(r.sizes(0, 3), dtype), Tensor(r.sizes(0, 3), dtype)], {}),
        lambda: ("addbmm", [Tensor([m, n], dtype), Tensor([2, m, k], dtype), Tensor([2, k, n], dtype)],
                 {"beta": r.choice([0, 1, 2]), "alpha": r.choice([1, 0.5])}),
        lambda: ("addr", [Tensor([m, n], dtype), Tensor([m], dtype), Tensor([n], dtype)], {"beta": 2, "alpha": 0.5}),
        lambda: ("chain_matmul", [[Tensor([m, n], dtype), Tensor([n, k], dtype), Tensor([k, m], dtype)]], {}),
        lambda: ("linalg_multi_dot", [[Tensor([m, n], dtype), Tensor([n, k], dtype), Tensor([k, m], dtype)]], {}),
    ])()
