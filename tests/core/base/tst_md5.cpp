// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/digests/md5.h"

#include <gtest/gtest.h>

namespace cutaway {

namespace {

struct Md5Row {
    const char *label;
    std::string bytes;
    const char *digest; ///< as coreutils' md5sum gives it
};

class Md5Test : public testing::TestWithParam<Md5Row> { };

TEST_P(Md5Test, isThatOfTheStandard)
{
    Md5 sum;
    sum.add(GetParam().bytes);
    EXPECT_EQ(sum.finish(), GetParam().digest);
}

TEST_P(Md5Test, isTheSameInParts)
{
    Md5 sum;
    for (std::size_t at = 0; at < GetParam().bytes.size(); at += 7)
        sum.add(std::string_view(GetParam().bytes).substr(at, 7));
    EXPECT_EQ(sum.finish(), GetParam().digest);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Md5Test,
    testing::Values(Md5Row{"Nothing", "", "d41d8cd98f00b204e9800998ecf8427e"},
                    Md5Row{"AShortText", "abc", "900150983cd24fb0d6963f7d28e17f72"},
                    Md5Row{"JustWithTheLength", std::string(55, 'x'), "04364420e25c512fd958a70738aa8f72"},
                    Md5Row{"TooLongForTheLength", std::string(56, 'x'), "668a72d5ba17f08e62dabcafad6db14b"},
                    Md5Row{"AWholeBlock", std::string(64, 'x'), "c1bb4f81d892b2d57947682aeb252456"},
                    Md5Row{"SeveralBlocks", std::string(1000, '\xff'), "23cc517ae5734b068e21c92920a5ee02"}),
    [](const auto &row) { return row.param.label; });

} // namespace

} // namespace cutaway
