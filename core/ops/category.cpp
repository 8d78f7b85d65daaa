// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ops/category.h"

#include "core/ops/operator.h"

#include <array>

namespace cutaway::ops {

namespace {

/// The row of the operator that a gradient or an operator on lists comes from: `tanh` for `tanh_backward`, `add` for
/// `_foreach_add`.
const Operator *findOrigin(std::string_view dialect, std::string_view name)
{
    constexpr std::string_view gradient = "_backward", onLists = "_foreach_";
    if (name.ends_with(gradient))
        name.remove_suffix(gradient.size());
    else if (name.starts_with(onLists))
        name.remove_prefix(onLists.size());
    else
        return nullptr;
    const Operator *origin = findOperator(dialect, name);
    return origin || !name.starts_with('_') ? origin : findOperator(dialect, name.substr(1));
}

} // namespace

std::string_view name(Category category)
{
    constexpr std::array<std::string_view, categoryCount> names = {
        "convolution",  "matrix product", "attention", "normalization", "activation",
        "elementwise",  "reduction",      "shape",     "indexing",      "creation",
        "control flow", "quantization",   "recurrent", "custom",        "unknown",
    };
    return names[static_cast<std::size_t>(category)];
}

Category categoryOf(const ir::Context &context, ir::OpId op)
{
    const ir::Operator &parts = context.at(op);
    const std::string_view dialect = context.text(parts.dialect), name = context.text(parts.name);
    if (const Operator *row = findOperator(dialect, name))
        return row->category;
    if (const Operator *origin = findOrigin(dialect, name))
        return origin->category;
    return dialect.empty() || isKnownDialect(dialect) ? Category::Unknown : Category::Custom;
}

} // namespace cutaway::ops
