// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/context.h"
#include "core/ir/tensors/tensor_data.h"
#include "tests/core/formats/onnx/onnx_writer.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <ostream>

namespace {

using namespace cutaway;
using namespace onnxtest;
using namespace std::literals;

/// A model that has the tensor as its initializer "w".
Proto modelWith(const Proto &tensor) { return model(graph({node("Op", {"w"}, {"y"})}, {}, {}, {tensor})); }

Proto tensor(int dataType, const std::vector<int> &dims)
{
    Proto proto;
    for (const int dim : dims)
        proto.number(1, static_cast<std::uint64_t>(dim));
    return proto.number(2, static_cast<std::uint64_t>(dataType)).text(8, "w");
}

struct DataRow {
    const char *name;
    Proto tensor;
    const char *dtype;
    std::vector<std::string> elements;
};

void PrintTo(const DataRow &row, std::ostream *out) { *out << row.name; }

class TensorData : public testing::TestWithParam<DataRow> { };

/// The model lies in a file, as ranges of it are read.
TEST_P(TensorData, IsReadInPlace)
{
    const auto path = std::filesystem::path(testing::TempDir()) / (std::string("tensor-") + GetParam().name + ".onnx");
    const Proto proto = modelWith(GetParam().tensor);
    std::ofstream(path, std::ios::binary) << proto.bytes;
    const ir::Model model = opened(proto, path.string());
    ASSERT_EQ(model.tensors.size(), 1u);
    EXPECT_EQ(name(model.tensors[0].dtype), GetParam().dtype);
    const auto elements = ir::firstElements(model, ir::TensorId{0}, 100);
    ASSERT_TRUE(elements) << elements.error().text();
    EXPECT_EQ(*elements, GetParam().elements);
    std::filesystem::remove(path);
}

INSTANTIATE_TEST_SUITE_P(
    Tensors, TensorData,
    testing::Values(DataRow{"RawInt32", tensor(6, {2}).text(9, "\x01\0\0\0\xfe\xff\xff\xff"sv), "int32", {"1", "-2"}},
                    DataRow{"PackedInt64",
                            tensor(7, {2}).text(7, "\x05\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"sv),
                            "int64",
                            {"5", "-1"}},
                    DataRow{"UnpackedInt64", tensor(7, {2}).number(7, 5).number(7, 6), "int64", {"5", "6"}},
                    DataRow{"BoolsInInt32Data", tensor(9, {3}).text(5, "\1\0\1"sv), "bool", {"true", "false", "true"}},
                    DataRow{"Bfloat16Pattern", tensor(16, {1}).number(5, 16256), "bfloat16", {"1"}},
                    DataRow{"FourBitPackedEntries", tensor(22, {3}).text(5, "\x21\x03"sv), "int4", {"1", "2", "3"}},
                    DataRow{"Uint64Data", tensor(12, {1}).number(11, 4000000000), "uint32", {"4000000000"}},
                    DataRow{"PackedFloats", tensor(1, {2}).text(4, "\0\0\x80\x3f\0\0\0\x40"sv), "float32", {"1", "2"}},
                    DataRow{"UnpackedFloats", tensor(1, {2}).fixed32(4, 1).fixed32(4, 2), "float32", {"1", "2"}},
                    DataRow{"Strings", tensor(8, {2}).text(6, "a").text(6, "b"), "string", {"\"a\"", "\"b\""}}),
    [](const auto &row) { return row.param.name; });

TEST(Tensors, LongIntegerListsStayInTheFile)
{
    const ir::Model model = opened(modelWith(tensor(7, {5000}).text(7, std::string(5000, '\1'))));
    const auto *range = std::get_if<ir::FileRange>(&model.storages[0].data);
    ASSERT_TRUE(range);
    EXPECT_EQ(range->encoding, ir::FileRange::Encoding::Varints);
    EXPECT_EQ(range->length, 5000u);
    EXPECT_EQ(model.storages[0].byteLength, 40000u);
}

TEST(Tensors, OfFloatingPointAreParametersAndOthersBuffers)
{
    EXPECT_EQ(opened(modelWith(floats("w", {2}))).tensors[0].kind, ir::Tensor::Kind::Parameter);
    EXPECT_EQ(opened(modelWith(tensor(7, {1}).number(7, 1))).tensors[0].kind, ir::Tensor::Kind::Buffer);
    const auto kind = entry("pkg.torch.export.graph_signature.InputSpec.kind", "BUFFER");
    EXPECT_EQ(opened(modelWith(floats("w", {2}).message(16, kind))).tensors[0].kind, ir::Tensor::Kind::Buffer);
}

struct WrongRow {
    const char *name;
    Proto tensor;
    const char *said;
};

void PrintTo(const WrongRow &row, std::ostream *out) { *out << row.name; }

class WrongTensor : public testing::TestWithParam<WrongRow> { };

TEST_P(WrongTensor, IsShownWithoutBytesAndANote)
{
    const ir::Model model = opened(modelWith(GetParam().tensor));
    EXPECT_NE(diagnostics(model).find(GetParam().said), std::string::npos) << diagnostics(model);
    EXPECT_TRUE(std::holds_alternative<ir::NoBytes>(model.storages[0].data));
}

INSTANTIATE_TEST_SUITE_P(
    Tensors, WrongTensor,
    testing::Values(WrongRow{"TooShort", tensor(1, {4}).text(9, "1234"), "asks for 16 bytes, the file has 4"},
                    WrongRow{"NoData", tensor(1, {4}), "no data"},
                    WrongRow{"TooLarge",
                             Proto().number(1, 1ull << 62).number(1, 8).number(2, 1).text(8, "w").text(9, "1234"),
                             "63 bits"},
                    WrongRow{"Negative", Proto().number(1, ~0ull).number(2, 1).text(8, "w"), "negative"},
                    WrongRow{"MissingTexts", tensor(8, {2}).text(6, "a"), "asks for 2 texts"},
                    WrongRow{"MissingFile", floats("w", {2}).number(14, 1).message(13, entry("location", "none.bin")),
                             "not beside the model"},
                    WrongRow{"AbsolutePath",
                             floats("w", {2}).number(14, 1).message(13, entry("location", "/etc/passwd")), "absolute"},
                    WrongRow{"WayOut", floats("w", {2}).number(14, 1).message(13, entry("location", "a/../../w")),
                             "out of the model's folder"}),
    [](const auto &row) { return row.param.name; });

TEST(Tensors, OfAnUnknownTypeAreRefused)
{
    const auto result = read(modelWith(tensor(99, {1})));
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.find("element type 99"), std::string::npos);
}

