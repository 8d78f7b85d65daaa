# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random calls: what slides windows, pads or resamples."""
from random_call import Tensor


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
