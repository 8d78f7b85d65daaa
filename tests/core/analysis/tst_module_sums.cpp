// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/module_sums.h"

#include "core/ir/context.h"
#include "core/ir/text/text.h"
#include "tests/core/small_model.h"

#include <gtest/gtest.h>
#include <limits>

using namespace cutaway;

namespace {

ir::Model sharedWeight()
{
    return *ir::parseText(R"(
        storage 0: 24 bytes missing "a test"
        tensor @w: float32[2, 3] parameter in storage 0
        scope body class "Net"
        scope body.a
        scope body.b
        graph @forward(%x) {
          weight %w = @w
          %p = aten::mm.default(%x, %w) in body.a
          %q = aten::mm.default(%p, %w) in body.b
          %r = aten::relu.default(%q) in body.b
          %s = aten::neg.default(%r)
          return %s
        })");
}

/// "path nodes/parameters" of every scope, in order of execution, outermost first.
std::string print(const ir::Model &model, const analysis::ModuleSums &sums, ir::ScopeId scope = {})
{
    const analysis::ModuleSums::Sum &sum = sums.at(scope);
    std::string out = std::string(model.context->text(model.context->at(scope).path)) + " " + std::to_string(sum.nodes)
        + "/" + std::to_string(sum.parameters) + "\n";
    for (const ir::ScopeId child : sum.children)
        out += print(model, sums, child);
    return out;
}

TEST(ModuleSums, countEverythingInsideAndAWeightOncePerModule)
{
    const ir::Model model = sharedWeight();
    EXPECT_EQ(print(model, analysis::moduleSums(model, model.functions[0])),
              " 4/6\nbody 3/6\nbody.a 1/6\nbody.b 2/6\n");
}

TEST(ModuleSums, countPackedAndTiedParametersOnce)
{
    const ir::Model model = *ir::parseText(R"(
        storage 0: 15 bytes missing "a test"
        storage 1: 24 bytes missing "a test"
        tensor @fc.packed.weight: qint8[5, 3] packed in storage 0
        tensor @a: float32[2, 3] parameter in storage 1
        tensor @b: float32[2, 3] parameter in storage 1
        module 0 "" class "Net" tensors(@a, @b)
        module 1 in 0 "fc" class "Linear" tensors(@fc.packed.weight) attributes(packed: opaque "Params" = object @fc.packed)
        object @fc.packed class "torch.classes.quantized.LinearPackedParamsBase" member "data.pkl"
        scope body class "Net"
        graph @forward(%x, custom_object %self: module "__torch__.Net") {
          weight %a = @a
          weight %b = @b
          %packed = prim::GetAttr(self=%self, name="fc.packed") in body
          %p = quantized::linear_dynamic(%x, %packed) in body
          %q = quantized::linear_dynamic(%p, %packed) in body
          %r = aten::mm.default(%a, %b) in body
          return %q, %r
        })");
    EXPECT_EQ(print(model, analysis::moduleSums(model, model.functions[0])), " 4/21\nbody 4/21\n");
    EXPECT_EQ(analysis::parametersPerModule(model), (std::vector<std::int64_t>{21, 15}));
}

TEST(ModuleSums, countWhatIsDrawnInAModule)
{
    // The exporter lost the module of the size; a branch and what is in it belong to the module of the branch.
    const ir::Model model = *ir::parseText(R"(
        scope body class "Net"
        graph @forward(%x, %flag: bool) {
          %p = aten::relu.default(%x) in body
          %n = aten::size.int(%p, 0)
          %q = aten::view.default(%p, %n) in body
          %r = prim::If(%flag) in body region "then" {
              %s = aten::neg.default(%q)
              return %s
            } region "else" {
              return %q
            }
          return %r
        })");
    EXPECT_EQ(print(model, analysis::moduleSums(model, model.functions[0])), " 5/0\nbody 5/0\n");
}

TEST(ModuleSums, listBlocksAsTheyRunWhereverTheirWeightsAreCopied)
{
    const ir::Model model = *ir::parseText(R"(
        tensor @w: float32[3, 3] parameter
        scope h.0
        scope h.1
        scope h.2
        scope bias
        graph @forward(%x) {
          weight %w = @w
          %c2 = onnx::Identity(%w) in h.2
          %t2 = onnx::Transpose(%c2) in h.2
          %c1 = onnx::Identity(%w) in h.1
          %c0 = onnx::Identity(%w) in h.0
          %b = onnx::Exp(%w) in bias
          %y0 = onnx::MatMul(%x, %c0) in h.0
          %y1 = onnx::MatMul(%y0, %c1) in h.1
          %y2 = onnx::MatMul(%y1, %t2) in h.2
          %z = onnx::Add(%y2, %b) in h.2
          return %z
        })");
    EXPECT_EQ(print(model, analysis::moduleSums(model, model.functions[0])),
              " 9/9\nh 8/9\nh.0 2/9\nh.1 2/9\nh.2 4/9\nbias 1/9\n");
}

TEST(ModuleSums, stopAtTheLargestNumber)
{
    ir::Model model = sharedWeight();
    model.tensors.push_back(model.tensors[0]);
    for (std::uint32_t i = 0; i < model.tensors.size(); ++i)
        model.tensors.edit(i).shape = {std::numeric_limits<std::int64_t>::max() - 1};
    model.tensors.edit(1).offset = 4; // else it is the first one by another name
    ir::Graph &graph = model.functions[0].graph;
    const ir::ValueId second = graph.addWeight(ir::Graph::body, {}, {}, ir::TensorId{1});
    graph.setArguments(ir::NodeId{3}, {{{}, second}});
    EXPECT_EQ(analysis::moduleSums(model, model.functions[0]).at({}).parameters,
              std::numeric_limits<std::int64_t>::max());
}

TEST(ModuleSums, ofTheFileIncludeThoseOfChildren)
{
    ir::Model model = test::smallModel();
    const ir::ModuleId fc = model.moduleAt("body.fc");
    model.modules.edit(fc.index).tensors = {ir::TensorId{0}, ir::TensorId{1}};
    const std::vector<std::int64_t> sums = analysis::parametersPerModule(model);
    EXPECT_EQ(sums[fc.index], 15);
    EXPECT_EQ(sums[model.modules[fc.index].parent.index], 15);
    EXPECT_EQ(sums.front(), 15);
}

} // namespace