TEST(Tensors, OfAHugeRankAreRefused)
{
    const auto result = read(modelWith(Proto().text(1, std::string(100, '\1'))));
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.find("more than 64 dimensions"), std::string::npos);
}

TEST(Tensors, KeepSparsePartsAsTheyAre)
{
    const Proto sparse =
        Proto().message(1, floats("s", {3})).message(2, tensor(7, {3}).text(7, "\0\5\7"sv)).number(3, 4).number(3, 4);
    const ir::Model model = opened(onnxtest::model(graph({node("Op", {"s"}, {"y"})}, {}, {}).message(15, sparse)));
    const ir::Tensor &whole = model.tensors.back();
    EXPECT_EQ(model.context->text(whole.name), "s");
    EXPECT_EQ(whole.layout, ir::Layout::SparseCoo);
    EXPECT_EQ(whole.shape, (std::vector<std::int64_t>{4, 4}));
    EXPECT_EQ(whole.parts.size(), 2u);
}

/// A folder with a model's external file, gone at the end.
class ExternalFile : public testing::Test {
protected:
    ExternalFile()
        : folder(std::filesystem::path(testing::TempDir())
                 / std::string("onnx-").append(testing::UnitTest::GetInstance()->current_test_info()->name()))
    {
        std::filesystem::remove_all(folder);
        std::filesystem::create_directories(folder);
        std::ofstream(folder / "w.bin", std::ios::binary) << "0123456789abcdef";
    }
    ~ExternalFile() override { std::filesystem::remove_all(folder); }

    Result<ir::Model> readWith(const char *offset, const char *length, const char *location = "w.bin",
                               const char *file = "m.onnx") const
    {
        Proto w =
            tensor(2, {4}).number(14, 1).message(13, entry("location", location)).message(13, entry("offset", offset));
        if (length)
            w.message(13, entry("length", length));
        return read(modelWith(w), (folder / file).string());
    }

    std::filesystem::path folder;
};

TEST_F(ExternalFile, IsARangeOfItsOwnFile)
{
    const auto model = readWith("2", "4");
    ASSERT_TRUE(model);
    EXPECT_EQ(model->files.size(), 2u);
    EXPECT_EQ(std::get<ir::FileRange>(model->storages[0].data), (ir::FileRange{ir::FileId{1}, 2, 4}));
    EXPECT_EQ(ir::firstElements(*model, ir::TensorId{0}, 2).value(), (std::vector<std::string>{"50", "51"}));
}

TEST_F(ExternalFile, MustHoldWhatTheModelSays)
{
    EXPECT_NE(diagnostics(*readWith("14", nullptr)).find("onnx.external-size"), std::string::npos);
    EXPECT_NE(diagnostics(*readWith("0", "3")).find("onnx.external-size"), std::string::npos);
}

TEST_F(ExternalFile, NumbersAreStrict)
{
    for (const char *offset : {"-1", "0x10", "1e3", "99999999999999999999", ""})
        EXPECT_FALSE(readWith(offset, nullptr)) << offset;
}

