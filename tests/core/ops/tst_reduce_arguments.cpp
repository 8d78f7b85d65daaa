// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/reduce_arguments.h"

#include "arguments_test.h"

namespace cutaway::test {
namespace {

std::string print(const ops::ReduceArguments &given)
{
    Fields fields;
    fields.position("input", given.input);
    const auto *listed = given.axes ? std::get_if<std::vector<ir::Dim>>(&*given.axes) : nullptr;
    fields.add("axes", listed ? ir::print(*listed) : given.axes ? "all" : "?");
    if (given.axisCount && !listed)
        fields.add("count", std::to_string(*given.axisCount));
    fields.flag("keep dim", given.keepDim, false);
    if (given.dtype)
        fields.add("dtype", *given.dtype ? std::string(ir::name(**given.dtype)) : "?");
    fields.flag("select last index", given.selectLastIndex, false);
    return std::move(fields).text();
}

class ReduceArguments : public testing::TestWithParam<ArgumentsRow> { };
TEST_P(ReduceArguments, areRead)
{
    EXPECT_EQ(argumentsOf(GetParam(), [](const ops::Call &call) { return print(ops::reduceArguments(call)); }),
              GetParam().arguments);
}

INSTANTIATE_TEST_SUITE_P(
    Torch, ReduceArguments,
    testing::Values(
        ArgumentsRow{"All", "(%x: float32[2, 3]) { %r = aten::sum(%x) return %r }", "input #0, axes all"},
        ArgumentsRow{"Listed", "(%x: float32[2, 3]) { %r = aten::sum.dim_IntList(%x, [-1], true) return %r }",
                     "input #0, axes [-1], keep dim"},
        ArgumentsRow{"AnEmptyListIsAll", "(%x: float32[2, 3]) { %r = aten::mean.dim(%x, []) return %r }",
                     "input #0, axes all"},
        ArgumentsRow{"AnEmptyListIsNone", "(%x: bool[2, 3]) { %r = aten::any.dims(%x, []) return %r }",
                     "input #0, axes []"},
        ArgumentsRow{"One", "(%x: float32[2, 3]) { %r = aten::argmax(%x, 1) return %r }", "input #0, axes [1]"},
        ArgumentsRow{"DType", "(%x: int32[2, 3]) { %r = aten::sum(%x, dtype=float64) return %r }",
                     "input #0, axes all, dtype float64"},
        ArgumentsRow{"Prims", "(%x: float32[2, 3]) { %r = prims::sum(%x, [0], output_dtype=float32) return %r }",
                     "input #0, axes [0], dtype float32"},
        ArgumentsRow{
            "NobodyKnows",
            "(%x: float32[2, 3], %d: list<int>, %k: bool) { %r = aten::sum.dim_IntList(%x, %d, %k) return %r }",
            "input #0, axes ?, keep dim ?"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Onnx, ReduceArguments,
    testing::Values(
        ArgumentsRow{"All", "(%x: float32[2, 3]) { %r = onnx::ReduceSum(%x) return %r }",
                     "input #0, axes all, keep dim"},
        ArgumentsRow{"Attribute", "(%x: float32[2, 3]) { %r = onnx::ReduceMax(%x, axes=[1], keepdims=0) return %r }",
                     "input #0, axes [1]", "opset \"ai.onnx\" 12\n"},
        ArgumentsRow{
            "Input",
            "(%x: float32[2, 3]) { %a = onnx::Constant(value_ints=[0, -1]) %r = onnx::ReduceMax(%x, %a) return "
            "%r }",
            "input #0, axes [0, -1], keep dim"},
        ArgumentsRow{"UnknownInput", "(%x: float32[2, 3], %a: int64[1]) { %r = onnx::ReduceMax(%x, %a) return %r }",
                     "input #0, axes ?, count 1, keep dim"},
        ArgumentsRow{"Nothing", "(%x: float32[2, 3]) { %r = onnx::ReduceSum(%x, noop_with_empty_axes=1) return %r }",
                     "input #0, axes [], keep dim"},
        ArgumentsRow{"Index",
                     "(%x: float32[2, 3]) { %r = onnx::ArgMax(%x, select_last_index=1, keepdims=0) return %r }",
                     "input #0, axes [0], select last index"}),
    rowName);

} // namespace
} // namespace cutaway::test
