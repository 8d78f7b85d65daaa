# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random calls: recurrent networks, signals, pictures, decompositions, chance."""
from random_call import DType, Tensor


def recurrent(r):
    name = r.choice(["lstm", "gru", "rnn_tanh", "rnn_relu"])
    gates = {"lstm": 4, "gru": 3}.get(name, 1)
    size, hidden, layers, batch = r.size(), r.size(), r.randint(1, 3), r.size()
    both, batch_first, biased = r.maybe(), r.maybe(), r.maybe()
    projected = r.randint(1, hidden - 1) if name == "lstm" and hidden > 1 and r.maybe(0.3) else 0
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
        lambda: (r.choice(["fft_fft", "fft_ifft", "fft_rfft", "fft_irfft", "fft_hfft", "fft_ihfft"]),
                 [x, count, along], {}),
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


def pictures(r):
    n = r.randint(2, 3)
    x = Tensor([r.size(), r.size()] + [r.size() for _ in range(n)], r.floats())
    grid = Tensor(x.shape[:1] + [r.size() for _ in range(n)] + [n], x.dtype)
    groups = r.randint(1, 3)
    pooled = Tensor([r.size(), r.size(), r.size(), r.size()])
    return r.choice([
        lambda: ("grid_sampler", [x, grid, r.randint(0, 1), r.randint(0, 2), r.maybe()], {}),
        lambda: ("affine_grid_generator", [Tensor([x.shape[0], n, n + 1]), x.shape, r.maybe()], {}),
        lambda: ("channel_shuffle", [Tensor([r.size(), groups * r.size(), r.size(), r.size()]), groups], {}),
        lambda: ("max_unpool2d", [pooled, Tensor(pooled.shape, "int64"), [r.randint(9, 12), r.randint(9, 12)]], {}),
        lambda: ("prelu", [x, Tensor(r.choice([[1], [x.shape[1]]]), x.dtype)], {}),
        lambda: ("isin.Tensor_Tensor", [x, pooled], {}),
        lambda: ("nonzero_static", [x], {"size": r.randint(0, 9)}),
        lambda: ("renorm", [x, 2, r.dim(x.rank), 1.0], {}),
    ])()


def decompositions(r):
    dtype = r.choice(["float32", "float64", "complex64"])
    batch, m, n, k = r.sizes(0, 2), r.size(), r.size(), r.size()
    square, matrix = Tensor(batch + [m, m], dtype), Tensor(batch + [m, n], dtype)
    right = Tensor(batch + [m, k], dtype)
    return r.choice([
        lambda: (r.choice(["linalg_cholesky", "cholesky", "linalg_inv", "matrix_exp", "linalg_matrix_exp", "inverse"]),
                 [square], {}),
        lambda: (r.choice(["linalg_det", "det", "logdet", "linalg_slogdet", "slogdet", "linalg_cond"]), [square], {}),
        lambda: (r.choice(["linalg_eig", "linalg_eigvals", "linalg_eigh", "linalg_eigvalsh"]), [square], {}),
        lambda: (r.choice(["linalg_svdvals", "linalg_pinv", "linalg_matrix_rank", "linalg_matrix_norm"]), [matrix], {}),
        lambda: ("linalg_svd", [matrix, r.maybe()], {}),
        lambda: ("svd", [matrix, r.maybe(), r.maybe()], {}),
        lambda: (r.choice(["linalg_lu", "linalg_lu_factor"]), [matrix], {}),
        lambda: ("linalg_qr", [matrix, r.choice(["reduced", "complete", "r"])], {}),
        lambda: ("geqrf", [matrix], {}),
        lambda: ("linalg_solve", [square, r.choice([right, Tensor(batch + [m], dtype)])], {}),
        lambda: ("linalg_solve_triangular", [square, right], {"upper": r.maybe()}),
        lambda: ("triangular_solve", [right, square], {}),
        lambda: ("cholesky_solve", [right, square], {}),
        lambda: ("linalg_lstsq", [matrix, right], {}),
        lambda: ("linalg_matrix_power", [square, r.randint(0, 4)], {}),
        lambda: ("linalg_norm", [matrix, None, r.choice([None, [r.dim(matrix.rank)]]), r.maybe()], {}),
        lambda: ("linalg_multi_dot", [[Tensor([m, n], dtype), Tensor([n, k], dtype), Tensor([k, m], dtype)]], {}),
        lambda: ("linalg_vecdot", [matrix, matrix], {}),
        lambda: ("linalg_tensorinv", [Tensor([m * n, m, n], dtype), 1], {}),
        lambda: ("linalg_householder_product", [matrix, Tensor(batch + [min(m, n)], dtype)], {}),
        lambda: ("linalg_vander", [Tensor(batch + [m], dtype)], {}),
    ])()


def chance(r):
    x, shape = r.tensor(), r.sizes(0, 3)
    dtype = {} if r.maybe() else {"dtype": DType(r.any())}
    return r.choice([
        lambda: (r.choice(["bernoulli", "dropout", "alpha_dropout", "feature_dropout"]),
                 [x, 0.5, r.maybe()] if r.maybe(0.7) else [x], {}),
        lambda: ("native_dropout", [x, 0.5, r.choice([None, True, False])], {}),
        lambda: ("multinomial", [Tensor(r.sizes(1, 2), r.floats()), r.randint(1, 3), True], {}),
        lambda: ("normal.Tensor_float", [x, 1.5], {}),
        lambda: ("normal.Tensor_Tensor", [x, Tensor(r.broadcastable(x.shape), x.dtype)], {}),
        lambda: (r.choice(["poisson", "randn_like", "rrelu"]), [x], {}),
        lambda: ("randint_like", [x, 5], dtype),
        lambda: ("randperm", [r.size()], dtype),
        lambda: ("logspace", [0, 1, r.randint(0, 9)], dtype),
        lambda: (r.choice(["randn", "rand"]), [shape], dtype),
        lambda: (r.choice(["uniform_", "normal_", "exponential_", "zero_", "bernoulli_.float"]), [x], {}),
        lambda: ("fill_.Scalar", [x, 2.5], {}),
        lambda: (r.choice(["masked_fill_.Scalar", "masked_fill.Scalar"]), [x, Tensor(x.shape, "bool"), 2], {}),
        lambda: ("copy_", [x, Tensor(r.broadcastable(x.shape), r.any())], {}),
    ])()
