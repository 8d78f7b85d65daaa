// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/aten_term.h"

#include "core/rules/aten_maker.h"

#include <algorithm>
#include <numeric>

namespace cutaway::rules::to_aten {

using ir::Operand;

static Term pointwise(AtenName function, const Term &a, const Term &b)
{
    const bool isTensor = a.made->isTensor(b);
    return a.made->make(AtenName::computed(std::string(function) + (isTensor ? ".Tensor" : ".Scalar")), {a, b});
}

Term operator+(const Term &a, const Term &b) { return pointwise("add", a, b); }
Term operator-(const Term &a, const Term &b) { return pointwise("sub", a, b); }
Term operator*(const Term &a, const Term &b) { return pointwise("mul", a, b); }
Term operator/(const Term &a, const Term &b) { return pointwise("div", a, b); }
Term operator+(const Term &a, double b) { return pointwise("add", a, a.made->term(b)); }
Term operator-(const Term &a, double b) { return pointwise("sub", a, a.made->term(b)); }
Term operator*(const Term &a, double b) { return pointwise("mul", a, a.made->term(b)); }
Term operator/(const Term &a, double b) { return pointwise("div", a, a.made->term(b)); }
Term operator-(double a, const Term &b) { return -b + a; }
Term operator-(const Term &a) { return applied("neg", a); }

Term where(const Term &condition, const Term &a, const Term &b)
{
    return a.made->make("where.self", {condition, a, b});
}

Term compared(AtenName comparison, const Term &a, const Term &b) { return pointwise(comparison, a, b); }

Term applied(AtenName function, const Term &x) { return x.made->make(function, {x}); }

// ---- what many rules make

Term cast(const Term &x, ir::DType dtype)
{
    return dtypeIn(x.made->fact(x)) == dtype ? x : x.made->make("_to_copy", {x, {"dtype", dtype}});
}

bool isHalf(ir::DType dtype) { return dtype == ir::DType::Float16 || dtype == ir::DType::BFloat16; }

Term widened(const Term &x)
{
    const auto dtype = dtypeIn(x.made->fact(x));
    return dtype && isHalf(*dtype) ? cast(x, ir::DType::Float32) : x;
}

/// Whether two shapes are certainly the same. Two sizes that are not known may differ.
static bool areSame(const ir::Shape &known, const ir::Shape &shape)
{
    return std::ranges::equal(known, shape, ops::isSame);
}

static bool hasShape(const Term &x, const ir::Shape &shape)
{
    const auto known = x.made->knownTensor(x);
    return known && areSame(known->shape, shape);
}

Term view(const Term &x, const ir::Shape &shape)
{
    return hasShape(x, shape) ? x : x.made->make("view", {x, x.made->sizes(shape)});
}

Term reshape(const Term &x, const ir::Shape &shape)
{
    const auto known = x.made->tensor(x); // the rule refuses if the rank is not known
    return x.made->isRefused() || areSame(known.shape, shape) ? x : x.made->reshaped(x, shape);
}

Term rowMajor(const Term &x)
{
    return x.made->isRowMajor(x) ? x : x.made->make("clone", {x, {"memory_format", ir::MemoryFormat::Contiguous}});
}

Term permute(const Term &x, const std::vector<std::size_t> &order)
{
    if (std::ranges::is_sorted(order))
        return x;
    return x.made->make("permute", {x, AtenMaker::list(std::vector<std::int64_t>(order.begin(), order.end()))});
}

Term transposed(const Term &x, std::size_t a, std::size_t b)
{
    std::vector<std::size_t> order(std::max({x.made->tensor(x).rank(), a + 1, b + 1}));
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[a], order[b]);
    return permute(x, order);
}

Term expand(const Term &x, const ir::Shape &shape)
{
    return hasShape(x, shape) ? x : x.made->make("expand", {x, x.made->sizes(shape)});
}

Term unsqueeze(const Term &x, std::int64_t dim) { return x.made->make("unsqueeze", {x, dim}); }

Term squeeze(const Term &x, std::int64_t dim) { return x.made->make("squeeze.dim", {x, dim}); }

Term slice(const Term &x, std::size_t dim, const Operand &start, const Operand &end)
{
    return x.made->make("slice.Tensor", {x, static_cast<std::int64_t>(dim), start, end});
}

Term concat(const std::vector<Term> &parts, std::int64_t dim)
{
    return parts.front().made->make("cat", {AtenMaker::list(parts), dim});
}

Term matmul(const Term &a, const Term &b) { return a.made->make("matmul", {a, b}); }

Term sum(const Term &x, const std::vector<std::int64_t> &dims, bool keepDim)
{
    return x.made->make("sum.dim_IntList", {x, AtenMaker::list(dims), keepDim});
}

Term mean(const Term &x, const std::vector<std::int64_t> &dims, bool keepDim)
{
    return x.made->make("mean.dim", {x, AtenMaker::list(dims), keepDim});
}

} // namespace cutaway::rules::to_aten
