// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Functions printed as Python: tests/data/print/torch/*.graph. The classes are followed by the weights that belong to
// the code. tests/against_torch/printed.py runs such code.
#include "core/print/torch/torch_module.h"
#include "tests/core/graph_cases.h"
#include "tests/core/ir/parsed.h"

namespace cutaway::test {
namespace {

std::string classesOf(const std::string &code)
{
    const std::size_t begin = code.find("class ");
    return code.substr(begin, code.find("\n\nDTYPES") - begin);
}

std::string printedAsTorch(const GraphCase &given)
{
    const auto made = print::torchModule(parsed(given.graphs.front()), {});
    if (!made)
        return "error: " + made.error().text();
    std::string text = classesOf(made->code);
    for (const print::ModuleWeight &weight : made->weights)
        text += "weight " + weight.name + (weight.tensor ? "\n" : " = 0\n");
    return text;
}

const bool torchModuleCases = forEachCase("TorchModule", "print/torch", printedAsTorch);

const char *const linear = R"(tensor @fc.weight: float32[2, 3] parameter
tensor @fc.bias: float32[2] parameter
graph @forward(%x: float32[4, 3]) {
  weight %w: float32[2, 3] = @fc.weight
  weight %b: float32[2] = @fc.bias
  %y = aten::linear(input=%x, weight=%w, bias=%b)
  return %y
})";

TEST(TorchModuleCode, readsItsWeightsAndShowsItsResults)
{
    const auto made = print::torchModule(parsed(linear), {});
    ASSERT_TRUE(made);
    EXPECT_NE(made->code.find("def load(path=None):"), std::string::npos);
    EXPECT_NE(made->code.find("results = load()(torch.rand(4, 3))"), std::string::npos) << made->code;
}

TEST(TorchModuleCode, importsWhatRegistersQuantizedOperators)
{
    const auto made = print::torchModule(parsed(R"(graph @forward(%x: float32[2]) {
  %q: uint8[2] = quantized_decomposed::quantize_per_tensor(input=%x, scale=0.5, zero_point=3, quant_min=0, quant_max=255, dtype=uint8)
  return %q
})"),
                                         {});
    ASSERT_TRUE(made);
    EXPECT_NE(made->code.find("\nimport torch.ao.quantization.fx._decomposed"), std::string::npos) << made->code;
}

TEST(TorchModuleCode, isTheSameEachTime)
{
    const auto first = print::torchModule(parsed(linear), {});
    const auto second = print::torchModule(parsed(linear), {});
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->code, second->code);
}

} // namespace
} // namespace cutaway::test
