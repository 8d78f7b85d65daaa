# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random nodes of ONNX, family by family: a function draws (operator, inputs, attributes, number of results).

An input is an array, Constant(array) for one that the file has, or None. Nodes need not make sense: what ONNX Runtime
refuses is passed over.
"""
import random

import numpy as np

FLOATS = ["float32", "float32", "float32", "float64"]
INTEGERS = ["int64", "int32", "int8", "uint8"]


class Constant:
    def __init__(self, array):
        self.array = np.asarray(array, order="C")


class Draw(random.Random):
    def size(self):
        return self.randint(1, 6)

    def sizes(self, low, high):
        return [self.size() for _ in range(self.randint(low, high))]

    def maybe(self, chance=0.5):
        return self.random() < chance

    def dim(self, rank, extra=0):
        return self.randint(-rank - extra, rank + extra - 1) if rank + extra else 0

    def array(self, shape, dtype="float32", low=None, high=None):
        generator = np.random.default_rng(self.randrange(2**31))
        if dtype == "bool":
            return generator.random(shape) < 0.5
        if np.dtype(dtype).kind in "iu":
            first = low if low is not None else 0 if dtype.startswith("u") else -4
            return generator.integers(first, high if high is not None else 5, shape, endpoint=True).astype(dtype)
        made = generator.standard_normal(shape) * 2
        if self.maybe(0.1) and made.size:
            made.reshape(-1)[self.randrange(made.size)] = self.choice([0.0, -0.0, np.inf, -np.inf, np.nan, 1e30])
        return made.astype(dtype)

    def tensor(self, low=0, high=4, dtype=None):
        return self.array(self.sizes(low, high), dtype or self.choice(FLOATS + INTEGERS))

    def broadcastable(self, shape):
        shape = [1 if self.maybe(0.25) else n for n in shape]
        return shape[self.randint(0, len(shape)):] if self.maybe(0.3) else shape

    def constant(self, array, chance=0.7):
        """An array that the file mostly has."""
        return Constant(array) if self.maybe(chance) else np.asarray(array)


class Tame(Draw):
    """Draws nothing that is very large, or no number."""
    def array(self, *given, **named):
        made = super().array(*given, **named)
        return np.clip(np.nan_to_num(made), -8, 8) if made.dtype.kind == "f" else made


def whole(numbers):
    return np.asarray(numbers, "int64")


def unary(r):
    x = r.tensor()
    return r.choice([
        lambda: (r.choice("""Abs Neg Floor Ceil Round Sqrt Exp Log Erf Sigmoid Tanh Relu Softplus Softsign Elu Selu
            HardSwish Mish Sign Reciprocal IsNaN Not BitwiseNot Sin Cos Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh
            Identity""".split()), [x], {}, 1),
        lambda: (r.choice(["LeakyRelu", "Elu", "Celu", "ThresholdedRelu"]), [x], {"alpha": r.choice([0.5, 2.0])}, 1),
        lambda: ("HardSigmoid", [x], {"alpha": 0.3, "beta": 0.4}, 1),
        lambda: ("Gelu", [x], {"approximate": r.choice(["none", "tanh"])}, 1),
        lambda: ("IsInf", [x], {"detect_negative": r.randint(0, 1), "detect_positive": r.randint(0, 1)}, 1),
        lambda: ("Cast", [r.array(x.shape, x.dtype.name, 0, 5)], {"to": r.choice([1, 2, 3, 5, 6, 7, 9, 10, 11])}, 1),
        lambda: ("Selu", [x], {"alpha": 1.5, "gamma": 1.2}, 1),
        lambda: ("Shrink", [x], {"bias": 0.5, "lambd": 0.7}, 1),
        lambda: ("EyeLike", [r.array(r.sizes(2, 2), "float32")], {"k": r.randint(-3, 3)}, 1),
    ])()


def binary(r):
    shape, dtype = r.sizes(0, 4), r.choice(FLOATS + INTEGERS)
    a, b = r.array(r.broadcastable(shape), dtype), r.constant(r.array(r.broadcastable(shape), dtype), 0.3)
    divisor = r.array(r.broadcastable(shape), dtype, 1, 5)  # ONNX Runtime ends at a whole number over 0
    least, most = r.array([], dtype, -2, 0), r.array([], dtype, 1, 3)
    bools = [r.array(r.broadcastable(shape), "bool") for _ in range(2)]
    return r.choice([
        lambda: (r.choice(["Add", "Sub", "Mul", "Equal", "Greater", "Less", "GreaterOrEqual", "LessOrEqual",
                           "Max", "Min", "Sum", "Mean"]), [a, b], {}, 1),
        lambda: ("Div", [a, divisor], {}, 1),
        lambda: ("Mod", [a, divisor], {"fmod": 1 if dtype in FLOATS else r.randint(0, 1)}, 1),
        lambda: ("Pow", [a, r.constant(r.array(r.broadcastable(shape), r.choice(["float32", "int64"]), 0, 3))], {}, 1),
        lambda: (r.choice(["And", "Or", "Xor"]), bools, {}, 1),
        lambda: ("Where", [bools[0], a, b], {}, 1),
        lambda: (r.choice(["BitwiseAnd", "BitwiseOr", "BitwiseXor"]), [a, b], {}, 1),
        lambda: ("BitShift", [r.array(shape, "uint8", 0, 200), r.array(shape, "uint8", 0, 7)],
                 {"direction": r.choice(["LEFT", "RIGHT"])}, 1),
        lambda: ("PRelu", [r.array(shape), r.constant(r.array(r.broadcastable(shape)))], {}, 1),
        lambda: ("Clip", [a, r.choice([None, r.constant(least)]), r.choice([None, r.constant(most)])], {}, 1),
        lambda: (r.choice(["Max", "Min"]), [a, a, b], {}, 1),
    ])()


def reduction(r):
    x = r.tensor(0, 4)
    rank = x.ndim
    axes = r.sample(range(-rank, 0), r.randint(0, rank)) if r.maybe() else None
    return r.choice([
        lambda: (r.choice(["ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2",
                           "ReduceLogSum", "ReduceLogSumExp", "ReduceSumSquare"]),
                 [x, None if axes is None else r.constant(whole(axes))],
                 {"keepdims": r.randint(0, 1), "noop_with_empty_axes": r.randint(0, 1)}, 1),
        lambda: (r.choice(["ArgMax", "ArgMin"]), [x], {"axis": r.dim(rank), "keepdims": r.randint(0, 1),
                                                      "select_last_index": r.randint(0, 1)}, 1),
        lambda: ("TopK", [r.array(r.sizes(1, 3)), r.constant(whole([r.randint(0, 3)]))],
                 {"axis": -1, "largest": r.randint(0, 1)}, 2),
        lambda: ("CumSum", [x, r.constant(np.asarray(r.dim(rank), "int64"))],
                 {"exclusive": r.randint(0, 1), "reverse": r.randint(0, 1)}, 1),
        lambda: (r.choice(["Softmax", "LogSoftmax", "Hardmax"]), [r.array(r.sizes(1, 4))], {"axis": -1}, 1),
        lambda: (r.choice(["Softmax", "LogSoftmax", "Hardmax"]), [r.array(r.sizes(3, 3))], {"axis": r.dim(3)}, 1),
        lambda: ("MeanVarianceNormalization", [r.array(r.sizes(4, 4))], {"axes": [0, 2, 3]}, 1),
        lambda: ("LpNormalization", [r.array(r.sizes(1, 3))], {"axis": -1, "p": r.randint(1, 2)}, 1),
    ])()


def indexing(r):
    dtype = r.choice(FLOATS + INTEGERS)
    x = r.array(r.sizes(1, 4), dtype)
    axis = r.dim(x.ndim)
    size = x.shape[axis]
    places = r.array(r.sizes(0, 2), "int64", -size, size - 1)
    same = r.array([r.randint(1, n) for n in x.shape], "int64", -size, size - 1)
    flat = r.array([x.shape[0]] if r.maybe() else [x.size], "bool")
    deep = r.randint(1, x.ndim)
    rows = np.stack([r.array([3], "int64", -n, n - 1) for n in x.shape[:deep]], axis=-1)
    mode = r.choice(["none", "add", "mul", "max", "min"])
    return r.choice([
        lambda: ("Gather", [x, r.constant(places)], {"axis": axis}, 1),
        lambda: ("GatherElements", [x, r.constant(same)], {"axis": axis}, 1),
        lambda: ("GatherND", [x, r.constant(rows)], {}, 1),
        lambda: ("GatherND", [r.array([2, 3, 4]), r.constant(r.array([2, 5, 1], "int64", 0, 2))], {"batch_dims": 1}, 1),
        lambda: ("ScatterElements", [x, r.constant(same), r.array(same.shape, dtype)], {"axis": axis, "reduction": mode}, 1),
        lambda: ("ScatterND", [x, r.constant(np.unique(rows % np.asarray(x.shape[:deep]), axis=0)),
                               r.array([len(np.unique(rows % np.asarray(x.shape[:deep]), axis=0)), *x.shape[deep:]],
                                       dtype)], {"reduction": mode}, 1),
        lambda: ("OneHot", [r.array(r.sizes(0, 2), "int64", -4, 4), r.constant(np.asarray(3, "int64")),
                            r.array([2], "float32")], {"axis": r.choice([-1, 0])}, 1),
        lambda: ("NonZero", [x], {}, 1),
        lambda: ("Trilu", [r.array(r.sizes(2, 3)), r.choice([None, r.constant(np.asarray(r.randint(-3, 3), "int64"))])],
                 {"upper": r.randint(0, 1)}, 1),
        lambda: ("Compress", [x, flat], {} if len(flat) == x.size else {"axis": 0}, 1),
        lambda: ("ReverseSequence", [r.array([4, 3, 2]), whole([1, 4, 2])], {"time_axis": 0, "batch_axis": 1}, 1),
        lambda: ("Unique", [x], {"sorted": 1}, 4),
    ])()


def moving(r):
    x = r.tensor(1, 4)
    rank, axis = x.ndim, r.dim(x.ndim)
    starts = [r.randint(-7, 7) for _ in range(rank)]
    ends = [r.choice([r.randint(-7, 7), 2**31 - 1, 2**63 - 1, -2**63]) for _ in range(rank)]
    pads = [r.randint(-1, 3) for _ in range(2 * rank)]
    order = r.sample(range(rank), rank)
    picture = r.array([2, 8, 4, 6])
    ones = r.array([1 if r.maybe() else n for n in x.shape], x.dtype.name)
    singles = [i for i, n in enumerate(ones.shape) if n == 1]
    return r.choice([
        lambda: ("Slice", [x, r.constant(whole(starts)), r.constant(whole(ends)), r.choice([None, Constant(whole(range(rank)))]),
                           r.choice([None, Constant(whole([r.choice([1, 2, -1, -2, -3]) for _ in range(rank)]))])], {}, 1),
        lambda: ("Pad", [x, r.constant(whole(pads)), r.choice([None, r.constant(r.array([], x.dtype.name))])],
                 {"mode": "constant"}, 1),
        lambda: ("Pad", [r.array([1, 2, 4, 5]), Constant(whole([0, 0, r.randint(0, 2), r.randint(0, 2), 0, 0,
                                                                r.randint(0, 2), r.randint(0, 2)]))],
                 {"mode": r.choice(["reflect", "edge", "wrap"])}, 1),
        lambda: ("Pad", [r.array([3] * rank), Constant(whole([r.randint(0, 2) for _ in range(2 * rank)]))],
                 {"mode": r.choice(["reflect", "edge", "wrap"])}, 1),
        lambda: ("Pad", [r.array([3, 4, 5]), r.constant(whole([1, 2])), None, Constant(whole([r.dim(3)]))], {}, 1),
        lambda: ("CenterCropPad", [r.array([5, 4, 6]), Constant(whole([r.randint(2, 8), r.randint(2, 8)]))], {"axes": [0, 2]}, 1),
        lambda: ("Size", [x], {}, 1),
        lambda: ("Transpose", [x], {"perm": order} if r.maybe(0.8) else {}, 1),
        lambda: ("Concat", [x, x, x], {"axis": axis}, 1),
        lambda: ("Split", [x], {"axis": axis, "num_outputs": r.randint(1, 3)}, r.randint(1, 3)),
        lambda: ("Tile", [x, r.constant(whole([r.randint(0, 2) for _ in range(rank)]))], {}, 1),
        lambda: ("Expand", [ones, r.constant(whole(x.shape))], {}, 1),
        lambda: ("Reshape", [x, r.constant(whole(r.choice([[-1], [0, -1], [*x.shape[::-1]], [1, -1, 1]])))],
                 {"allowzero": r.randint(0, 1)}, 1),
        lambda: ("Flatten", [x], {"axis": r.randint(-rank, rank)}, 1),
        lambda: ("Squeeze", [ones, r.choice([None, r.constant(whole(singles))])], {}, 1),
        lambda: ("Unsqueeze", [x, r.constant(whole(r.sample(range(-rank - 2, rank + 2), 2)))], {}, 1),
        lambda: ("DepthToSpace", [picture], {"blocksize": 2, "mode": r.choice(["DCR", "CRD"])}, 1),
        lambda: ("SpaceToDepth", [picture], {"blocksize": 2}, 1),
        lambda: ("Shape", [x], {"start": r.randint(-5, 5), "end": r.randint(-5, 5)}, 1),
        lambda: ("Range", [Constant(np.asarray(r.randint(-3, 3), "int64")), Constant(np.asarray(r.randint(-3, 9), "int64")),
                           Constant(np.asarray(r.choice([1, 2, -1]), "int64"))], {}, 1),
    ])()


def windows(r):
    n = r.randint(1, 3)
    groups = r.choice([1, 1, 2])
    x = r.array([r.randint(1, 2), 2 * groups] + [r.randint(4, 8) for _ in range(n)])
    kernel = [r.randint(1, 3) for _ in range(n)]
    strides = [r.randint(1, 3) for _ in range(n)]
    where = r.choice([{"pads": [r.randint(0, 2) for _ in range(2 * n)]},
                      {"auto_pad": r.choice(["SAME_UPPER", "SAME_LOWER", "VALID"])}, {}])
    dilated = {"dilations": [r.randint(1, 2) for _ in range(n)]} if r.maybe(0.3) else {}
    out = 3 * groups
    weight, bias = r.array([out, 2] + kernel), r.choice([None, Constant(r.array([out]))])
    back = r.array([2 * groups, 3] + kernel)
    pool = {"kernel_shape": kernel, "strides": strides, "ceil_mode": r.randint(0, 1), **where}
    return r.choice([
        lambda: ("Conv", [x, r.constant(weight), bias], {"strides": strides, "group": groups, **where, **dilated}, 1),
        lambda: ("ConvTranspose", [x, r.constant(back), bias],
                 {"strides": strides, "group": groups, **({"pads": [0, 1] * n} if r.maybe(0.3) else {}), **dilated}, 1),
        lambda: ("MaxPool", [x], {**pool, **dilated}, r.choice([1, 1, 2])),
        lambda: ("AveragePool", [x], {**pool, "count_include_pad": r.randint(0, 1)}, 1),
        lambda: ("LpPool", [x], {"kernel_shape": kernel, "strides": strides, "p": r.randint(1, 3)}, 1),
        lambda: (r.choice(["GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"]), [x], {}, 1),
        lambda: ("MaxRoiPool", [r.array([2, 2, 6, 7]), Constant(np.asarray([[0, 1, 1, 4, 3], [1, 0, 2, 6.4, 5], [1, 3, 3, 3, 3]], "float32"))],
                 {"pooled_shape": [r.randint(1, 3), r.randint(1, 3)], "spatial_scale": r.choice([1.0, 0.5])}, 1),
        lambda: ("Col2Im", [r.array([1, 8, 9]), Constant(whole([4, 4])), Constant(whole([2, 2]))], {}, 1),
        lambda: ("LRN", [x], {"size": r.randint(1, 4), "alpha": 0.1, "beta": 0.7, "bias": 1.2}, 1),
    ])()


def resampling(r):
    n = r.randint(1, 2)
    x = r.array([1, 2] + [r.randint(1, 6) for _ in range(n)])
    sizes = list(x.shape[:2]) + [r.randint(1, 12) for _ in range(n)]
    scales = np.asarray([1, 1] + [r.choice([0.5, 0.6, 1.5, 2, 3]) for _ in range(n)], "float32")
    mode = r.choice(["nearest", "linear", "cubic"] if n == 2 else ["nearest", "linear"])
    attributes = {"mode": mode, "coordinate_transformation_mode": r.choice(
        ["half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "half_pixel_symmetric"])}
    if mode == "nearest":
        attributes["nearest_mode"] = r.choice(["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"])
    given = [None, Constant(scales)] if r.maybe() else [None, None, Constant(whole(sizes))]
    grid = np.clip(r.array([2, 3, 4, 2]) / 2, -1.5, 1.5).astype("float32")
    return r.choice([
        lambda: ("Resize", [x, *given], attributes, 1),
        lambda: ("Resize", [x, *given], attributes, 1),
        lambda: ("GridSample", [r.array([2, 3, 4, 5]), grid],
                 {"mode": r.choice(["linear", "nearest", "cubic"]), "align_corners": r.randint(0, 1),
                  "padding_mode": r.choice(["zeros", "border", "reflection"])}, 1),
        lambda: ("AffineGrid", [r.array([2, 2, 3]), Constant(whole([2, 3, 4, 5]))], {"align_corners": r.randint(0, 1)}, 1),
    ])()


def networks(r):
    m, k, n = r.size(), r.size(), r.size()
    x = r.array([2, 4] + r.sizes(1, 2))
    c = r.array([4])
    a, b = r.array([k, m] if (ta := r.randint(0, 1)) else [m, k]), r.array([n, k] if (tb := r.randint(0, 1)) else [k, n])
    bias = r.choice([None, r.array([n]), r.array([m, n]), r.array([m, 1]), r.array([])])
    factors = {"alpha": 0.5, "beta": 2.0} if r.maybe(0.3) else {}
    last = x.shape[-1:]
    hidden, steps, batch, size = 3, r.randint(1, 4), r.randint(1, 2), r.randint(1, 4)
    kind, gates = r.choice([("LSTM", 4), ("GRU", 3), ("RNN", 1)])
    direction = r.choice(["forward", "reverse", "bidirectional"])
    both = 2 if direction == "bidirectional" else 1
    recurrent = {"hidden_size": hidden, "direction": direction}  # ONNX Runtime has no other layout than 0
    if kind == "GRU":
        recurrent["linear_before_reset"] = r.randint(0, 1)
    return r.choice([
        lambda: ("Gemm", [a, r.constant(b), bias], {"transA": ta, "transB": tb, **factors}, 1),
        lambda: ("MatMul", [r.array(r.sizes(0, 2) + [m, k]), r.constant(r.array([k, n]))], {}, 1),
        lambda: ("Einsum", [r.array([m, k]), r.array([k, n])], {"equation": r.choice(["ij,jk->ik", "ij,jk", "ij,jk->ki"])}, 1),
        lambda: ("BatchNormalization", [x, c, c, c, np.abs(c) + 0.1], {"epsilon": 1e-3}, 1),
        lambda: ("InstanceNormalization", [r.array([2, 4, 5]), c, c], {}, 1),
        lambda: ("LayerNormalization", [x, r.array(last), r.choice([None, r.array(last)])], {"axis": -1}, r.choice([1, 1, 3])),
        lambda: ("GroupNormalization", [x, c, c], {"num_groups": r.choice([1, 2, 4])}, 1),
        lambda: (kind, [r.array([steps, batch, size]), Constant(r.array([both, gates * hidden, size]) / 4),
                        Constant(r.array([both, gates * hidden, hidden]) / 4),
                        r.choice([None, Constant(r.array([both, 2 * gates * hidden]) / 4)])], recurrent, r.randint(1, 2)),
        lambda: (r.choice(["SoftmaxCrossEntropyLoss", "NegativeLogLikelihoodLoss"]),
                 [r.array([3, 4, 2]), r.array([3, 2], "int64", 0, 3), r.choice([None, np.abs(r.array([4]))])],
                 {"reduction": r.choice(["none", "mean", "sum"]), "ignore_index": r.choice([-1, 2])}, 1),
    ])()


def quantized(r):
    x, axis = r.array([2, 3, 4]), 1
    dtype = r.choice(["int8", "uint8"])
    each = r.maybe()
    scale = Constant(np.abs(r.array([3] if each else [], "float32", 1, 2)) + np.float32(0.05))
    zero = r.choice([None, Constant(r.array([3] if each else [], dtype))])
    a, b = r.array([2, 3], r.choice(["int8", "uint8"])), r.array([3, 4], r.choice(["int8", "uint8"]))
    return r.choice([
        lambda: ("QuantizeLinear", [x, scale, zero], {"axis": axis}, 1),
        lambda: ("DequantizeLinear", [r.array([2, 3, 4], dtype), scale, zero], {"axis": axis}, 1),
        lambda: ("MatMulInteger", [a, b, r.choice([None, Constant(r.array([], a.dtype.name))]),
                                   r.choice([None, Constant(r.array([], b.dtype.name))])], {}, 1),
        lambda: ("DynamicQuantizeLinear", [x], {}, 3),
    ])()


def signal(r):
    length = r.randint(4, 16)
    return r.choice([
        lambda: ("DFT", [r.array([2, length, r.choice([1, 2])]), r.choice([None, Constant(np.asarray(r.randint(2, 18), "int64"))]),
                         Constant(np.asarray(r.choice([1, -2]), "int64"))],
                 {"inverse": r.randint(0, 1), "onesided": r.randint(0, 1)}, 1),
        lambda: ("STFT", [r.array([2, 20, 1]), Constant(np.asarray(r.randint(1, 5), "int64")),
                          r.choice([None, Constant(r.array([8]))]), Constant(np.asarray(8, "int64"))],
                 {"onesided": r.randint(0, 1)}, 1),
        lambda: (r.choice(["HannWindow", "HammingWindow", "BlackmanWindow"]), [Constant(np.asarray(length, "int64"))],
                 {"periodic": r.randint(0, 1)}, 1),
        lambda: ("MelWeightMatrix", [Constant(np.asarray(n, "int64")) for n in (8, 64, 8000)]
                 + [Constant(np.asarray(n, "float32")) for n in (50, 3800)], {}, 1),
    ])()


def grown(r, tree, targets, features, rows, weights):
    """Adds a tree to the attributes of an ensemble, each leaf with a weight for each target."""
    pending, count = [(0, 0)], 1
    while pending:
        number, depth = pending.pop()
        isLeaf = depth > 3 or (depth > 0 and r.maybe(0.3))
        children = (0, 0) if isLeaf else (count, count + 1)
        mode = "LEAF" if isLeaf else r.choice(["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT"])
        rows.append((tree, number, r.randrange(features), mode, round(r.uniform(-2, 2), 2), *children,
                     0 if isLeaf else r.randint(0, 1)))
        if isLeaf:
            weights += [(tree, number, target, round(r.uniform(-1, 1), 3)) for target in range(targets)]
        else:
            pending += [(child, depth + 1) for child in children]
            count += 2


def trees(r):
    features, targets, isClassifier = r.randint(1, 4), r.randint(1, 4), r.maybe()
    rows, weights = [], []
    for tree in range(r.randint(1, 4)):
        grown(r, tree, targets, features, rows, weights)
    names = ["treeids", "nodeids", "featureids", "modes", "values", "truenodeids", "falsenodeids",
             "missing_value_tracks_true"]
    attributes = {"nodes_" + name: list(column) for name, column in zip(names, zip(*rows))}
    kind = "class" if isClassifier else "target"
    attributes |= {f"{kind}_{name}": list(column)
                   for name, column in zip(["treeids", "nodeids", "ids", "weights"], zip(*weights))}
    x = r.array([r.randint(1, 5), features], r.choice(["float32", "float32", "float64", "int64"]))
    if isClassifier:
        return "ai.onnx.ml::TreeEnsembleClassifier", [x], {**attributes, "classlabels_int64s": [7, 3, 5, 9][:targets]}, 2
    attributes |= {"n_targets": targets, "aggregate_function": r.choice(["SUM", "AVERAGE"])}
    if r.maybe():
        attributes["base_values"] = [0.5] * targets
    return "ai.onnx.ml::TreeEnsembleRegressor", [x], attributes, 1


def whole_scales(r, count=None):
    """Scales and zero points of whole numbers: of all, or of so many columns."""
    shape = [] if count is None else [count]
    return Constant(np.abs(r.array(shape)) + np.float32(0.05))


def fused(r):
    """What ONNX Runtime's optimizer makes."""
    rows, width = r.randint(1, 4), r.choice([2, 4, 6])
    x, c = r.array([2, rows, width]), r.array([width])
    m, k, n = r.size(), r.size(), r.size()
    batch = r.sizes(0, 2)
    ta, tb = r.randint(0, 1), r.randint(0, 1)
    a, b = r.array(batch + ([k, m] if ta else [m, k])), r.array(batch + ([n, k] if tb else [k, n]))
    activation = r.choice([("Relu", []), ("Tanh", []), ("Sigmoid", []), ("LeakyRelu", [0.3]), ("Clip", [-0.5, 0.7]),
                           ("HardSigmoid", [0.3, 0.4])])
    params = {"activation": activation[0], **({"activation_params": activation[1]} if activation[1] else {})}
    picture, filters = r.array([1, 2, 5, 6]), Constant(r.array([4, 2, 3, 3]))
    table = [r.array([5, width]) for _ in range(3)]
    ids, segments = r.array([2, rows], "int32", 0, 4), r.choice([None, r.array([2, rows], "int32", 0, 4)])
    skip = r.array(r.choice([[2, rows, width], [1, rows, width], [rows, width]]))
    return r.choice([
        lambda: ("com.microsoft::BiasGelu", [x, c], {}, 1),
        lambda: ("com.microsoft::FastGelu", [x, r.choice([None, c])], {}, 1),
        lambda: ("com.microsoft::Gelu", [x], {}, 1),
        lambda: ("com.microsoft::QuickGelu", [x], {"alpha": 1.5}, 1),
        lambda: ("com.microsoft::FusedMatMul", [a, b], {"transA": ta, "transB": tb, "alpha": 0.5}, 1),
        lambda: ("com.microsoft::TransposeMatMul", [a, b], {"transA": ta, "transB": tb, "alpha": 0.5}, 1),
        lambda: ("com.microsoft::FusedMatMul", [r.array([m, 2, k]), r.array([2, k, n])], {"transBatchA": 1}, 1),
        lambda: ("com.microsoft::FusedGemm", [r.array([k, m] if ta else [m, k]), r.array([n, k] if tb else [k, n]), r.array([n])],
                 {"transA": ta, "transB": tb, "alpha": 0.5, "beta": 2.0, "activation": r.choice(["Relu", "Tanh", "Sigmoid"])}, 1),
        lambda: ("com.microsoft::FusedConv", [picture, filters, r.choice([None, Constant(r.array([4]))])],
                 {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1], **params}, 1),
        lambda: ("com.microsoft::FusedConv", [picture, filters, Constant(r.array([4])), r.array([1, 4, 5, 6])],
                 {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1], **params}, 1),
        lambda: ("com.microsoft::SkipLayerNormalization", [x, skip, c, r.choice([None, c]), r.choice([None, c])],
                 {"epsilon": 1e-5}, r.choice([1, 4])),
        lambda: ("com.microsoft::SkipSimplifiedLayerNormalization", [x, skip, c, r.choice([None, c])],
                 {"epsilon": 1e-5}, r.choice([1, 4])),
        lambda: ("SimplifiedLayerNormalization", [x, c], {"epsilon": 1e-5, "axis": -1}, 1),
        lambda: ("com.microsoft::EmbedLayerNormalization",
                 [ids, segments, table[0], table[1], table[2] if segments is not None else None, c, c,
                  r.choice([None, r.array([2, rows], "int32", 0, 1)])], {"epsilon": 1e-5}, r.choice([2, 3])),
        lambda: ("com.microsoft::Trilu", [r.array(r.sizes(2, 3)), r.constant(np.asarray(r.randint(-3, 3), "int64"))],
                 {"upper": r.randint(0, 1)}, 1),
        lambda: ("com.microsoft::Inverse", [r.array([2, 3, 3]) + 4 * np.eye(3, dtype="float32")], {}, 1),
        lambda: ("com.microsoft::UnfoldTensor", [r.array([2, 7])], {"dim": -1, "size": 3, "step": 2}, 1),
        lambda: ("com.microsoft::CDist", [r.array([m, k]), r.array([n, k])],
                 {"metric": r.choice(["euclidean", "sqeuclidean"])}, 1),
    ])()


