// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/archive/probe.h"

#include "tests/core/formats/temporary_file.h"
#include "tests/core/formats/zip_writer.h"

#include <gtest/gtest.h>

namespace cutaway::formats::archive {
namespace {

using namespace std::string_literals;
using tests::TemporaryFile;
using tests::zipArchive;

const std::string emptyDict = "\x80\x02}."s;

TEST(Probe, readsDirectoryAndPickleOnce)
{
    const TemporaryFile file(zipArchive({{"net/data.pkl", emptyDict}}));
    const Probe probe = file.probe();
    ASSERT_TRUE(probe.isZip());
    EXPECT_EQ(*probe.zip(), *probe.zip());
    const auto saved = probe.torchSave();
    ASSERT_TRUE(saved) << saved.error().text();
    EXPECT_EQ(*saved, *probe.torchSave());
    EXPECT_TRUE((*saved)->pickle().entries((*saved)->pickle().root()));
}

struct ProbeRow {
    const char *name;
    std::string content;
    bool isZip;
    const char *error; ///< the error of torchSave()
};

void PrintTo(const ProbeRow &row, std::ostream *out) { *out << row.name; }

class WithoutPickle : public testing::TestWithParam<ProbeRow> { };

TEST_P(WithoutPickle, saysWhatIsMissingEachTimeThatItIsAsked)
{
    const TemporaryFile file(GetParam().content);
    const Probe probe = file.probe();
    EXPECT_EQ(probe.isZip(), GetParam().isZip);
    for (int i = 0; i < 2; ++i) {
        const auto saved = probe.torchSave();
        ASSERT_FALSE(saved);
        EXPECT_TRUE(saved.error().text().contains(GetParam().error)) << saved.error().text();
    }
}

INSTANTIATE_TEST_SUITE_P(
    Probe, WithoutPickle,
    testing::Values(ProbeRow{"NoZip", "{}", false, "zip"},
                    ProbeRow{"CutZip", zipArchive({{"net/data.pkl", emptyDict}}).substr(0, 30), false, "zip"},
                    ProbeRow{"OtherMembers", zipArchive({{"net/code", "x"}}), true,
                             "the torch.save file has no data.pkl"},
                    ProbeRow{"CutPickle", zipArchive({{"net/data.pkl", "\x80\x02}"s}}), true, "pickle"}),
    [](const auto &row) { return std::string(row.param.name); });

} // namespace
} // namespace cutaway::formats::archive
