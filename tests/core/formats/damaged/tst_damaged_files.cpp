// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files of each format, cut and with flipped bits, are answered: by an error, or by a model in order. The files are the
// fuzzer's seeds and the sample; with CUTAWAY_DAMAGE=FOLDER those of a folder instead.

#include "core/base/formatted.h"
#include "core/formats/archive/zip.h"
#include "core/formats/format.h"
#include "core/ir/tensors/tensor_data.h"
#include "core/ir/verify.h"
#include "core/report/inspect.h"
#include "tests/core/formats/members.h"
#include "tests/core/formats/temporary_file.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

namespace cutaway::formats {
namespace {

namespace fs = std::filesystem;
using tests::ZipEntry;
using Random = std::minstd_rand;

constexpr int variants = 150;
constexpr auto patience = std::chrono::seconds(5);
constexpr std::uintmax_t maxFileSize = 2 << 20;

std::string contentOf(const fs::path &path)
{
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator(stream), {}};
}

struct Fixture {
    fs::path path;

    std::string name() const
    {
        std::string text = path.parent_path().filename().string() + "_" + path.filename().string();
        std::ranges::replace_if(text, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
        return text;
    }
    /// The whole file; seeds are parts of one.
    std::string bytes() const
    {
        const std::string folder = path.parent_path().filename().string();
        if (folder == "torchscript")
            return tests::zipArchive(tests::membersOf(contentOf(path)), tests::ZipStyle::PyTorch);
        if (folder == "pt2")
            return tests::zipArchive(
                {{"m/archive_format", "pt2"},
                 {"m/models/model.json", contentOf(path)},
                 {"m/data/weights/model_weights_config.json", contentOf(path.parent_path() / "config").substr(1)},
                 {"m/data/weights/weight_0", std::string(64, 'w')}});
        return contentOf(path);
    }
};

void PrintTo(const Fixture &fixture, std::ostream *out) { *out << fixture.path; }

std::vector<Fixture> filesIn(const fs::path &folder)
{
    std::vector<Fixture> found;
    for (const auto &entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && entry.file_size() <= maxFileSize)
            found.push_back({entry.path()});
    std::ranges::sort(found, {}, &Fixture::path);
    return found;
}

std::vector<Fixture> fixtures()
{
    if (const char *folder = std::getenv("CUTAWAY_DAMAGE"))
        return filesIn(folder);
    const fs::path seeds = CUTAWAY_SEEDS;
    std::vector<Fixture> all = filesIn(seeds / "torchscript");
    all.push_back({seeds / "onnx" / "small"});
    all.push_back({seeds / "pt2" / "program"});
    all.push_back({fs::path(CUTAWAY_SAMPLES) / "small_vision.onnx"});
    return all;
}

/// Everything that looks at a whole model.
void walk(const ir::Model &model)
{
    const auto faults = ir::verify(model);
    EXPECT_TRUE(faults.empty()) << faults.front();
    EXPECT_FALSE(report::inspectJson(model).empty());
    for (std::uint32_t i = 0; i < model.tensors.size(); ++i)
        (void)ir::firstElements(model, ir::TensorId{i}, 4);
}

void expectAnswer(const std::string &bytes, const std::string &damage)
{
    SCOPED_TRACE(damage);
    const tests::TemporaryFile file(bytes, ".onnx");
    const auto start = std::chrono::steady_clock::now();
    const auto model = open(file.path());
    if (model)
        walk(*model);
    else {
        EXPECT_EQ(model.error().kind, ErrorKind::Unreadable) << model.error().text();
        EXPECT_FALSE(model.error().message.empty());
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, patience);
}

std::size_t below(std::size_t bound, Random &random)
{
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
}

/// Flips a few bits, or takes a piece out, or doubles one, or puts a number's extreme there.
std::string changed(std::string bytes, Random &random)
{
    if (bytes.empty())
        return bytes;
    const std::size_t at = below(bytes.size(), random);
    const std::size_t length = 1 + below(std::min<std::size_t>(bytes.size() - at, 16), random);
    switch (below(5, random)) {
    case 0:
        return bytes.erase(at, length);
    case 1:
        return bytes.insert(at, bytes.substr(at, length));
    case 2:
        return bytes.replace(at, length, length, '\xff');
    default:
        for (std::size_t i = 0; i < length; ++i)
            bytes[below(bytes.size(), random)] ^= static_cast<char>(1 << below(8, random));
        return bytes;
    }
}

std::vector<ZipEntry> unpacked(const std::string &bytes)
{
    const auto zip = archive::Zip::open(std::as_bytes(std::span(bytes)));
    std::vector<ZipEntry> entries;
    if (zip)
        for (const archive::Member &member : zip->members())
            if (const auto content = zip->read(member))
                entries.push_back({std::string(member.name), std::string(content->text())});
    return entries;
}

class Damaged : public testing::TestWithParam<Fixture> {
protected:
    const std::string m_bytes = GetParam().bytes();
    Random m_random{1};
};

TEST_P(Damaged, IsReadWhenWhole)
{
    if (std::getenv("CUTAWAY_DAMAGE"))
        return expectAnswer(m_bytes, "whole");
    const tests::TemporaryFile file(m_bytes, ".onnx");
    const auto model = open(file.path());
    ASSERT_TRUE(model) << model.error().text();
    walk(*model);
}

TEST_P(Damaged, IsAnsweredWhereverItIsCut)
{
    for (int i = 0; i < variants && !m_bytes.empty(); ++i) {
        // Half of the cuts are near the end, where formats keep their directory.
        const std::size_t tail = std::min<std::size_t>(m_bytes.size(), i % 2 == 0 ? m_bytes.size() : 200);
        const std::size_t left = m_bytes.size() - 1 - below(tail, m_random);
        expectAnswer(m_bytes.substr(0, left), formatted("{} of {} bytes", left, m_bytes.size()));
    }
}

TEST_P(Damaged, IsAnsweredWhateverItsBytes)
{
    for (int i = 0; i < variants; ++i)
        expectAnswer(changed(m_bytes, m_random), formatted("change {}", i));
}

/// As the test above, but the checksums are those of the changed members.
TEST_P(Damaged, IsAnsweredWhateverItsMembersHold)
{
    const std::vector<ZipEntry> whole = unpacked(m_bytes);
    for (int i = 0; i < variants && !whole.empty(); ++i) {
        std::vector<ZipEntry> entries = whole;
        ZipEntry &entry = entries[below(entries.size(), m_random)];
        entry.content = changed(std::move(entry.content), m_random);
        expectAnswer(tests::zipArchive(entries), formatted("change {} in {}", i, entry.name));
    }
}

/// Members that others name are missing.
TEST_P(Damaged, IsAnsweredWithoutAnyMember)
{
    const std::vector<ZipEntry> whole = unpacked(m_bytes);
    for (std::size_t i = 0; i < std::min<std::size_t>(whole.size(), 200); ++i) {
        std::vector<ZipEntry> entries = whole;
        entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(i));
        expectAnswer(tests::zipArchive(entries), "without " + whole[i].name);
    }
}

INSTANTIATE_TEST_SUITE_P(Files, Damaged, testing::ValuesIn(fixtures()),
                         [](const auto &row) { return formatted("{}_{}", row.index, row.param.name()); });

} // namespace
} // namespace cutaway::formats
