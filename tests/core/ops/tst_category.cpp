// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ops/category.h"

#include "core/ops/operator.h"

#include <gtest/gtest.h>
#include <set>

using namespace cutaway;
using ops::Category;

namespace {

struct CategoryRow {
    const char *name;
    const char *dialect;
    const char *op;
    const char *overload;
    Category category;
};

class CategoryOf : public testing::TestWithParam<CategoryRow> { };

TEST_P(CategoryOf, isTheSameInEveryDialect)
{
    const CategoryRow &row = GetParam();
    ir::Context context;
    EXPECT_EQ(ops::name(ops::categoryOf(context, context.op(row.dialect, row.op, row.overload))),
              ops::name(row.category));
}

constexpr CategoryRow categories[] = {
    {"AtenConvolution", "aten", "conv2d", "default", Category::Convolution},
    {"OnnxConvolution", "onnx", "ConvTranspose", "", Category::Convolution},
    {"LinearIsAProduct", "aten", "linear", "default", Category::MatrixProduct},
    {"Gemm", "onnx", "Gemm", "", Category::MatrixProduct},
    {"InPlaceIsNoOther", "aten", "relu_", "default", Category::Activation},
    {"DunderIsNoOther", "aten", "__and__", "Tensor", Category::Elementwise},
    {"PrivateIsNoOther", "aten", "_native_multi_head_attention", "default", Category::Attention},
    {"PythonOperator", "_operator", "ge", "", Category::Elementwise},
    {"SubscriptIsIndexing", "_operator", "getitem", "", Category::Indexing},
    {"HigherOrder", "higher_order", "cond", "", Category::ControlFlow},
    {"OnnxIf", "onnx", "If", "", Category::ControlFlow},
    {"MaxOfOneTensorReduces", "aten", "max", "dim", Category::Reduction},
    {"MaxOfManyTensorsIsElementwise", "onnx", "Max", "", Category::Elementwise},
    {"ContribGelu", "com.microsoft", "BiasGelu", "", Category::Activation},
    {"Recurrent", "onnx", "LSTM", "", Category::Recurrent},
    {"Quantize", "onnx", "QuantizeLinear", "", Category::Quantization},
    {"BackwardFollowsItsForward", "aten", "tanh_backward", "default", Category::Activation},
    {"GradientOfAPrivateOperator", "aten", "_cdist_backward", "default", Category::MatrixProduct},
    {"OfListsFollowsThatOfOne", "aten", "_foreach_add_", "List", Category::Elementwise},
    {"QuantizedSumIsASum", "com.microsoft", "QLinearAdd", "", Category::Elementwise},
    {"CopyFollowsItsView", "aten", "permute_copy", "default", Category::ShapeView},
    {"SomebodysOwn", "my_ops", "conv2d", "", Category::Custom},
    {"NobodyKnows", "aten", "frobnicate", "default", Category::Unknown},
    {"NoNamespace", "", "conv2d", "", Category::Unknown},
};

INSTANTIATE_TEST_SUITE_P(Operators, CategoryOf, testing::ValuesIn(categories),
                         [](const auto &row) { return std::string(row.param.name); });

TEST(CategoryOfRow, isOneThatSaysSomething)
{
    std::set<std::pair<std::string_view, std::string_view>> names;
    for (const ops::OperatorFamily &family : ops::operatorFamilies())
        for (const ops::Operator &row : family.rows) {
            EXPECT_LT(row.category, Category::Custom) << row.names;
            for (const auto &[dialect, name, plain] : ops::namesOf(row)) {
                EXPECT_TRUE(names.emplace(dialect, name).second) << dialect << "::" << name << " stands in two rows";
                EXPECT_NE(name, "") << row.names;
            }
        }
}

TEST(CategoryName, isDifferentForEach)
{
    std::set<std::string_view> names;
    for (int i = 0; i < ops::categoryCount; ++i)
        names.insert(ops::name(static_cast<Category>(i)));
    EXPECT_EQ(names.size(), static_cast<std::size_t>(ops::categoryCount));
    EXPECT_FALSE(names.contains(""));
}

} // namespace
