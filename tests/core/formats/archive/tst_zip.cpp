// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/archive/zip.h"

#include "tests/core/formats/archive/text_bytes.h"
#include "tests/core/formats/zip_writer.h"

#include <gtest/gtest.h>

namespace cutaway::formats::archive {
namespace {

using tests::zipArchive;
using tests::ZipEntry;
using tests::ZipStyle;

/// "aaaa…" (100 times) as raw deflate data.
const std::string hundredA = std::string("\x4b\x4c\xa4\x3d\x00\x00", 6);

class ZipStyles : public testing::TestWithParam<ZipStyle> { };

TEST_P(ZipStyles, membersAreFoundInPlace)
{
    const std::string file = zipArchive({{"net/version", "3\n"}, {"net/data/0", "abcdefgh"}}, GetParam());
    const auto zip = Zip::open(bytesOf(file));
    ASSERT_TRUE(zip) << zip.error().text();
    EXPECT_EQ(zip->root(), "net/");
    ASSERT_EQ(zip->members().size(), 2u);
    const Member *member = zip->find("net/data/0");
    ASSERT_TRUE(member);
    const auto extent = zip->extent(*member);
    ASSERT_TRUE(extent) << extent.error().text();
    EXPECT_EQ(file.substr(extent->offset, extent->length), "abcdefgh");
    const auto content = zip->read(*member);
    ASSERT_TRUE(content) << content.error().text();
    EXPECT_EQ(content->text(), "abcdefgh");
    EXPECT_EQ(reinterpret_cast<const char *>(content->bytes().data()), file.data() + extent->offset);
    EXPECT_FALSE(zip->find("data/0"));
}

INSTANTIATE_TEST_SUITE_P(, ZipStyles, testing::Values(ZipStyle::Python, ZipStyle::PyTorch),
                         [](const auto &row) { return row.param == ZipStyle::Python ? "Python" : "PyTorch"; });

TEST(Zip, deflatedMembersAreInflated)
{
    const std::string text(100, 'a');
    const std::string file = zipArchive({{"code", text, hundredA}});
    const auto zip = Zip::open(bytesOf(file));
    ASSERT_TRUE(zip);
    const auto content = zip->read(zip->members().front());
    ASSERT_TRUE(content) << content.error().text();
    EXPECT_EQ(content->text(), text);
}

TEST(Zip, withoutCommonFolderThereIsNoRoot)
{
    const std::string file = zipArchive({{"version", "8.2"}, {"extra_files/a", ""}});
    EXPECT_EQ(Zip::open(bytesOf(file))->root(), "");
}

TEST(Zip, emptyArchiveOpens)
{
    const std::string file = zipArchive({});
    const auto zip = Zip::open(bytesOf(file));
    ASSERT_TRUE(zip);
    EXPECT_TRUE(zip->members().empty());
}

struct BadZip {
    std::string name;
    std::string file;
    std::string message; ///< a part of it
};

std::string edited(std::string file, std::size_t at, std::string_view bytes)
{
    return file.replace(at, bytes.size(), bytes);
}

std::vector<BadZip> badZips()
{
    const std::string good = zipArchive({{"a", "12345678"}});
    const std::string two = zipArchive({{"a", "12345678"}, {"b", "12345678"}});
    const std::size_t directory = 30 + 1 + 8;
    const std::size_t secondEntry = 2 * directory + 46 + 1;
    return {
        {"cutShort", good.substr(0, good.size() - 1), "no end record"},
        {"onlyTheMagic", "PK\x03\x04", "no end record"},
        {"nothing", "", "no end record"},
        {"endOfANestedArchive", "cut" + good, "does not end where its end record starts"},
        {"duplicateName", zipArchive({{"a", "1"}, {"a", "2"}}), "two members of one name"},
        {"leavesTheArchive", zipArchive({{"a/../../b", "1"}}), "a name that leaves the archive"},
        {"absolutePath", zipArchive({{"/etc/x", "1"}}), "absolute or foreign path"},
        {"backslash", zipArchive({{"a\\b", "1"}}), "absolute or foreign path"},
        {"drive", zipArchive({{"c:x", "1"}}), "absolute or foreign path"},
        {"notUtf8", zipArchive({{"a\xff", "1"}}), "not plain UTF-8"},
        {"nulInName", zipArchive({{std::string("a\0b", 3), "1"}}), "not plain UTF-8"},
        {"encrypted", edited(good, directory + 8, "\x01"), "encrypted"},
        {"unknownMethod", edited(good, directory + 10, "\x0c"), "compression method 12"},
        {"twoSizes", edited(good, directory + 24, "\x09"), "two different sizes"},
        {"pastTheData", edited(edited(good, directory + 20, "\x7f"), directory + 24, "\x7f"), "reaches beyond"},
        {"overlap", edited(two, secondEntry + 42, std::string(1, '\x05')), "two zip members overlap"},
        {"moreEntriesThanFit", edited(good, good.size() - 12, "\x09"), "more than fit"},
        {"noEntry", edited(good, directory, "XX"), "an entry was expected"},
        {"severalDisks", edited(good, good.size() - 18, "\x01"), "several disks"},
    };
}

class BadZips : public testing::TestWithParam<BadZip> { };

TEST_P(BadZips, areRefusedWithTheReason)
{
    const auto zip = Zip::open(bytesOf(GetParam().file));
    ASSERT_FALSE(zip);
    EXPECT_NE(zip.error().text().find(GetParam().message), std::string::npos) << zip.error().text();
}

INSTANTIATE_TEST_SUITE_P(, BadZips, testing::ValuesIn(badZips()), [](const auto &row) { return row.param.name; });

std::string readError(const std::string &file)
{
    const auto zip = Zip::open(bytesOf(file));
    if (!zip)
        return zip.error().text();
    const auto content = zip->read(zip->members().front());
    return content ? "" : content.error().text();
}

TEST(Zip, changedContentFailsItsChecksum)
{
    EXPECT_NE(readError(edited(zipArchive({{"a", "12345678"}}), 31, "x")).find("checksum"), std::string::npos);
}

TEST(Zip, entryThatPointsAtNoMemberFails)
{
    EXPECT_NE(readError(edited(zipArchive({{"a", "12345678"}}), 0, "XX")).find("no member starts"), std::string::npos);
}

TEST(Zip, damagedDeflateDataFails)
{
    EXPECT_NE(readError(zipArchive({{"a", std::string(100, 'a'), hundredA.substr(0, 3)}})).find("damaged"),
              std::string::npos);
}

TEST(Zip, anEmptyDeflatedMemberIsEmpty)
{
    EXPECT_EQ(readError(zipArchive({{"a", "", std::string("\x03\x00", 2)}})), "");
}

TEST(Zip, inflationIsLimitedByTheRatio)
{
    const ZipEntry bomb{"a", std::string(2 << 20, 'a'), hundredA};
    EXPECT_NE(readError(zipArchive({bomb})).find("beyond what is accepted"), std::string::npos);
    // A member that inflates to few bytes may have any ratio, as weights that are all zeros; a false size is found
    // after that.
    const ZipEntry small{"a", std::string(100'000, 'a'), hundredA};
    EXPECT_NE(readError(zipArchive({small})).find("another size than it says"), std::string::npos);
}

} // namespace
} // namespace cutaway::formats::archive