TEST_F(ExternalFile, IsReachedThroughLinksWithinItsFolder)
{
    namespace fs = std::filesystem;
    fs::create_directories(folder / "data");
    fs::create_symlink("w.bin", folder / "link.bin");
    fs::create_symlink("link.bin", folder / "chain.bin");
    fs::create_symlink("../w.bin", folder / "data" / "up.bin");
    fs::create_symlink("data", folder / "other");
    fs::create_symlink(fs::absolute(folder / "w.bin"), folder / "absolute.bin");
    fs::create_hard_link(folder / "w.bin", folder / "hard.bin");
    for (const char *location : {"link.bin", "chain.bin", "data/up.bin", "other/up.bin", "absolute.bin", "hard.bin"}) {
        const auto model = readWith("0", "4", location);
        EXPECT_EQ(diagnostics(*model), "") << location;
        EXPECT_EQ(ir::firstElements(*model, ir::TensorId{0}, 1).value(), (std::vector<std::string>{"48"})) << location;
    }
}

TEST_F(ExternalFile, IsNotReachedThroughLinksThatLeadElsewhere)
{
    namespace fs = std::filesystem;
    fs::create_directories(folder / "model" / "blobs"); // no repository of a hub: there are no snapshots
    fs::create_directories(folder / "model" / "folder");
    const fs::path inner = folder / "model";
    fs::create_symlink("../w.bin", inner / "up.bin");
    fs::create_symlink("up.bin", inner / "chain.bin");
    fs::create_symlink("..", inner / "parent");
    fs::create_symlink("/etc/passwd", inner / "absolute.bin");
    fs::create_symlink("missing.bin", inner / "dangling.bin");
    fs::create_symlink("circle.bin", inner / "circle.bin");
    fs::create_symlink("folder", inner / "folder.bin");
    fs::create_symlink("/dev/zero", inner / "device.bin");
    for (const char *location : {"up.bin", "chain.bin", "parent/w.bin", "absolute.bin", "dangling.bin", "circle.bin",
                                 "folder.bin", "device.bin", "../w.bin", "/etc/passwd"}) {
        const auto model = readWith("0", "4", location, "model/m.onnx");
        EXPECT_NE(diagnostics(*model).find("onnx.external-refused"), std::string::npos) << location;
        EXPECT_FALSE(ir::firstElements(*model, ir::TensorId{0}, 1)) << location;
    }
}

TEST_F(ExternalFile, IsABlobInTheCacheOfAHub)
{
    namespace fs = std::filesystem;
    const fs::path snapshot = folder / "hub" / "snapshots" / "1" / "onnx";
    fs::create_directories(snapshot);
    fs::create_directories(folder / "hub" / "blobs");
    fs::rename(folder / "w.bin", folder / "hub" / "blobs" / "77aa");
    std::ofstream(folder / "hub" / "blobs" / "6f1d") << "the model";
    std::ofstream(folder / "secret") << "secret";
    fs::create_symlink("../../../blobs/77aa", snapshot / "w.bin");
    fs::create_symlink("../../../../secret", snapshot / "out.bin");
    fs::create_directories(folder / "hub" / "refs");
    std::ofstream(folder / "hub" / "refs" / "main") << "no blob";
    fs::create_symlink("../../../refs/main", snapshot / "beside.bin");
    for (const bool isModelLinked : {false, true}) {
        if (isModelLinked)
            fs::create_symlink("../../../blobs/6f1d", snapshot / "m.onnx");
        const auto model = readWith("2", "4", "w.bin", "hub/snapshots/1/onnx/m.onnx");
        EXPECT_EQ(diagnostics(*model), "");
        EXPECT_EQ(ir::firstElements(*model, ir::TensorId{0}, 1).value(), (std::vector<std::string>{"50"}));
        for (const char *location : {"out.bin", "beside.bin"}) {
            const auto refused = readWith("0", "4", location, "hub/snapshots/1/onnx/m.onnx");
            EXPECT_NE(diagnostics(*refused).find("leads out of the model's folder"), std::string::npos) << location;
        }
    }
}

TEST_F(ExternalFile, LiesBesideTheTargetOfALinkToTheModel)
{
    namespace fs = std::filesystem;
    fs::create_directories(folder / "links");
    std::ofstream(folder / "m.onnx") << "the model";
    fs::create_symlink("../m.onnx", folder / "links" / "m.onnx");
    const auto model = readWith("2", "4", "w.bin", "links/m.onnx");
    EXPECT_EQ(diagnostics(*model), "");
    EXPECT_EQ(ir::firstElements(*model, ir::TensorId{0}, 1).value(), (std::vector<std::string>{"50"}));
}

} // namespace
