// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/writes/view_inverses.h"

#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rule_table.h"

#include <algorithm>

namespace cutaway::passes {

namespace {

using enum ViewInverse::Arguments;
constexpr ViewInverse inverses[] = {
    {"aten::select", "int", "select_scatter", "", BaseAndPart},
    {"aten::slice", "Tensor", "slice_scatter", "", BaseAndPart},
    {"aten::diagonal", "", "diagonal_scatter", "", BaseAndPart},
    {"aten::unsqueeze", "", "squeeze", "dim", Part},
    {"aten::transpose", "int", "transpose", "int", Part},
    {"aten::t", "", "t", "", Part},
    {"aten::detach aten::alias", "", "alias", "", Part},
    {"aten::view aten::view_as aten::squeeze", "", "reshape_as", "", PartLikeBase},
    {"aten::squeeze", "dim", "reshape_as", "", PartLikeBase},
    {"aten::squeeze", "dims", "reshape_as", "", PartLikeBase},
    {"aten::swapaxes", "", "swapaxes", "", Part},
    {"aten::swapdims", "", "swapdims", "", Part},
    {"aten::unflatten", "int", "reshape_as", "", PartLikeBase},
    {"aten::permute", "", "permute", "", Reordered},
    {"aten::as_strided", "", "as_strided_scatter", "", BaseAndPart, true},
};

/// Whether a tensor is certainly all of its memory, row by row. as_strided picks elements from the memory, which may
/// lie outside of a tensor that is a view of a part of it.
bool isWholeMemory(analysis::Reading &reading, const ir::Operand *operand)
{
    const auto value = ir::valueOf(reading.graph(), operand);
    const ops::Fact fact = value ? reading.fact(*operand) : ops::Fact();
    const ops::TensorFact *tensor = ops::asTensor(fact);
    if (!tensor || !tensor->shape || tensor->strides)
        return false;
    const auto maker = value->producer();
    const ops::Signature *made = maker ? reading.signature((*maker)->op) : nullptr;
    return !maker || (made && std::ranges::none_of(made->schema.returns, [](const auto &result) {
                          return result.type.alias || !result.type.elements.empty();
                      }));
}

} // namespace

const ViewInverse *findInverse(analysis::Reading &reading, const ir::NodeRef &node)
{
    const ops::Signature *known = reading.signature(node->op); // signatures have "" for the overload "default"
    static const rules::RuleTable<ViewInverse> table{inverses};
    const auto rows = table.of(node.dialect(), node.opName());
    const auto row = std::ranges::find_if(
        rows, [&](const ViewInverse *inverse) { return known && known->schema.overload == inverse->overload; });
    if (row == rows.end() || ((*row)->arguments == Reordered && !undoneOrder(reading.argument(node, "dims")))
        || ((*row)->needsWholeMemory && !isWholeMemory(reading, reading.argument(node, "self"))))
        return nullptr;
    return *row;
}

std::optional<ir::List> undoneOrder(const ir::Operand *order)
{
    const auto *dims = order ? order->as<ir::List>() : nullptr;
    if (!dims)
        return std::nullopt;
    ir::List made{std::vector<ir::Operand>(dims->items.size())};
    for (std::size_t i = 0; i < dims->items.size(); ++i) {
        const auto *dim = dims->items[i].as<std::int64_t>();
        const auto place = dim ? ops::dimension(*dim, dims->items.size()) : std::nullopt;
        if (!place)
            return std::nullopt;
        made.items[*place] = static_cast<std::int64_t>(i);
    }
    return made;
}

} // namespace cutaway::passes
