// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/archive/zip_writer.h"

#include "tests/core/formats/temporary_file.h"
#include "tests/core/formats/zip_writer.h"

#include <gtest/gtest.h>

namespace cutaway::formats::archive {
namespace {

TEST(ZipWriter, writesWhatTheReaderReads)
{
    const tests::TemporaryFile file("");
    const std::string hundredA("\x4b\x4c\xa4\x3d\x00\x00", 6); // deflated
    const std::string other =
        tests::zipArchive({{"a/deflated", std::string(100, 'a'), hundredA}, {"a/stored", "bytes"}});
    const auto from = Zip::open(std::as_bytes(std::span(other)));
    ASSERT_TRUE(from) << from.error().text();
    {
        OutputFile out(file.path());
        ZipWriter writer(out);
        writer.add("a/first", "one");
        for (const Member &member : from->members()) {
            const auto extent = from->extent(member);
            writer.copy(member, std::as_bytes(std::span(other)).subspan(extent->offset, extent->length));
        }
        writer.begin("a/last", 6);
        writer.write(std::as_bytes(std::span("tens", 4)));
        writer.write(std::as_bytes(std::span("or", 2)));
        writer.end();
        writer.finish();
        ASSERT_TRUE(out.close());
    }
    const MappedFile mapped = file.map();
    const auto zip = Zip::open(mapped.bytes());
    ASSERT_TRUE(zip) << zip.error().text();
    EXPECT_EQ(zip->root(), "a/");
    std::string content;
    for (const Member &member : zip->members()) {
        const auto read = zip->read(member);
        ASSERT_TRUE(read) << read.error().text();
        content += std::string(member.name) + "=" + std::string(read->text().substr(0, 6)) + " ";
        EXPECT_EQ(zip->extent(member)->offset % 64, 0u) << member.name;
    }
    EXPECT_EQ(content, "a/first=one a/deflated=aaaaaa a/stored=bytes a/last=tensor ");
}

} // namespace
} // namespace cutaway::formats::archive
