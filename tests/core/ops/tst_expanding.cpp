// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class Expanding : public testing::TestWithParam<RuleRow> { };

TEST_P(Expanding, infers)
{
    EXPECT_EQ(inferred(GetParam().graph), GetParam().results);
    if (!GetParam().cost.empty()) {
        EXPECT_EQ(costOf(GetParam().graph), GetParam().cost);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Rules, Expanding,
    testing::Values(
        RuleRow{"Expand", "(%x: float32[2, 1], %n: int(s0)) { %r = aten::expand(%x, [%n, -1, 3]) return %r }",
                "float32[s0, 2, 3]", "0/0"},
        RuleRow{"ExpandWhatIsNotOne", "(%x: float32[2]) { %r = aten::expand(%x, [3]) return %r }",
                "![2] expanded to [3] unknown"},
        RuleRow{"ExpandToFewer", "(%x: float32[2, 3]) { %r = aten::expand(%x, [3]) return %r }",
                "![2, 3] expanded to 1 dimensions unknown"},
        RuleRow{"ExpandElements", "() { %x = aten::tensor([[1], [2]]) %r = aten::expand(%x, [2, 2]) return %r }",
                "int64[2, 2] = [1, 1, 2, 2]"},
        RuleRow{"ExpandAs", "(%x: float32[1], %y: int64[2, s0]) { %r = aten::expand_as(%x, %y) return %r }",
                "float32[2, s0]"},
        RuleRow{"OnnxExpandBothWays",
                "(%x: float32[3, 1]) { %s = aten::tensor([2, 1, 6]) %r = onnx::Expand(%x, %s) return %r }",
                "float32[2, 3, 6]"},
        RuleRow{"OnnxExpandDoesNotFit",
                "(%x: float32[3]) { %s = aten::tensor([2]) %r = onnx::Expand(%x, %s) return %r }",
                "!cannot broadcast [3] to [2] unknown"},
        RuleRow{"OnnxExpandToUnknownSizes", "(%x: float32[3], %s: int64[2]) { %r = onnx::Expand(%x, %s) return %r }",
                "!the sizes are not known float32[?, ?]"},
        RuleRow{"BroadcastSizes", "(%n: int(s0)) { %r = aten::_infer_size([%n, 1], [4]) return %r }", "[s0, 4]"},
        RuleRow{"Repeat", "(%x: float32[2, s0]) { %r = aten::repeat(%x, [3, 1, 2]) return %r }", "float32[3, 2, 2*s0]"},
        RuleRow{"RepeatTooFew", "(%x: float32[2, 3]) { %r = aten::repeat(%x, [2]) return %r }",
                "!fewer repeats than dimensions unknown"},
        RuleRow{"RepeatElements", "() { %x = aten::tensor([1, 2]) %r = aten::repeat(%x, [2]) return %r }",
                "int64[4] = [1, 2, 1, 2]"},
        RuleRow{"Tile", "(%x: float32[2, 3]) { %r = aten::tile(%x, [2]) return %r }", "float32[2, 6]"},
        RuleRow{"OnnxTile", "(%x: float32[2, 3]) { %n = aten::tensor([1, 4]) %r = onnx::Tile(%x, %n) return %r }",
                "float32[2, 12]"},
        RuleRow{"Interleave", "(%x: float32[2, 3]) { %r = aten::repeat_interleave.self_int(%x, 2, 1) return %r }",
                "float32[2, 6]"},
        RuleRow{"InterleaveAll", "(%x: float32[2, 3]) { %r = aten::repeat_interleave.self_int(%x, 2) return %r }",
                "float32[12]"},
        RuleRow{"InterleaveByKnownRepeats",
                "(%x: float32[2]) { %n = aten::tensor([1, 4]) %r = aten::repeat_interleave.self_Tensor(%x, %n, 0) "
                "return %r }",
                "float32[5]"},
        RuleRow{"InterleaveByData",
                "(%x: float32[2], %n: int64[2]) { %r = aten::repeat_interleave.self_Tensor(%x, %n, 0) return %r }",
                "float32[u_0]"},
        RuleRow{"Pad", "(%x: float32[2, 3, s0]) { %r = aten::pad(%x, [1, 2, 0, -1]) return %r }",
                "float32[2, 2, s0 + 3]"},
        RuleRow{"PadTooMany", "(%x: float32[2]) { %r = aten::constant_pad_nd(%x, [1, 1, 1, 1]) return %r }",
                "!4 paddings for 1 dimensions unknown"},
        RuleRow{"PadAway", "(%x: float32[2]) { %r = aten::constant_pad_nd(%x, [-3, 0]) return %r }",
                "!padding makes a size of -1 unknown"},
        RuleRow{"Reflect", "(%x: float32[1, 3, 8, 8]) { %r = aten::reflection_pad2d(%x, [1, 1, 2, 2]) return %r }",
                "float32[1, 3, 12, 10]"},
        RuleRow{"OnnxPad", "(%x: float32[2, s0]) { %p = aten::tensor([0, 1, 2, 3]) %r = onnx::Pad(%x, %p) return %r }",
                "float32[4, s0 + 4]"},
        RuleRow{
            "OnnxPadSomeAxes",
            "(%x: float32[2, 5]) { %p = aten::tensor([1, 2]) %a = aten::tensor([-1]) %r = onnx::Pad(%x, %p, none, %a) "
            "return %r }",
            "float32[2, 8]"},
        RuleRow{"OnnxPadByAttribute", "(%x: float32[2]) { %r = onnx::Pad(%x, pads=[1, 1]) return %r }", "float32[4]"},
        RuleRow{"OnnxCenterCropPad",
                "(%x: float32[20, 10, 3]) { %s = aten::tensor([10, 9]) %r = onnx::CenterCropPad(%x, %s, axes=[1, 2]) "
                "return %r }",
                "float32[20, 10, 9]"}),
    rowName);

} // namespace

} // namespace cutaway::test
