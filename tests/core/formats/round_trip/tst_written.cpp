// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/written.h"
#include "tests/core/ir/parsed.h"

#include <ostream>

namespace cutaway::test {
namespace {

/// A model, what was read of the file that was written of it, and what is found to differ.
struct Row {
    std::string name;
    std::string model, file;
    std::string difference; ///< "" where the file says the model
};

void PrintTo(const Row &row, std::ostream *out) { *out << row.name; }

class WrittenFile : public ::testing::TestWithParam<Row> { };

std::string weighted(const std::string &bytes)
{
    return "storage 0: 8 bytes data \"" + bytes + "\"\ntensor @w: float32[2] constant in storage 0\n"
        + "graph @forward(%x: float32[2]) { weight %w: float32[2] = @w\n"
          "%r: float32[2] = onnx::Add(%x, %w) return %r }";
}

TEST_P(WrittenFile, isComparedWithTheModel)
{
    const ir::Model model = parsed(GetParam().model);
    formats::Written written{.parts = {}, .content = parsed(GetParam().file), .weights = {}, .namesOutputs = true};
    for (std::uint32_t i = 0; i < model.tensors.size(); ++i)
        written.weights.emplace_back(ir::TensorId{i}, model.context->text(model.tensors[i].name));
    const auto same = formats::checkWritten(model, written, {});
    const std::string start = "the file was not written, since it would not read back as the model: ";
    EXPECT_EQ(same ? "" : same.error().text(), GetParam().difference.empty() ? "" : start + GetParam().difference);
    EXPECT_TRUE(same || same.error().kind == ErrorKind::Backend);
}

const std::string plain = "graph @forward(%x: float32[s0, 2]) { %r: float32[s0, 2] = onnx::Relu(%x) return %r }";

INSTANTIATE_TEST_SUITE_P(
    Rows, WrittenFile,
    ::testing::Values(
        Row{"same", plain, plain, ""},
        Row{"anIdentityMore", plain,
            "graph @forward(%x: float32[s0, 2]) { %t: float32[s0, 2] = onnx::Relu(%x) "
            "%r: float32[s0, 2] = onnx::Identity(%t) return %r }",
            ""},
        Row{"sizesThatTheModelDoesNotKnow", "graph @forward(%x: float32[?]) { return %x }",
            "graph @forward(%x: float32[3]) { return %x }", ""},
        Row{"otherInput", plain, "graph @forward(%y: float32[s0, 2]) { %r: float32[s0, 2] = onnx::Relu(%y) return %r }",
            "the input x is called y"},
        Row{"inputLost", plain, "graph @forward() { }", "it has 0 inputs in place of 1"},
        Row{"otherSize", plain, "graph @forward(%x: float32[s0, 3]) { %r: float32[s0, 2] = onnx::Relu(%x) return %r }",
            "the input x is float32[s0, 3] in place of float32[s0, 2]"},
        Row{"otherResult", plain,
            "graph @forward(%x: float32[s0, 2]) { %r: float16[s0, 2] = onnx::Relu(%x) return %r }",
            "the output r is float16[s0, 2] in place of float32[s0, 2]"},
        Row{"nodeLost", plain, "graph @forward(%x: float32[s0, 2]) { %r: float32[s0, 2] = onnx::Neg(%x) return %r }",
            "it has 0 nodes of onnx::Relu in place of 1"},
        Row{"sameBytes", weighted("abcdefgh"), weighted("abcdefgh"), ""},
        Row{"otherBytes", weighted("abcdefgh"), weighted("abcdefgx"), "the weight w is another one"},
        Row{"weightLost", weighted("abcdefgh"),
            "graph @forward(%x: float32[2]) { %r: float32[2] = onnx::Add(%x, %x) return %r }", "it has no weight w"}),
    [](const auto &row) { return row.param.name; });

} // namespace
} // namespace cutaway::test
