// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/schemas/onnx_operators.h"

#include <gtest/gtest.h>

namespace cutaway::ops {
namespace {

/// "9: 2-2 1-1 mode": a version, its inputs, outputs and attributes.
std::string print(const OnnxOperator &version)
{
    const auto range = [](std::size_t least, std::size_t most) {
        return std::to_string(least) + "-" + (most > 1000 ? "" : std::to_string(most));
    };
    std::string text = std::to_string(version.since) + ":";
    if (version.deprecated)
        return text + " deprecated";
    text += " " + range(version.minInputs, version.maxInputs) + " " + range(version.minOutputs, version.maxOutputs);
    for (const auto &[name, byDefault] : version.attributes)
        text.append(" ").append(name).append(byDefault.empty() ? "" : "=").append(byDefault);
    return text;
}

TEST(OnnxOperators, haveTheirVersions)
{
    std::string text;
    for (const OnnxOperator &version : onnxVersions("Upsample"))
        text += print(version) + "\n";
    EXPECT_EQ(text,
              "1: 1-1 1-1 height_scale mode=\"nearest\" width_scale\n7: 1-1 1-1 mode=\"nearest\" scales\n"
              "9: 2-2 1-1 mode=\"nearest\"\n10: deprecated\n");
    EXPECT_EQ(print(onnxVersions("Conv").back()),
              "22: 2-3 1-1 auto_pad=\"NOTSET\" dilations=1* group=1 kernel_shape pads=0* strides=1*");
    EXPECT_EQ(print(onnxVersions("Concat").back()), "13: 1- 1-1 axis");
    EXPECT_TRUE(onnxVersions("Conca").empty());
}

TEST(OnnxOperators, areOfNoEarlierOpset)
{
    EXPECT_EQ(whyNotInOpset("Gelu", 19), "ONNX has the operator Gelu from opset 20 on, and this model is of opset 19");
    EXPECT_EQ(whyNotInOpset("Gelu", 20), std::nullopt);
    EXPECT_EQ(whyNotInOpset("OfSomeRuntime", 1), std::nullopt);
}

} // namespace
} // namespace cutaway::ops
