// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/call.h"
#include "core/ops/category.h"
#include "core/ops/placement.h"

#include <span>
#include <string_view>
#include <vector>

namespace cutaway::ops {

/// What one execution does. Floating point operations: a multiply-add is two.
struct Cost {
    ir::Dim flops = std::int64_t{0}; ///< what torch.utils.flop_counter counts: matrix products, convolutions, attention
    ir::Dim otherFlops = std::int64_t{0};   ///< everything else
    ir::Dim bytesRead = std::int64_t{0};    ///< each tensor argument once; cost rules leave these two alone
    ir::Dim bytesWritten = std::int64_t{0}; ///< what lies in new memory or is written to in place
};
Cost plus(const Cost &a, const Cost &b);
Cost times(const Cost &cost, const ir::Dim &count);

/// The results of a call, one per output (fewer: the rest is unknown).
using ShapeRule = Facts (*)(const Call &call);
using CostRule = Cost (*)(const Call &call, std::span<const Fact> results);

enum class Effect : std::uint8_t {
    Pure,   ///< the same arguments give the same results, but for what an in-place operator writes (see the schema)
    Random, ///< draws numbers
    Acts,   ///< prints, raises, synchronises
};

/// What an operator means, in all dialects it is known by. Each family of operators is a source with its rows.
struct Operator {
    std::string_view
        names; ///< "aten::relu onnx::Relu", separated by blanks; relu_, relu_copy and overloads are the same
    Category category = Category::Unknown;
    ShapeRule shape = nullptr; ///< nullptr: nobody knows
    CostRule cost = nullptr;   ///< nullptr: nothing is computed, data is at most moved
    Effect effect = Effect::Pure;
    PlaceRule place = nullptr; ///< nullptr: new memory, laid out as the category does it
};

std::vector<std::string_view> namesOf(const Operator &row); ///< "aten::relu", "onnx::Relu"

// Costs that many operators share.
Cost onePerResult(const Call &call, std::span<const Fact> results);   ///< one operation per element of the results
Cost onePerArgument(const Call &call, std::span<const Fact> results); ///< one per element of the first argument
Cost unknownFlops(const Call &call, std::span<const Fact> results);
Cost unknownOther(const Call &call, std::span<const Fact> results); ///< no flops, and nobody knows how many others

// Shape rules that many operators share: a number or a bool that nobody follows.
Facts someInt(const Call &call);
Facts someBool(const Call &call);

/// Operators that have a source together.
struct OperatorFamily {
    std::string_view name; ///< "matrix product"
    std::span<const Operator> rows;
};
std::span<const OperatorFamily> operatorFamilies();

/// The row of an operator, or nullptr. `name` with a trailing "_" or "_copy" that no row has is that of the plain one.
const Operator *findOperator(std::string_view dialect, std::string_view name);

/// Whether any row is of this dialect.
bool isKnownDialect(std::string_view dialect);

} // namespace cutaway::ops
