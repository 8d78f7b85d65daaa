// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/digests/sha256.h"

#include <gtest/gtest.h>

namespace cutaway {

namespace {

struct HashRow {
    const char *label;
    std::string bytes;
    const char *digest; ///< as coreutils' sha256sum gives it
};

class Sha256 : public testing::TestWithParam<HashRow> { };

TEST_P(Sha256, isThatOfTheStandard) { EXPECT_EQ(sha256(GetParam().bytes), GetParam().digest); }

INSTANTIATE_TEST_SUITE_P(
    Rows, Sha256,
    testing::Values(HashRow{"Nothing", "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
                    HashRow{"AShortText", "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
                    HashRow{"JustWithTheLength", std::string(55, 'x'),
                            "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072"},
                    HashRow{"TooLongForTheLength", std::string(56, 'x'),
                            "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e"},
                    HashRow{"AWholeBlock", std::string(64, 'x'),
                            "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c"},
                    HashRow{"SeveralBlocks", std::string(1000, '\xff'),
                            "b4f73dff046400b76728ab32619e3d89e00132653725f660c62ab9fca975b372"}),
    [](const auto &row) { return row.param.label; });

} // namespace

} // namespace cutaway
