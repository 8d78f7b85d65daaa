// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/passes/pass_test.h"

namespace cutaway::test {
namespace {

constexpr const char *tensors = "tensor @a.w: float32[2] parameter\ntensor @a.v: float32[2] parameter\n"
                                "module 0 \"\" tensors() module 1 in 0 \"a\" tensors(@a.w, @a.v)\n";

/// The tensors of the module tree after the pass.
std::string modulesAfter(const std::string &graph)
{
    passes::History history(parsedModel(graph, tensors), ir::FunctionId{0});
    history.run(*passes::parsePipeline("unused-parameters"));
    const ir::Model &model = *history.modelAfter(history.steps().size());
    std::string names;
    for (const ir::TensorId tensor : model.modules[1].tensors)
        names += std::string(model.context->text(model.at(tensor).name)) + " ";
    return names;
}

TEST(UnusedParametersOfModules, goIfNoFunctionReadsThem)
{
    EXPECT_EQ(modulesAfter("(%x: float32[2]) { weight %w = @a.w weight %v = @a.v return %v }"), "a.v ");
    EXPECT_EQ(modulesAfter("(%x: float32[2]) { weight %v = @a.v return %v }"), "a.v ");
}

TEST(UnusedParametersOfModules, stayIfAnotherFunctionReadsThem)
{
    EXPECT_EQ(modulesAfter(R"((%x: float32[2]) { weight %w = @a.w weight %v = @a.v return %v }
                              method @g() { weight %w = @a.w return %w })"),
              "a.w a.v ");
    EXPECT_EQ(modulesAfter(R"((%x: float32[2]) { return %x }
                              method @g(%self) { %w = prim::GetAttr(%self, "w") return %w })"),
              "a.w ");
}

} // namespace
} // namespace cutaway::test
