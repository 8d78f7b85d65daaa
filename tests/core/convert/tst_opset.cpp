// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// ONNX models in another version of the operator set, tests/data/opset/*.graph, and in float16, tests/data/float16.
#include "core/convert/float16.h"
#include "core/convert/opset/opset.h"
#include "tests/core/convert/converted_text.h"
#include "tests/core/graph_cases.h"
#include "tests/core/ir/parsed.h"

#include <charconv>
#include <gtest/gtest.h>

namespace cutaway::test {
namespace {

ir::Model onnxOf(const GraphCase &given, std::int64_t opset)
{
    ir::Model model = parsed(given.graphs.front());
    model.format = "onnx";
    model.opsets = {{"ai.onnx", opset}};
    return model;
}

std::int64_t numberIn(const GraphCase &given, const std::string &option)
{
    const std::string text = given.option(option);
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

std::string afterOpset(const GraphCase &given)
{
    const ir::Model source = onnxOf(given, numberIn(given, "from"));
    const auto made = convert::toOpset(source, numberIn(given, "to"));
    return made ? convertedText(*made, source) : "error: " + made.error().text();
}

/// Constants are of the elements that stand as `// elements: 1e10`, one for all of a tensor; without it they are 0.
std::string afterHalving(const GraphCase &given)
{
    ir::Model source = onnxOf(given, 17);
    const std::string text = given.option("elements");
    double element = 0;
    std::from_chars(text.data(), text.data() + text.size(), element);
    for (std::uint32_t i = 0; i < source.tensors.size(); ++i) {
        const auto count = static_cast<std::size_t>(ir::elementCount(source.tensors[i]).value_or(0));
        const auto bytes = std::make_shared<const std::vector<std::byte>>(
            ir::encodeNumbers(source.tensors[i].dtype, std::vector<double>(count, element)));
        source.storages.edit(source.tensors[i].storage.index) = {ir::InlineBytes{bytes}, bytes->size()};
    }
    const auto made = convert::toFloat16(source, {.keepsInputsAndResults = given.option("keep-io") != "no"});
    return made ? convertedText(*made, source) : "error: " + made.error().text();
}

const bool opsetCases = forEachCase("Opset", "opset", afterOpset);
const bool float16Cases = forEachCase("Float16", "float16", afterHalving);

TEST(OpsetVersions, areOfOnnxModelsAndInRange)
{
    ir::Model model = parsed("graph @main(%x: float32[2]) { %r = onnx::Relu(%x) return %r }");
    EXPECT_EQ(convert::toOpset(model, 21).error().message, "the model is no ONNX model");
    model.format = "onnx";
    model.opsets = {{"ai.onnx", 17}};
    EXPECT_TRUE(convert::toOpset(model, 6).error().message.ends_with("7 to 22, not 6"));
    model.opsets = {{"ai.onnx", 6}};
    EXPECT_TRUE(convert::toOpset(model, 17).error().message.ends_with("7 to 22, not 6"));
}

TEST(OpsetVersions, raiseTheVersionOfTheFile)
{
    ir::Model model = parsed("graph @main(%x: float32[2]) { %r = onnx::Relu(%x) return %r }");
    model.format = "onnx";
    model.formatVersion = "ir 3";
    model.opsets = {{"ai.onnx", 7}, {"com.example", 4}};
    const auto made = convert::toOpset(model, 21);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->model.formatVersion, "ir 10");
    EXPECT_EQ(made->model.opset("onnx"), 21);
    EXPECT_EQ(made->model.opset("com.example"), 4);
    EXPECT_EQ(convert::toOpset(made->model, 7)->model.formatVersion, "ir 10");
}

} // namespace
} // namespace cutaway::test
