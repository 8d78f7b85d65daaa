// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/ops/rule_test.h"

namespace cutaway::test {

namespace {

class Recurrent : public testing::TestWithParam<RuleRow> { };

TEST_P(Recurrent, infers)
{
    const std::string header = "opset \"ai.onnx\" 14\n";
    EXPECT_EQ(inferred(GetParam().graph, header), GetParam().results);
    if (!GetParam().cost.empty()) {
        EXPECT_EQ(costOf(GetParam().graph, header), GetParam().cost);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Torch, Recurrent,
    testing::Values(
        // each of 7·2 steps multiplies 24×4 and 24×6
        RuleRow{"Lstm",
                "(%x: float32[7, 2, 4], %h: float32[1, 2, 6], %a: float32[24, 4], %b: float32[24, 6], %c: float32[24]) "
                "{ %r, %hn, %cn = aten::lstm.input(%x, [%h, %h], [%a, %b, %c, %c], true, 1, 0.0, false, false, "
                "false) return %r, %hn, %cn }",
                "float32[7, 2, 6]; float32[1, 2, 6]; float32[1, 2, 6]", "6720/0"},
        RuleRow{"LstmBothWays",
                "(%x: float32[s0, 7, 4], %h: float32[2, s0, 6], %a: float32[24, 4], %b: float32[24, 6]) "
                "{ %r, %hn, %cn = aten::lstm.input(%x, [%h, %h], [%a, %b, %a, %b], false, 1, 0.0, false, "
                "true, true) return %r, %hn }",
                "float32[s0, 7, 12]; float32[2, s0, 6]", "6720*s0/0"},
        RuleRow{"LstmProjected",
                "(%x: float32[7, 2, 4], %h: float32[1, 2, 3], %s: float32[1, 2, 6], %a: float32[24, 4], "
                "%b: float32[24, 3], %p: float32[3, 6]) "
                "{ %r, %hn, %cn = aten::lstm.input(%x, [%h, %s], [%a, %b, %p], false, 1, 0.0, false, false, "
                "false) return %r, %hn, %cn }",
                "float32[7, 2, 3]; float32[1, 2, 3]; float32[1, 2, 6]", "5208/0"},
        RuleRow{"LstmPacked",
                "(%x: float32[9, 4], %n: int64[5], %h: float32[1, 2, 6], %a: float32[24, 4], %b: float32[24, 6]) "
                "{ %r, %hn, %cn = aten::lstm.data(%x, %n, [%h, %h], [%a, %b], false, 1, 0.0, false, false) "
                "return %r, %hn }",
                "float32[9, 6]; float32[1, 2, 6]", "4320/0"},
        RuleRow{"Gru",
                "(%x: float32[7, 2, 4], %h: float32[2, 2, 6], %a: float32[18, 4], %b: float32[18, 6]) "
                "{ %r, %hn = aten::gru.input(%x, %h, [%a, %b, %b, %b], false, 2, 0.0, false, false, false) "
                "return %r, %hn }",
                "float32[7, 2, 6]; float32[2, 2, 6]", "11088/0"},
        RuleRow{"RnnOfUnknownInput",
                "(%x: float32[*], %h: float32[1, 2, 6], %a: float32[6, 4], %b: float32[6, 6]) "
                "{ %r, %hn = aten::rnn_tanh.input(%x, %h, [%a, %b], false, 1, 0.0, false, false, false) "
                "return %r, %hn }",
                "!the shape of the input is not known float32; float32[1, 2, 6]", "?/0"},
        RuleRow{"LstmCell",
                "(%x: float32[s0, 4], %h: float32[s0, 6], %a: float32[24, 4], %b: float32[24, 6]) "
                "{ %h1, %c1 = aten::lstm_cell(%x, [%h, %h], %a, %b) return %h1, %c1 }",
                "float32[s0, 6]; float32[s0, 6]", "480*s0/0"},
        RuleRow{"GruCell",
                "(%x: float32[2, 4], %h: float32[2, 6], %a: float32[18, 4], %b: float32[18, 6]) "
                "{ %r = aten::gru_cell(%x, %h, %a, %b) return %r }",
                "float32[2, 6]", "720/0"},
        RuleRow{"CellOfUnknownState",
                "(%x: float32[2, 4], %h: float32[*], %a: float32[18, 4], %b: float32[18, 6]) "
                "{ %r = aten::gru_cell(%x, %h, %a, %b) return %r }",
                "float32[2, 6]"},
        RuleRow{"FusedLstmCell",
                "(%g: float32[2, 24], %c: float32[2, 6]) "
                "{ %h, %r, %w = aten::_thnn_fused_lstm_cell(%g, %g, %c) return %h, %w }",
                "float32[2, 6]; float32[2, 24]"},
        RuleRow{"FusedGruCell",
                "(%g: float32[2, 18], %h: float32[2, 6]) "
                "{ %r, %w = aten::_thnn_fused_gru_cell(%g, %g, %h) return %r, %w }",
                "float32[2, 6]; float32[2, 30]"},
        RuleRow{"Pack",
                "(%x: float32[7, 3, 4]) { %n = aten::tensor([7, 4, 2]) "
                "%r, %s = aten::_pack_padded_sequence(%x, %n, false) return %r, %s }",
                "float32[13, 4]; int64[7]"},
        RuleRow{"Unpack",
                "(%x: float32[13, 4], %s: int64[7]) "
                "{ %r, %n = aten::_pad_packed_sequence(%x, %s, true, 0.0, 9) return %r, %n }",
                "float32[u_0, 9, 4]; int64[u_0]"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Onnx, Recurrent,
    testing::Values(RuleRow{"OnnxLstm",
                            "(%x: float32[7, 2, 4], %w: float32[1, 24, 4], %r: float32[1, 24, 6]) "
                            "{ %y, %h, %c = onnx::LSTM(%x, %w, %r, hidden_size=6) return %y, %h, %c }",
                            "float32[7, 1, 2, 6]; float32[1, 2, 6]; float32[1, 2, 6]", "6720/0"},
                    RuleRow{"OnnxGruBothWays",
                            "(%x: float32[s0, 2, 4], %w: float32[2, 18, 4], %r: float32[2, 18, 6]) "
                            "{ %y, %h = onnx::GRU(%x, %w, %r, direction=\"bidirectional\") return %y, %h }",
                            "float32[s0, 2, 2, 6]; float32[2, 2, 6]", "1440*s0/0"},
                    RuleRow{"OnnxRnnBatchFirst",
                            "(%x: float32[2, 7, 4], %w: float32[1, 6, 4], %r: float32[1, 6, 6]) "
                            "{ %y, %h = onnx::RNN(%x, %w, %r, layout=1) return %y, %h }",
                            "float32[2, 7, 1, 6]; float32[2, 1, 6]"},
                    RuleRow{"OnnxOfUnknownInput",
                            "(%x: float32[*], %w: float32[1, 6, 4], %r: float32[1, 6, 6]) "
                            "{ %y, %h = onnx::RNN(%x, %w, %r) return %y }",
                            "!the shape of X is not known float32"}),
    rowName);

} // namespace

} // namespace cutaway::test
