// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/pool_arguments.h"

#include "arguments_test.h"

namespace cutaway::test {
namespace {

std::string print(const ops::PoolArguments &given)
{
    Fields fields;
    fields.position("input", given.input);
    fields.position("output sizes", given.outputSizes);
    if (given.outputSize)
        fields.add("output size", textOf(*given.outputSize));
    else
        fields.add("windows", textOf(given.windows));
    fields.flag("ceil mode", given.ceilMode, false);
    fields.flag("count include pad", given.countIncludePad, true);
    if (given.divisorOverride)
        fields.add("divisor", std::to_string(given.divisorOverride->value_or(-1)));
    fields.number("p", given.p, 2);
    fields.flag("channels last", given.channelsLast, false);
    return std::move(fields).text();
}

class PoolArguments : public testing::TestWithParam<ArgumentsRow> { };
TEST_P(PoolArguments, areRead)
{
    EXPECT_EQ(argumentsOf(GetParam(), [](const ops::Call &call) { return print(ops::poolArguments(call)); }),
              GetParam().arguments);
}

INSTANTIATE_TEST_SUITE_P(
    Torch, PoolArguments,
    testing::Values(
        ArgumentsRow{"StrideIsTheKernel",
                     "(%x: float32[1, 3, 9, 9]) { %r = aten::max_pool2d.default(%x, [3, 2]) return %r }",
                     "input #0, windows 3/3*1+0+0 x 2/2*1+0+0"},
        ArgumentsRow{"All",
                     "(%x: float32[3, 9, 9]) { %r = aten::max_pool2d.default(%x, [3], [2], [1], [2], true) return %r }",
                     "input #0, windows 3/2*2+1+1 x 3/2*2+1+1, ceil mode"},
        ArgumentsRow{"Average",
                     "(%x: float32[3, 9]) { %r = aten::avg_pool1d.default(%x, [3], [2], [1], false, false) return %r }",
                     "input #0, windows 3/2*1+1+1, count include pad no"},
        ArgumentsRow{
            "Divisor",
            "(%x: float32[1, 3, 9, 9]) { %r = aten::avg_pool2d.default(%x, [3, 3], [], [0, 0], false, true, 5) "
            "return %r }",
            "input #0, windows 3/3*1+0+0 x 3/3*1+0+0, divisor 5"},
        ArgumentsRow{"Adaptive",
                     "(%x: float32[1, 3, 9, 9]) { %r = aten::adaptive_avg_pool2d.default(%x, [2, 1]) return %r }",
                     "input #0, output size [2, 1]"},
        ArgumentsRow{"NobodyKnowsTheKernel",
                     "(%x: float32[1, 3, 9, 9], %k: list<int>) { %r = aten::max_pool2d.default(%x, %k) return %r }",
                     "input #0, windows ?"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Onnx, PoolArguments,
    testing::Values(
        ArgumentsRow{"StrideIsOne",
                     "(%x: float32[1, 3, 9, 9]) { %r = onnx::MaxPool(%x, kernel_shape=[3, 2]) return %r }",
                     "input #0, windows 3/1*1+0+0 x 2/1*1+0+0, count include pad no"},
        ArgumentsRow{"Average",
                     "(%x: float32[1, 3, 9]) { %r = onnx::AveragePool(%x, kernel_shape=[3], strides=[2], pads=[1, 0], "
                     "ceil_mode=1, "
                     "count_include_pad=1) return %r }",
                     "input #0, windows 3/2*1+1+0, ceil mode"},
        ArgumentsRow{"Norm", "(%x: float32[1, 3, 9]) { %r = onnx::LpPool(%x, kernel_shape=[3], p=1) return %r }",
                     "input #0, windows 3/1*1+0+0, count include pad no, p 1"},
        ArgumentsRow{"Global", "(%x: float32[1, 3, 9, 9]) { %r = onnx::GlobalAveragePool(%x) return %r }",
                     "input #0, output size [1, 1], count include pad no"},
        ArgumentsRow{"Unpooled",
                     "(%x: float32[1, 1, 2], %i: int64[1, 1, 2]) { %r = onnx::MaxUnpool(%x, %i, kernel_shape=[2], "
                     "strides=[2]) return %r }",
                     "input #0, output sizes #2, windows 2/2*1+0+0, count include pad no"},
        ArgumentsRow{
            "ChannelsLast",
            "(%x: uint8[1, 9, 9, 3], %s: float32[], %z: uint8[]) { %r = com.microsoft::QLinearGlobalAveragePool("
            "%x, %s, %z, %s, %z, channels_last=1) return %r }",
            "input #0, output size [1, 1], count include pad no, channels last"}),
    rowName);

} // namespace
} // namespace cutaway::test
