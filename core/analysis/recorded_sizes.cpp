// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/recorded_sizes.h"

#include <utility>

namespace cutaway::analysis {

RecordedSizes::RecordedSizes(const ir::Model &model, symbolic::Bindings bindings)
    : m_symbols(model, std::move(bindings))
{
}

ir::Dim RecordedSizes::of(const ir::Dim &dim) const
{
    const auto *expr = std::get_if<symbolic::Expr>(&dim);
    if (!expr)
        return dim;
    return m_symbols.contains(*expr) ? m_symbols.of(*expr) : ir::UnknownDim{};
}

ir::Shape RecordedSizes::of(const ir::Shape &shape) const
{
    ir::Shape result;
    result.reserve(shape.size());
    for (const ir::Dim &dim : shape)
        result.push_back(of(dim));
    return result;
}

} // namespace cutaway::analysis