def attending(r):
    heads, size, batch, rows, before = r.choice([1, 2, 4]), r.choice([2, 4]) * 2, r.randint(1, 2), r.randint(1, 4), r.randint(1, 3)
    width, more = heads * size, r.randint(1, 5)
    r = Tame(r.random())
    x = r.array([batch, rows, width])
    keys = r.choice([1, heads])
    past = r.choice([None, r.array([2, batch, heads, before, size])])
    total = rows + (before if past is not None else 0)
    mask = r.choice([None, r.array([batch, total], "int32", 0, 1), r.array([batch], "int32", 1, total),
                     r.array([batch, rows, total], "int32", 0, 1)])
    if mask is not None and mask.ndim > 1:
        mask[..., 0] = 1
    causal = {"unidirectional": r.randint(0, 1)}
    q, k, v = x, r.array([batch, more, width]), r.array([batch, more, width])
    pasts = r.choice([[], [r.array([batch, heads, before, size]) for _ in range(2)]])
    length = more + (before if pasts else 0)
    tables = [Constant(np.cos(r.array([16, size // 2])).astype("float32")), Constant(np.sin(r.array([16, size // 2])).astype("float32"))]
    new = {"past": r.array([batch, keys, before, size]), "value": r.array([batch, keys, before, size])}
    isFirst = r.maybe()
    lasts = np.asarray([(rows if isFirst else rows + before) - 1] * batch, "int32")
    rotary = {"do_rotary": 1, "rotary_interleaved": r.randint(0, 1)} if r.maybe() else {}
    window = {"local_window_size": r.randint(1, 3)} if r.maybe(0.3) else {}
    packed = r.maybe(0.3)
    group = [r.array([batch, rows, (heads + 2 * keys) * size])] + [None] * 2 if packed else \
        [x, r.array([batch, rows, keys * size]), r.array([batch, rows, keys * size])]
    return r.choice([
        lambda: ("com.microsoft::Attention", [x, r.constant(r.array([width, 3 * width]) / 3), r.array([3 * width]), mask, past],
                 {"num_heads": heads, **causal}, 2 if past is not None else r.choice([1, 2])),
        lambda: ("com.microsoft::MultiHeadAttention",
                 [q, k, v, r.choice([None, r.array([3 * width])]), None if pasts else r.choice([None, r.array([batch], "int32", 1, more)]),
                  r.choice([None, r.array([batch, heads, rows, length])]), *pasts],
                 {"num_heads": heads}, 3 if pasts else r.choice([1, 3])),
        lambda: ("com.microsoft::GroupQueryAttention",
                 group + ([None, None] if isFirst else [new["past"], new["value"]])
                 + [Constant(lasts), Constant(np.asarray(lasts[0] + 1, "int32")), *(tables if rotary else [])],
                 {"num_heads": heads, "kv_num_heads": keys, **rotary, **window}, 3),
        lambda: ("com.microsoft::RotaryEmbedding",
                 [r.array([batch, heads, rows, size]) if r.maybe() else x,
                  r.choice([np.asarray([2], "int64"), r.array([batch, rows], "int64", 0, 15)]), *tables],
                 {"interleaved": r.randint(0, 1)}, 1),
        lambda: ("com.microsoft::QAttention",
                 [r.array([batch, rows, width], "uint8", 0, 9), Constant(r.array([width, 3 * width], "uint8", 0, 9)), Constant(r.array([3 * width])),
                  np.asarray(0.1, "float32"), np.asarray(0.1, "float32"), None, np.asarray(3, "uint8"), np.asarray(5, "uint8")],
                 {"num_heads": heads, **causal}, 1),
    ])()


def fused_quantized(r):
    dtype = r.choice(["int8", "uint8"])
    zero = lambda: Constant(r.array([], dtype))
    one = whole_scales
    x, y = r.array([2, 3, 4], dtype), r.array(r.choice([[2, 3, 4], [3, 1], [4]]), dtype)
    bits, size = r.choice([4, 4, 8]), r.choice([16, 32])
    m, k, n = r.randint(1, 3), r.choice([16, 32, 40]), r.randint(1, 5)
    blocks = -(-k // size)
    packed = Constant(r.array([n, blocks, size * bits // 8], "uint8", 0, 255))
    zeros = r.choice([None, Constant(r.array([n * -(-blocks * bits // 8)], "uint8", 0, 255))])
    a, b = r.array([3, 4], "uint8", 0, 9), Constant(r.array([4, 5], dtype))
    each = r.maybe()
    picture = r.array([1, 2, 5, 6], dtype)
    d, axis = r.array([4, 6], dtype), r.randint(0, 1)
    return r.choice([
        lambda: ("com.microsoft::MatMulNBits", [r.array([m, k]), packed, Constant(r.array([n * blocks])), zeros],
                 {"K": k, "N": n, "bits": bits, "block_size": size}, 1),
        lambda: (r.choice(["com.microsoft::QLinearAdd", "com.microsoft::QLinearMul"]),
                 [x, one(r), zero(), y, one(r), zero(), one(r), zero()], {}, 1),
        lambda: (r.choice(["com.microsoft::QLinearSigmoid", "com.microsoft::QLinearLeakyRelu"]), [x, one(r), zero(), one(r), zero()], {}, 1),
        lambda: ("com.microsoft::QLinearSoftmax", [x, one(r), zero(), Constant(np.asarray(1 / 256, "float32")),
                                                  Constant(np.asarray(-128 if dtype == "int8" else 0, dtype))],
                 {"axis": -1, "opset": 13}, 1),
        lambda: ("com.microsoft::QLinearAveragePool", [picture, one(r), zero(), one(r), zero()],
                 {"kernel_shape": [2, 2], "pads": [1, 1, 1, 1], "count_include_pad": r.randint(0, 1)}, 1),
        lambda: ("com.microsoft::QLinearGlobalAveragePool", [picture, one(r), zero(), one(r), zero()], {"channels_last": 0}, 1),
        lambda: ("com.microsoft::QLinearConcat", [one(r), zero(), x, one(r), zero(), x, one(r), zero()], {"axis": r.dim(3)}, 1),
        lambda: ("com.microsoft::QLinearWhere", [r.array([2, 3, 4], "bool"), x, one(r), zero(), y, one(r), zero(), one(r), zero()], {}, 1),
        lambda: ("com.microsoft::QGemm", [a, one(r), Constant(r.array([], "uint8")), b, one(r, 5 if each else None),
                                          Constant(r.array([5] if each else [], dtype)), r.choice([None, Constant(r.array([5], "int32"))]),
                                          *([one(r), Constant(r.array([], "uint8"))] if r.maybe() else [])], {}, 1),
        lambda: ("com.microsoft::MatMulIntegerToFloat", [a, b, one(r), one(r, 5 if each else None), Constant(r.array([], "uint8")),
                                                         Constant(r.array([5] if each else [], dtype)), r.choice([None, r.array([5])])], {}, 1),
        lambda: ("com.microsoft::DynamicQuantizeMatMul", [r.array([3, 4]), b, one(r, 5 if each else None),
                                                          Constant(r.array([5] if each else [], dtype)), r.choice([None, r.array([5])])], {}, 1),
        lambda: ("com.microsoft::DequantizeLinear", [d, one(r, d.shape[axis]), Constant(r.array([d.shape[axis]], dtype))], {"axis": axis}, 1),
        lambda: ("com.microsoft::QuantizeLinear", [r.array([4, 6]), one(r, [4, 6][axis]), Constant(r.array([[4, 6][axis]], dtype))], {"axis": axis}, 1),
        lambda: ("DequantizeLinear", [r.array([4, 6], dtype), Constant(np.abs(r.array([4, 3] if axis else [2, 6])) + np.float32(0.1)),
                                      r.choice([None, Constant(r.array([4, 3] if axis else [2, 6], dtype))])],
                 {"axis": axis, "block_size": 2}, 1),
        lambda: ("QuantizeLinear", [r.array([4, 6]), Constant(np.abs(r.array([4, 3] if axis else [2, 6])) + np.float32(0.1)),
                                    Constant(r.array([4, 3] if axis else [2, 6], dtype))], {"axis": axis, "block_size": 2}, 1),
        lambda: ("QLinearConv", [picture, one(r), zero(), Constant(r.array([4, 2, 3, 3], "int8")), one(r, 4 if each else None),
                                 Constant(np.zeros([4] if each else [], "int8")), one(r), zero(), r.choice([None, Constant(r.array([4], "int32"))])],
                 {"pads": [1, 1, 1, 1]}, 1),
        lambda: ("ConvInteger", [r.array([1, 2, 5, 6], "uint8"), Constant(r.array([4, 2, 3, 3], dtype)), Constant(r.array([], "uint8")), zero()],
                 {"pads": [1, 0, 1, 0]}, 1),
        lambda: ("QLinearMatMul", [a, one(r), Constant(r.array([], "uint8")), b, one(r, 5 if each else None),
                                   Constant(r.array([5] if each else [], dtype)), one(r), Constant(r.array([], "uint8"))], {}, 1),
    ])()


FAMILIES = [unary, binary, reduction, indexing, moving, windows, resampling, networks, quantized, signal, trees, fused,
            attending, fused_quantized]
# Those whose elements may be very large, or no number: what others make of them is a matter of how they add.
EXTREME = [unary, binary, indexing, moving]


# ---- where ONNX Runtime 1.21 is known to depart from ONNX's document, which its reference implementation follows


def elements(x):
    return None if x is None else x.array if isinstance(x, Constant) else np.asarray(x)


def resizes_by_a_part(op, inputs, attributes):
    """It takes the rounded length of the result for the corners, ONNX's reference the exact one."""
    if op != "Resize" or attributes.get("coordinate_transformation_mode") != "align_corners" or len(inputs) != 3:
        return False
    lengths = elements(inputs[2]) * elements(inputs[0]).shape
    return bool((lengths != np.floor(lengths)).any())


def slices_backwards_from_the_end(op, inputs, attributes):
    """It takes the largest integer as an end to mean the beginning where the step is negative."""
    if op != "Slice" or len(inputs) < 5 or inputs[4] is None:
        return False
    return bool(((elements(inputs[2]) >= 2**31 - 1) & (elements(inputs[4]) < 0)).any())


def pads_what_is_cut_away(op, inputs, attributes):
    """It leaves memory as it was where negative pads take all elements."""
    if op != "Pad" or attributes.get("mode") != "constant":
        return False
    before, after = elements(inputs[1])[:elements(inputs[0]).ndim], elements(inputs[1])[elements(inputs[0]).ndim:]
    return bool((np.minimum(before, 0) + np.minimum(after, 0) + elements(inputs[0]).shape <= 0).any())


def reduces_nothing(op, inputs, attributes):
    """It gives what it gets where ONNX squares or takes logarithms of the single elements."""
    axes = elements(inputs[1]) if len(inputs) > 1 else None
    return op.startswith("Reduce") and attributes.get("noop_with_empty_axes") == 1 and (axes is None or axes.size == 0)


def pools_behind_the_end(op, inputs, attributes):
    """It divides averages by a part of the padding, and takes SAME wrong with dilations and strides over the kernel."""
    same = attributes.get("auto_pad", "NOTSET").startswith("SAME")
    counts = attributes.get("count_include_pad", 0) == 1 and (same or any(attributes.get("pads", [])))
    skips = same and any(s > k for s, k in zip(attributes.get("strides", []), attributes.get("kernel_shape", [])))
    return op in ("MaxPool", "AveragePool") and (counts or skips or same and "dilations" in attributes)


def samples_outside(op, inputs, attributes):
    """It moves all coordinates of a place of which one lies outside."""
    return op == "GridSample" and attributes.get("mode") == "cubic" and attributes.get("padding_mode") != "zeros"


def quantizes_one(op, inputs, attributes):
    """A probability of 1 becomes -128."""
    return op == "com.microsoft::QLinearSoftmax" and elements(inputs[0]).dtype == np.int8


def multiplies_infinity(op, inputs, attributes):
    """It adds 0 times an infinite slope, or the slope times 0 of an infinite element."""
    return op == "PRelu" and not all(np.isfinite(elements(x)).all() for x in inputs)


def subtracts_squares(op, inputs, attributes):
    """The variance of two elements is the mean of squares less the square of the mean, in single precision."""
    return op.endswith("LayerNormalization") and elements(inputs[0]).shape[-1:] == (2,)


def cancels(op, inputs, attributes):
    """1 + erf(x) is 0 in single precision."""
    return op.endswith("Gelu") and bool((elements(inputs[0]) < -4).any())


DEPARTURES = [resizes_by_a_part, slices_backwards_from_the_end, pads_what_is_cut_away, reduces_nothing,
              pools_behind_the_end, samples_outside, quantizes_one, multiplies_infinity, subtracts_squares,
              cancels]


def departure(op, inputs, attributes):
    """The name of the first that a node shows, or None."""
    return next((each.__name__ for each in DEPARTURES if each(op, inputs, attributes)), None)
