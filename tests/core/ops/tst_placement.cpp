// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/placement.h"

#include "core/ops/operator.h"
#include "core/ops/schemas/schema_table.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace cutaway::ops {
namespace {

using ir::Dim;
using ir::Shape;

TensorFact tensor(Shape shape, std::optional<Strides> strides = {})
{
    TensorFact fact = tensorFact(ir::DType::Float32, shape);
    if (strides)
        fact.strides = normal(shape, std::move(*strides));
    return fact;
}

Dim s(const char *name) { return symbolic::Expr::symbol(name); }

std::string text(const std::optional<Strides> &strides) { return strides ? ir::print(*strides) : "copy"; }

struct ViewRow {
    std::string name;
    Shape from;
    std::optional<Strides> strides;
    Shape to;
    std::string result;
};

void PrintTo(const ViewRow &row, std::ostream *out) { *out << row.name; }

class Viewed : public testing::TestWithParam<ViewRow> { };

/// Returns the strides of torch's Tensor.view(), or its refusal.
TEST_P(Viewed, asAnotherShape)
{
    const ViewRow &row = GetParam();
    EXPECT_EQ(text(viewed(tensor(row.from, row.strides), row.to)), row.result);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Viewed,
    testing::Values(ViewRow{"RowMajor", {2, 3, 4}, {}, {6, 4}, "[4, 1]"},
                    ViewRow{"Transposed", {3, 2}, Strides{1, 3}, {6}, "copy"},
                    ViewRow{"SplitOfATransposedDimension", {4, 2}, Strides{1, 4}, {2, 2, 2}, "[2, 1, 4]"},
                    ViewRow{"OuterDimensionsThatLieTogether", {2, 3, 4}, Strides{24, 8, 1}, {6, 4}, "[8, 1]"},
                    ViewRow{"ASliceDoesNotLieTogether", {2, 3}, Strides{8, 1}, {6}, "copy"},
                    ViewRow{"OnesAnywhere", {2, 1, 3}, Strides{1, 7, 2}, {1, 2, 1, 3}, "[2, 1, 6, 2]"},
                    ViewRow{"Expanded", {2, 3}, Strides{0, 1}, {2, 3, 1}, "[0, 1, 1]"},
                    ViewRow{"ExpandedMadeOne", {2, 3}, Strides{0, 1}, {6}, "copy"},
                    ViewRow{"Symbols",
                            {s("b"), 4, s("n")},
                            Strides{symbolic::Expr::symbol("n"), s("m"), 1},
                            {s("b"), 2, 2, s("n")},
                            "[n, 2*m, m, 1]"}),
    [](const auto &row) { return row.param.name; });

TEST(Normal, isNoneForRowMajorOrderWhateverOnesHave)
{
    EXPECT_EQ(normal({2, 3}, {3, 1}), nullptr);
    EXPECT_EQ(normal({1, 3}, {99, 1}), nullptr);
    EXPECT_EQ(normal({s("b"), s("n")}, {s("n"), 1}), nullptr);
    EXPECT_NE(normal({2, 3}, {1, 2}), nullptr);
}

/// Operators of sparse tensors, whose parts are not tracked, and of gradients.
constexpr std::string_view notFollowed =
    " coalesce values _values indices _indices crow_indices ccol_indices row_indices col_indices _grad_sum_to_size ";

/// Operators whose results share memory according to torch's schema have a placement rule.
TEST(Rows, saysWhereEveryViewLies)
{
    for (const OperatorFamily &family : operatorFamilies())
        for (const Operator &row : family.rows)
            for (const auto &[dialect, name, plain] : namesOf(row)) {
                if (dialect != "aten" || notFollowed.contains(" " + std::string(name) + " "))
                    continue;
                for (const Schema &schema : schemasOf("aten", name)) {
                    const bool isView = std::ranges::any_of(schema.returns, [](const SchemaArgument &result) {
                        return result.type.name == "Tensor" && result.type.alias && !result.type.isWritten();
                    });
                    EXPECT_TRUE(!isView || row.traits.place) << name;
                }
            }
}

} // namespace
} // namespace cutaway::ops
