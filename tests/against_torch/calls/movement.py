# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random calls: indexing, views, and what only moves elements."""
from random_call import DType, Tensor


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
        lambda: ("where.self", [Tensor(r.broadcastable(x.shape), "bool"), x,
                                Tensor(r.broadcastable(x.shape), r.any())], {}),
        lambda: ("where.ScalarOther", [Tensor(x.shape, "bool"), x, 2.5], {}),
    ])()


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
