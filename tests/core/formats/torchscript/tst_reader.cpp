// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/reader.h"

#include "core/ir/context.h"
#include "core/ir/verify.h"
#include "tests/core/formats/temporary_file.h"
#include "tests/core/formats/torchscript/archive_text.h"

#include <gtest/gtest.h>

namespace cutaway::formats::torchscript {
namespace {

using namespace tests::pickled;
using tests::ArchiveText;
using tests::zipArchive;
using tests::ZipEntry;

constexpr std::string_view reluCode = "class Net(Module):\n"
                                      "  __parameters__ = []\n"
                                      "  __buffers__ = []\n"
                                      "  def forward(self: __torch__.Net,\n"
                                      "    x: Tensor) -> Tensor:\n"
                                      "    return torch.relu(x)\n";

Result<ir::Model> readBytes(const std::string &bytes)
{
    return read(formats::archive::Probe(std::as_bytes(std::span(bytes)), {"net.pt", nullptr}), {});
}

ir::Model mustRead(const std::string &bytes)
{
    auto model = readBytes(bytes);
    EXPECT_TRUE(model) << model.error().text();
    if (!model)
        return {};
    EXPECT_EQ(ir::verify(*model), std::vector<std::string>());
    return std::move(*model);
}

std::string messages(const ir::Model &model)
{
    std::string all;
    for (const ir::Diagnostic &diagnostic : model.diagnostics)
        all += diagnostic.message + "\n";
    return all;
}

TEST(TorchScript, theModelIsCalledAsItsClass)
{
    ArchiveText archive;
    archive.code = reluCode;
    const ir::Model model = mustRead(archive.bytes());
    EXPECT_EQ(model.name, "Net");
    EXPECT_EQ(model.format, "torchscript");
    EXPECT_EQ(model.producer, "pytorch");
    EXPECT_EQ(model.producerVersion, "");
    EXPECT_EQ(model.formatVersion, "file format 3");
    ASSERT_FALSE(model.functions.empty());
    EXPECT_EQ(model.context->text(model.functions[0].name), "forward");
    EXPECT_EQ(messages(model), "");
}

struct VersionRow {
    std::string name;
    std::vector<ZipEntry> members;
    std::string formatVersion;
    std::string message;
};

class Versions : public testing::TestWithParam<VersionRow> { };

TEST_P(Versions, areShownAndUnknownOnesNoted)
{
    std::vector<ZipEntry> entries{{"net/data.pkl", pickle(object("__torch__", "Net", dict({})))},
                                  {"net/constants.pkl", pickle(tuple({}))},
                                  {"net/code/__torch__.py", std::string(reluCode)}};
    entries.insert(entries.end(), GetParam().members.begin(), GetParam().members.end());
    const ir::Model model = mustRead(zipArchive(entries));
    EXPECT_EQ(model.formatVersion, GetParam().formatVersion);
    EXPECT_EQ(messages(model), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    , Versions,
    testing::Values(VersionRow{"early", {{"net/version", "4\n"}}, "file format 4", ""},
                    VersionRow{"fromSixOn", {{"net/.data/version", "10\n"}}, "file format 10", ""},
                    VersionRow{"tooNew",
                               {{"net/version", "999\n"}},
                               "file format 999",
                               "the archive has version 999 of the format; 1 to 10 are known\n"},
                    VersionRow{"none", {}, "", "the archive does not say which version of the format it has\n"},
                    VersionRow{"noNumber",
                               {{"net/version", "new"}},
                               "",
                               "the archive does not say which version of the format it has\n"}),
    [](const auto &row) { return row.param.name; });

TEST(TorchScript, whatElseTheArchiveCarriesIsAttached)
{
    ArchiveText archive;
    archive.code = reluCode;
    archive.more = {
        {"net/extra/labels/en.txt", "cat\ndog\n"},
        {"net/extra/table.bin", std::string("\0\1", 2)},
        {"net/traced_inputs.pkl",
         pickle(tagged("restore_type_tag",
                       {dict({{text("forward"),
                               tagged("restore_type_tag", {list({TensorText().opcodes()}), text("List[Any]")})}}),
                        text("Dict[str, List[Any]]")}))},
        {"net/traced_inputs/0", std::string(24, 'i')},
        {"net/bytecode.pkl", std::string("\x80\x02)\0", 4)},
        {"net/code/__torch__.py.debug_pkl", pickle(tuple({text("FORMAT_WITH_STRING_TABLE"), list({}), list({})}))},
        {"net/byteorder", "little"},
        {"net/.data/serialization_id", "1"}};
    const std::string bytes = archive.bytes();
    const ir::Model model = mustRead(bytes);
    std::vector<std::pair<std::string, std::optional<std::string>>> shown;
    for (const ir::Attachment &attachment : model.attachments) {
        shown.emplace_back(attachment.name, attachment.text);
        ASSERT_TRUE(attachment.range) << attachment.name;
    }
    EXPECT_EQ(shown,
              (decltype(shown){{"code/__torch__.py", std::string(reluCode)},
                               {"extra file labels/en.txt", "cat\ndog\n"},
                               {"extra file table.bin", std::nullopt},
                               {"sample inputs", "{forward: [float32[2, 3]]}"},
                               {"bytecode.pkl", std::nullopt}}));
    const ir::FileRange &labels = *model.attachments[1].range;
    EXPECT_EQ(bytes.substr(labels.offset, labels.length), "cat\ndog\n");
}

TEST(TorchScript, numbersAreAsTheArchiveSays)
{
    ArchiveText archive;
    archive.code = reluCode;
    archive.data = object("__torch__", "Net", dict({{text("w"), TensorText().opcodes()}}));
    archive.more = {{"net/data/0", std::string(24, 'w')}, {"net/byteorder", "big"}};
    const ir::Model model = mustRead(archive.bytes());
    ASSERT_EQ(model.storages.size(), 1u);
    EXPECT_EQ(std::get<ir::FileRange>(model.storages[0].data).encoding, ir::FileRange::Encoding::BigEndian);
}

TEST(TorchScript, aCodelessClassIsAnErrorThatSaysWhy)
{
    ArchiveText archive;
    archive.code = "class Net(Module):\n  def forward(:\n";
    const auto model = readBytes(archive.bytes());
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().text(),
              "the archive has no code of the model's class \"__torch__.Net\": found ':', expected a parameter's name "
              "(code/__torch__.py, line 2, column 15)");
}

TEST(TorchScript, cancellingEndsIt)
{
    const std::string bytes = ArchiveText().bytes();
    std::stop_source stop;
    stop.request_stop();
    const auto model =
        read(formats::archive::Probe(std::as_bytes(std::span(bytes)), {"net.pt", nullptr}), {stop.get_token(), {}});
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().kind, ErrorKind::Cancelled);
}

struct SniffRow {
    std::string name;
    std::vector<ZipEntry> entries;
    bool isTorchScript;
};

class Sniffing : public testing::TestWithParam<SniffRow> { };

TEST_P(Sniffing, looksForObjectsConstantsAndCodeInOneFolder)
{
    const tests::TemporaryFile file(zipArchive(GetParam().entries));
    EXPECT_EQ(sniff(file.probe()), GetParam().isTorchScript);
}

INSTANTIATE_TEST_SUITE_P(
    , Sniffing,
    testing::Values(
        SniffRow{"module", {{"m/data.pkl", ""}, {"m/constants.pkl", ""}, {"m/code/a.py", ""}}, true},
        SniffRow{"withoutFolder", {{"data.pkl", ""}, {"constants.pkl", ""}, {"code/a.py", ""}}, true},
        SniffRow{"twoFolders", {{"m/data.pkl", ""}, {"m/constants.pkl", ""}, {"n/code/a.py", ""}}, false},
        SniffRow{"forTheLiteInterpreter",
                 {{"m/data.pkl", ""}, {"m/constants.pkl", ""}, {"m/code/a.py", ""}, {"m/bytecode.pkl", ""}},
                 true},
        SniffRow{"withoutCode", {{"m/data.pkl", ""}, {"m/constants.pkl", ""}, {"m/bytecode.pkl", ""}}, false},
        SniffRow{"torchSave", {{"m/data.pkl", ""}, {"m/data/0", ""}}, false},
        SniffRow{"exportedProgram",
                 {{"m/archive_format", "pt2"}, {"m/data.pkl", ""}, {"m/constants.pkl", ""}, {"m/code/a.py", ""}},
                 false}),
    [](const auto &row) { return row.param.name; });

} // namespace
} // namespace cutaway::formats::torchscript
