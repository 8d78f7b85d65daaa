// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/weight_prints.h"

#include "compared.h"

namespace cutaway::test {
namespace {

/// Weights of one byte an element: @plain is [2, 3], @turned its transpose in memory, @view the same through strides.
class WeightPrints : public ::testing::Test {
protected:
    std::optional<diff::Hash> content(const std::string &name)
    {
        for (std::uint32_t i = 0; i < m_model.tensors.size(); ++i)
            if (m_model.context->text(m_model.tensors[i].name) == name)
                return m_prints.content({i});
        ADD_FAILURE() << "no weight " << name;
        return {};
    }

    ir::Model m_model = parsed(R"(
        storage 0: 6 bytes data "\x01\x02\x03\x04\x05\x06"
        storage 1: 6 bytes data "\x01\x04\x02\x05\x03\x06"
        storage 2: 6 bytes data "\x07\x02\x03\x04\x05\x06"
        storage 3: 6 bytes missing "a test"
        tensor @plain: uint8[2, 3] parameter in storage 0
        tensor @turned: uint8[3, 2] parameter in storage 1
        tensor @view: uint8[3, 2] strides[1, 3] parameter in storage 0
        tensor @thick: uint8[2, 1, 3, 1] parameter in storage 0
        tensor @other: uint8[2, 3] parameter in storage 2
        tensor @gone: uint8[2, 3] parameter in storage 3)");
    diff::WeightPrints m_prints{m_model};
};

TEST_F(WeightPrints, areThoseOfATransposedWeight)
{
    ASSERT_TRUE(content("plain"));
    EXPECT_EQ(content("turned"), content("plain"));
    EXPECT_EQ(content("view"), content("plain"));
    EXPECT_EQ(content("thick"), content("plain"));
}

TEST_F(WeightPrints, tellOtherElements) { EXPECT_NE(content("other"), content("plain")); }

TEST_F(WeightPrints, ofWhatCannotBeReadAreUnknown) { EXPECT_EQ(content("gone"), std::nullopt); }

} // namespace
} // namespace cutaway::test
