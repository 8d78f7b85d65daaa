// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "tests/core/ops/rule_test.h"

#include <array>
#include <bit>

namespace cutaway::test {
namespace {

// Three boxes: the second lies on the first, the third is elsewhere. Of constants the number is known.
TEST(NonMaxSuppression, ofConstantsIsComputed)
{
    const std::string graph = R"(() { weight %b = @b weight %s = @s
        %r = onnx::NonMaxSuppression(%b, %s, 5, 0.5)
        %t = onnx::NonMaxSuppression(%b, %s, 5, 0.99)
        %u = onnx::NonMaxSuppression(%b, %s, 5, 0.99, 0.75)
        return %r, %t, %u })";
    const auto floats = [](std::initializer_list<float> values) {
        std::string text;
        for (const float value : values)
            for (const auto byte : std::bit_cast<std::array<unsigned char, 4>>(value))
                text += formatted("\\x{:02x}", byte);
        return text;
    };
    const std::string header = "storage 0: 48 bytes data \"" + floats({0, 0, 1, 1, 0, 0, 1, 1.1F, 2, 2, 3, 3})
        + "\" storage 1: 12 bytes data \"" + floats({0.9F, 0.8F, 0.7F})
        + "\" tensor @b: float32[1, 3, 4] in storage 0 tensor @s: float32[1, 1, 3] in storage 1 ";
    EXPECT_EQ(inferred(graph, header), "int64[2, 3]; int64[3, 3]; int64[2, 3]");
}

} // namespace
} // namespace cutaway::test
