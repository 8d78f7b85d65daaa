// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/operators/operator_columns.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace cutaway::print {
namespace {

struct Row {
    std::string_view dialect, name, title, text;
};

constexpr Row rows[] = {
    {"aten", "relu", "core ATen", "core"},
    {"aten", "relu_", "core ATen", "core"},
    {"aten", "conv2d", "core ATen", "decomposed"},
    {"aten", "softshrink", "core ATen", "by formula"},
    {"aten", "unique_dim", "core ATen", "no"},
    {"onnx", "Relu", "core ATen", ""},
    {"aten", "conv2d", "to ONNX", "yes"},
    {"aten", "gelu", "to ONNX", "yes"}, // one of its two rules is for later operator sets
    {"aten", "col2im", "to ONNX", "from opset 18"},
    {"mylib", "trick", "to ONNX", "no"},
    {"onnx", "Relu", "to ONNX", ""},
    {"onnx", "Relu", "from ONNX", "yes"},
    {"onnx", "Trick", "from ONNX", "no"},
    {"aten", "relu", "from ONNX", ""},
    {"aten", "add", "Python", "x + y"},
    {"aten", "add_", "Python", "x += y"},
    {"aten", "permute", "Python", "x.permute(dims)"},
    {"aten", "slice", "Python", "x[…]"},
    {"aten", "abs", "Python", "x.abs()"},
    {"aten", "cat", "Python", "torch.cat()"},
    {"aten", "linear", "Python", "torch.nn, F.linear(input, weight)"},
    {"prim", "ListConstruct", "Python", "[…]"},
    {"_operator", "add", "Python", "x + y"},
    {"mylib", "trick", "Python", "torch.ops.mylib.trick()"},
    {"onnx", "Relu", "Python", ""},
    {"aten", "relu", "evaluated", "yes"},
    {"mylib", "trick", "evaluated", "no"},
    {"prim", "If", "evaluated", ""},
    {"aten", "relu6", "formula", "clamp(self, 0, 6)"},
    {"aten", "relu", "formula", ""},
};

TEST(OperatorColumns, sayWhatBecomesOfAnOperator)
{
    for (const auto &[dialect, name, title, text] : rows) {
        const auto columns = operatorColumns(dialect, name);
        const auto column = std::ranges::find(columns, title, &OperatorColumn::title);
        ASSERT_NE(column, columns.end()) << title;
        EXPECT_EQ(column->text, text) << dialect << "::" << name << ", " << title;
    }
}

} // namespace
} // namespace cutaway::print
