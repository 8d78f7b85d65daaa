// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/operator.h"
#include "core/ops/row_names.h"

#include <gtest/gtest.h>

namespace cutaway::ops {
namespace {

std::string textOf(const std::vector<OperatorName> &names)
{
    std::string text;
    for (const auto &[dialect, name, plain] : names)
        text.append(dialect).append("|").append(name).append("|").append(plain).append(" ");
    return text;
}

TEST(OperatorNames, areOfSeveralDialectsAndMayHaveFurtherOnes)
{
    EXPECT_EQ(textOf(namesOf({"aten::div=divide=true_divide com.microsoft.nchwc::Div"})),
              "aten|div|div aten|divide|div aten|true_divide|div com.microsoft.nchwc|Div|Div ");
}

TEST(OperatorNames, ofOneOperatorHaveOneRowAndOneKind)
{
    EXPECT_EQ(findOperator("aten", "arcsin_"), findOperator("aten", "asin"));
    EXPECT_EQ(kindOf("aten", "arcsin"), kindOf("onnx", "Asin"));
    EXPECT_EQ(plainNameOf("aten", "true_divide"), "div");
}

TEST(OperatorNames, thatOnlyShareARowStayApart)
{
    EXPECT_EQ(findOperator("aten", "conv1d"), findOperator("aten", "conv2d"));
    EXPECT_EQ(plainNameOf("aten", "conv2d"), "conv2d");
    EXPECT_EQ(plainNameOf("aten", "transpose_copy"), "transpose_copy"); // transpose_copy is no view
}

TEST(RowNames, areThoseByWhichARowIsFound)
{
    struct Row {
        std::string_view dialect, name;
    };
    for (const auto &[dialect, name] :
         {Row{"aten", "relu"}, Row{"aten", "relu_"}, Row{"aten", "lift_fresh_copy"}, Row{"onnx", "Relu"},
          Row{"aten", "__and__"}, Row{"aten", "rellu"}, Row{"aten", "rellu_"}, Row{"onnx", "relu"}, Row{"aten", "_"}})
        EXPECT_EQ(isRowName(std::string(dialect) + "::" + std::string(name)), findRow(dialect, name).has_value())
            << name;
}

} // namespace
} // namespace cutaway::ops
