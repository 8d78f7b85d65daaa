// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/context.h"
#include "core/ir/text/text.h"
#include "core/ir/verify.h"
#include "core/plugin/adoption.h"
#include "core/plugin/file_state.h"
#include "core/rewrite/rewriter.h"

#include <gtest/gtest.h>

namespace cutaway::plugin {

namespace {

struct FileRow {
    const char *label;
    std::string before; ///< the body and signature, in the textual form
    std::string file;   ///< the model in the file that another program wrote
    std::string after;  ///< the resulting model
};

void PrintTo(const FileRow &row, std::ostream *out) { *out << row.label; }

std::string onnxText(const std::string &graph) { return "format \"onnx\"\n" + graph + "\n"; }

std::string takenOver(ir::Model model, const ir::Model &file)
{
    const auto state = stateOfFile(model, file);
    if (!state)
        return state.error().text();
    EXPECT_EQ(ir::verify(*state), std::vector<std::string>());
    const Task task;
    rewrite::Rewriter rewriter(model, ir::FunctionId{0}, []() -> const analysis::Shapes & { std::abort(); }, task);
    if (const auto outcome = adopt(rewriter, *state); !outcome)
        return outcome.error().text();
    rewriter.finish();
    EXPECT_EQ(ir::verify(model), std::vector<std::string>());
    return ir::printText(model);
}

class Files : public testing::TestWithParam<FileRow> { };

TEST_P(Files, becomeTheModelWithItsIds)
{
    const auto model = ir::parseText(onnxText(GetParam().before)), file = ir::parseText(onnxText(GetParam().file));
    ASSERT_TRUE(model) << model.error().text();
    ASSERT_TRUE(file) << file.error().text();
    const auto wanted = ir::parseText(onnxText(GetParam().after));
    EXPECT_EQ(takenOver(*model, *file), wanted ? ir::printText(*wanted) : GetParam().after);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Files,
    testing::Values(
        FileRow{"TheSame", "graph @g(%x: float32[2]) { %a = onnx::Neg(%x) name \"n\" return %a }",
                "graph @other(%x: float32[2]) { %a = onnx::Neg(%x) name \"n\" return %a }",
                "graph @g(%x: float32[2]) { %a = onnx::Neg(%x) name \"n\" return %a }"},
        FileRow{
            "ANodeTakenOut",
            "graph @g(%x: float32[2]) { %a = onnx::Identity(%x) name \"i\" %b = onnx::Neg(%a) name \"n\" return %b }",
            "graph @g(%x: float32[2]) { %b = onnx::Neg(%x) name \"n\" return %b }",
            "graph @g(%x: float32[2]) { #1 %b = onnx::Neg(%x) name \"n\" return %b }"},
        FileRow{"AFusedNode",
                "graph @g(%x: float32[2]) { %a = onnx::Neg(%x) name \"n\" %b = onnx::Abs(%a) name \"p\" %c = "
                "onnx::Relu(%b) name \"r\" "
                "return %c }",
                "graph @g(%x: float32[2]) { %a = onnx::Neg(%x) name \"n\" %c = microsoft::Fused(%a) name \"p_r\" "
                "return %c }",
                "graph @g(%x: float32[2]) { %a = onnx::Neg(%x) name \"n\" #3 %c = microsoft::Fused(%a) name \"p_r\" "
                "from #1, #2 "
                "return %c }"},
        FileRow{"ABranchWithoutNodes",
                "graph @g(%c: bool[], %x: float32[2]) { %a = onnx::If(%c) name \"i\" region \"t\" { return %x } "
                "region \"e\" { %n = onnx::Neg(%x) name \"n\" return %n } return %a }",
                "graph @g(%c: bool[], %x: float32[2]) { %a = onnx::If(%c) name \"i\" region \"t\" { return %x } "
                "region \"e\" { %n = onnx::Neg(%x) name \"n\" return %n } return %a }",
                "graph @g(%c: bool[], %x: float32[2]) { %a = onnx::If(%c) name \"i\" region \"t\" { return %x } "
                "region \"e\" { %n = onnx::Neg(%x) name \"n\" return %n } return %a }"},
        FileRow{"ACallInItsPlace",
                "graph @g(%x: float32[2]) { %a = my::F(%x, callee=graph @f) name \"c\" return %a }\n"
                "function @f(%y) { %b = onnx::Neg(%y) name \"n\" return %b }",
                "graph @g(%x: float32[2]) { %a = onnx::Neg(%x) name \"c_n\" return %a }",
                "graph @g(%x: float32[2]) { #1 %a = onnx::Neg(%x) name \"c_n\" from #0 return %a }\n"
                "function @f(%y) { %b = onnx::Neg(%y) name \"n\" return %b }"},
        FileRow{"FunctionsOfTheFile", "graph @g(%x: float32[2]) { return %x }",
                "graph @g(%x: float32[2]) { return %x }\nfunction @f(%y) { return %y }",
                "the file has functions besides the main one"},
        FileRow{
            "ASuffixOfAValue", "graph @g(%x: float32[2]) { %a = onnx::Neg(%x) name \"n\" return %a }",
            "graph @g(%x: float32[2]) { %a_nchwc = onnx::Conv(%x) name \"m\" %a = onnx::Reorder(%a_nchwc) name \"o\" "
            "return %a }",
            "graph @g(%x: float32[2]) { #1 %a_nchwc = onnx::Conv(%x) name \"m\" from #0 #2 %a = "
            "onnx::Reorder(%a_nchwc) name \"o\" from #0 return %a }"}),
    [](const auto &row) { return row.param.label; });

} // namespace

} // namespace cutaway::plugin
