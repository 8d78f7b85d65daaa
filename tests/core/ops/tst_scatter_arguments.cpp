// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/scatter_arguments.h"

#include "arguments_test.h"

namespace cutaway::test {
namespace {

std::string print(const ops::ScatterArguments &given)
{
    constexpr std::string_view names[] = {"none", "sum", "product", "maximum", "minimum", "mean"};
    Fields fields;
    fields.add(given.reduction ? names[static_cast<std::size_t>(*given.reduction)] : "?", "");
    fields.flag("includes self", given.includesSelf, true);
    return std::move(fields).text();
}

ArgumentsRow scatterRow(std::string name, const std::string &call, std::string arguments)
{
    return {std::move(name),
            "(%x: float32[3, 4], %i: int64[2, 4], %v: int64[2], %s: float32[2, 4], %b: bool) { %r = " + call
                + " return %r }",
            std::move(arguments)};
}

class ScatterArguments : public testing::TestWithParam<ArgumentsRow> { };
TEST_P(ScatterArguments, areRead)
{
    const auto read = [](const ops::Call &call) { return print(ops::scatterArguments(call)); };
    EXPECT_EQ(argumentsOf(GetParam(), read), GetParam().arguments);
}

INSTANTIATE_TEST_SUITE_P(
    Torch, ScatterArguments,
    testing::Values(scatterRow("Scatter", "aten::scatter.src(%x, 0, %i, %s)", "none"),
                    scatterRow("ScatterOfAValue", "aten::scatter.value(%x, 0, %i, 1.0)", "none"),
                    scatterRow("ScatterThatAdds", "aten::scatter.reduce(%x, 0, %i, %s, reduce=\"add\")", "sum"),
                    scatterRow("ScatterThatMultiplies",
                               "aten::scatter.value_reduce(%x, 0, %i, 2.0, reduce=\"multiply\")", "product"),
                    scatterRow("ScatterAdd", "aten::scatter_add.default(%x, 0, %i, %s)", "sum"),
                    scatterRow("Sum", "aten::scatter_reduce.two(%x, 0, %i, %s, \"sum\")", "sum"),
                    scatterRow("Product", "aten::scatter_reduce.two(%x, 0, %i, %s, \"prod\")", "product"),
                    scatterRow("Mean", "aten::scatter_reduce.two(%x, 0, %i, %s, \"mean\")", "mean"),
                    scatterRow("Maximum", "aten::scatter_reduce.two(%x, 0, %i, %s, \"amax\")", "maximum"),
                    scatterRow("MinimumWithoutSelf",
                               "aten::scatter_reduce.two(%x, 0, %i, %s, \"amin\", include_self=false)",
                               "minimum, includes self no"),
                    scatterRow("NobodyKnowsWhetherWithSelf",
                               "aten::scatter_reduce.two(%x, 0, %i, %s, \"sum\", include_self=%b)",
                               "sum, includes self ?"),
                    scatterRow("AnotherReduction", "aten::scatter_reduce.two(%x, 0, %i, %s, \"median\")", "?"),
                    scatterRow("IndexAdd", "aten::index_add.default(%x, 0, %v, %s)", "sum"),
                    scatterRow("IndexCopy", "aten::index_copy.default(%x, 0, %v, %s)", "none"),
                    scatterRow("IndexReduce", "aten::index_reduce.default(%x, 0, %v, %s, \"amax\")", "maximum"),
                    scatterRow("IndexPut", "aten::index_put.default(%x, [%v], %s)", "none"),
                    scatterRow("IndexPutThatAdds", "aten::index_put.default(%x, [%v], %s, true)", "sum"),
                    scatterRow("NobodyKnowsWhetherItAdds", "aten::index_put.default(%x, [%v], %s, %b)", "?")),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Onnx, ScatterArguments,
    testing::Values(scatterRow("Default", "onnx::ScatterElements(%x, %i, %s)", "none"),
                    scatterRow("None", "onnx::ScatterElements(%x, %i, %s, reduction=\"none\")", "none"),
                    scatterRow("Add", "onnx::ScatterElements(%x, %i, %s, reduction=\"add\")", "sum"),
                    scatterRow("Mul", "onnx::ScatterND(%x, %i, %s, reduction=\"mul\")", "product"),
                    scatterRow("Max", "onnx::ScatterND(%x, %i, %s, reduction=\"max\")", "maximum"),
                    scatterRow("Min", "onnx::ScatterElements(%x, %i, %s, reduction=\"min\")", "minimum"),
                    scatterRow("Other", "onnx::ScatterElements(%x, %i, %s, reduction=\"xor\")", "?")),
    rowName);

} // namespace
} // namespace cutaway::test
