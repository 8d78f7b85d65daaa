// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/formatted.h"
#include "core/evaluate/evaluate.h"
#include "core/ir/context.h"
#include "core/ir/text/text.h"

#include <cmath>
#include <gtest/gtest.h>

/// Tests of one operator each, as rows.
namespace cutaway::evaluate {

using compute::Array;
using compute::Sizes;

inline ir::Model parsed(const std::string &graph, const std::string &header)
{
    auto model = ir::parseText("model \"m\"\n" + header + "graph @forward" + graph + "\n");
    EXPECT_TRUE(model) << (model ? "" : model.error().text()) << "\n" << graph;
    return model ? std::move(*model) : ir::Model();
}

/// "float32[2] 1 2.5", "complex64[1] 1+2i", what rounding leaves of a zero is one; "3" and "[1, 2]" of what is no
/// tensor.
inline std::string text(const Value &value)
{
    const auto *array = value.as<Array>();
    if (!array)
        return value.as<ops::Fact>() ? ops::print(*value.as<ops::Fact>()) : "tensors";
    std::string result =
        std::string(name(array->dtype)) + ir::print(ir::Shape(array->shape.begin(), array->shape.end()));
    const std::vector<double> numbers = floatsOf(*array);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const bool isRounding = numbers[i] != 0 && std::abs(numbers[i]) < 1e-12;
        result += formatted(" {:.6g}", isRounding ? 0 : numbers[i]);
        if (array->imaginary.empty())
            continue;
        const double imaginary = std::abs(array->imaginary[i]) < 1e-12 ? 0 : array->imaginary[i];
        result += formatted("{}{:.6g}i", imaginary < 0 ? "" : "+", imaginary);
    }
    return result;
}

inline std::string resultOf(const std::string &graph, const Values &inputs, const std::string &header = "")
{
    const ir::Model model = parsed(graph, header);
    if (model.functions.empty())
        return "no graph";
    const auto results = evaluate(model, ir::FunctionId{0}, inputs);
    return results ? text(results->front()) : results.error().text();
}

inline Array floats(Sizes shape, std::vector<double> elements)
{
    return {ir::DType::Float32, std::move(shape), std::move(elements)};
}

inline Array wholes(ir::DType dtype, Sizes shape, std::vector<std::int64_t> elements)
{
    return {dtype, std::move(shape), std::move(elements)};
}

struct Row {
    std::string name;
    std::string node; ///< "%r = aten::relu(self=%x)"; %x is float32[2, 3] -2 … 3, %i int64[3] 7 -7 2
    std::string expected;
    std::string header = {};
};

/// Computes a row's operator; tst_evaluate.cpp has the test.
class Evaluate : public ::testing::TestWithParam<Row> { };

inline std::string rowName(const ::testing::TestParamInfo<Row> &row) { return row.param.name; }

} // namespace cutaway::evaluate
