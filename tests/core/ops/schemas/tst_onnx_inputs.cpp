// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/schemas/onnx_inputs.h"

#include <gtest/gtest.h>

namespace cutaway::ops {
namespace {

TEST(OnnxInputs, areCalledAsInTheirVersion)
{
    EXPECT_EQ(onnxInputName("Conv", 17, 0), "X");
    EXPECT_EQ(onnxInputName("Conv", 17, 2), "B");
    EXPECT_EQ(onnxInputName("Conv", 17, 3), "");
    EXPECT_EQ(onnxInputName("Resize", 10, 1), "scales");
    EXPECT_EQ(onnxInputName("Resize", 13, 1), "roi");
    EXPECT_EQ(onnxInputName("Resize", 9, 0), ""); // not there yet
}

TEST(OnnxInputs, furtherOnesShareAName)
{
    EXPECT_EQ(onnxInputName("Concat", 13, 0), "inputs");
    EXPECT_EQ(onnxInputName("Concat", 13, 7), "inputs");
    EXPECT_EQ(onnxInputName("Loop", 13, 1), "cond");
    EXPECT_EQ(onnxInputName("Loop", 13, 5), "v_initial");
}

TEST(OnnxInputs, ofOthersAreNotKnown) { EXPECT_EQ(onnxInputName("OfSomeRuntime", 17, 0), ""); }

} // namespace
} // namespace cutaway::ops
