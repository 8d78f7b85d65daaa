// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/archive/torch_save.h"

#include "tests/core/formats/archive/text_bytes.h"
#include "tests/core/formats/zip_writer.h"

#include <gtest/gtest.h>

namespace cutaway::formats::archive {
namespace {

using namespace std::string_literals;

/// ('storage', torch <type>, '0', 'cpu', n) as a persistent id
std::string storage(const std::string &type, char elements, const std::string &device = "cpu")
{
    return "(\x8c\x07storagec" + type + "\n\x8c\x01" + "0\x8c" + static_cast<char>(device.size()) + device + "K"
        + elements + "tQ";
}

std::string tensor(const std::string &function, const std::string &rest)
{
    return "\x80\x04"
           "ctorch._utils\n"
        + function + "\n(" + rest + "tR.";
}

const std::string sizes23 = "K\x02K\x03\x86"s;   // (2, 3)
const std::string strides31 = "K\x03K\x01\x86"s; // (3, 1)
const std::string hooks = "\x89"
                          "ccollections\nOrderedDict\n)R"s;

std::optional<PickledTensor> tensorOf(const std::string &bytes)
{
    const auto pickle = Pickle::read(bytesOf(bytes));
    EXPECT_TRUE(pickle) << pickle.error().text();
    return pickle ? pickledTensor(*pickle, pickle->root()) : std::nullopt;
}

TEST(PickledTensor, stridedTensorIsAViewOfItsStorage)
{
    const auto t = tensorOf(
        tensor("_rebuild_tensor_v2", storage("torch\nHalfStorage", 8) + "K\x02" + sizes23 + strides31 + hooks));
    ASSERT_TRUE(t);
    EXPECT_EQ(t->dtype, ir::DType::Float16);
    EXPECT_EQ(t->shape, (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(t->strides, (std::vector<std::int64_t>{3, 1}));
    EXPECT_EQ(t->offset, 2);
    ASSERT_TRUE(t->storage);
    EXPECT_EQ(t->storage->key, "0");
    EXPECT_EQ(t->storage->elements, 8);
}

TEST(PickledTensor, untypedStorageTakesTheTypeBesideIt)
{
    const auto t = tensorOf(tensor("_rebuild_tensor_v3",
                                   storage("torch.storage\nUntypedStorage", 6) + "K\x00"s + sizes23 + strides31 + hooks
                                       + "ctorch\nfloat8_e4m3fn\n"));
    ASSERT_TRUE(t);
    EXPECT_EQ(t->dtype, ir::DType::Float8E4M3FN);
    EXPECT_FALSE(t->storage->dtype);
}

TEST(PickledTensor, parameterIsTheTensorInIt)
{
    const std::string inner =
        tensor("_rebuild_tensor_v2", storage("torch\nFloatStorage", 6) + "K\x00"s + sizes23 + strides31 + hooks);
    const auto t = tensorOf(tensor("_rebuild_parameter",
                                   inner.substr(2, inner.size() - 3)
                                       + "\x88"
                                         "ccollections\nOrderedDict\n)R"));
    ASSERT_TRUE(t);
    EXPECT_TRUE(t->isParameter);
    EXPECT_TRUE(t->requiresGrad);
    EXPECT_EQ(t->shape.size(), 2u);
}

TEST(PickledTensor, quantizedTensorHasItsStorageType)
{
    const auto t = tensorOf(tensor("_rebuild_qtensor",
                                   storage("torch\nQInt8Storage", 6) + "K\x00"s + sizes23 + strides31
                                       + "(ctorch\nper_tensor_affine\nG?\xe0\0\0\0\0\0\0K\x00t"s + hooks));
    ASSERT_TRUE(t);
    EXPECT_EQ(t->dtype, ir::DType::QInt8);
}

TEST(PickledTensor, tensorQuantizedByChannelHasItsScalesAndZeroPoints)
{
    const auto inner = [](const std::string &type) {
        const std::string whole =
            tensor("_rebuild_tensor_v2", storage(type, 6) + "K\x00"s + sizes23 + strides31 + hooks);
        return whole.substr(2, whole.size() - 3);
    };
    const auto t = tensorOf(tensor("_rebuild_qtensor",
                                   storage("torch\nQInt8Storage", 6) + "K\x00"s + sizes23 + strides31
                                       + "(ctorch\nper_channel_affine\n" + inner("torch\nDoubleStorage")
                                       + inner("torch\nLongStorage") + "K\x00t"s + hooks));
    ASSERT_TRUE(t);
    ASSERT_EQ(t->parts.size(), 2u);
    EXPECT_EQ(t->parts[0].dtype, ir::DType::Float64);
    EXPECT_EQ(t->parts[1].dtype, ir::DType::Int64);
}

TEST(PickledTensor, noTensorHasAThousandDimensions)
{
    std::string sizes = "(";
    for (int i = 0; i < 1000; ++i)
        sizes += "K\x01";
    sizes += "t";
    EXPECT_FALSE(
        tensorOf(tensor("_rebuild_tensor_v2", storage("torch\nFloatStorage", 6) + "K\x00"s + sizes + sizes + hooks)));
}

TEST(WithoutTag, opensTheCallsThatTellAContainersType)
{
    const std::string bytes = "\x80\x02"
                              "(ctorch.jit._pickle\nbuild_intlist\n]\x85R"
                              "ctorch.jit._pickle\nrestore_type_tag\n}\x8c\x0e"
                              "Dict[str, int]\x86R"
                              "cposix\nsystem\n]\x85Rt."s;
    const auto pickle = Pickle::read(bytesOf(bytes));
    ASSERT_TRUE(pickle) << pickle.error().text();
    const auto items = pickle->items(pickle->root()).value();
    EXPECT_TRUE(pickle->as<Pickle::Items>(withoutTag(*pickle, items[0])));
    EXPECT_TRUE(pickle->as<Pickle::Dict>(withoutTag(*pickle, items[1])));
    EXPECT_EQ(withoutTag(*pickle, items[2]), items[2]);
}

TEST(PickledTensor, otherCallsAreNoTensors)
{
    EXPECT_FALSE(tensorOf("\x80\x04"
                          "cposix\nsystem\n\x8c\x02id\x85R."s));
    EXPECT_FALSE(tensorOf(tensor("_rebuild_tensor_v2", "K\x01"))) << "too few arguments";
    EXPECT_FALSE(tensorOf("\x80\x04K\x01."s));
}

TEST(TorchSave, findsTheBytesOfAStorageInsideAnotherFile)
{
    const std::string inner = tests::zipArchive({{"archive/data.pkl", "\x80\x02}."}, {"archive/data/0", "12345678"}},
                                                tests::ZipStyle::PyTorch);
    const std::string outer = tests::zipArchive({{"weights.pt", inner}});
    const auto zip = Zip::open(bytesOf(outer));
    ASSERT_TRUE(zip);
    const auto place = zip->extent(zip->members().front());
    const auto saved = TorchSave::open(bytesOf(outer).subspan(place->offset, place->length));
    ASSERT_TRUE(saved) << saved.error().text();
    EXPECT_EQ(saved->encoding(), ir::FileRange::Encoding::LittleEndian);
    const auto storage = saved->storage("0");
    ASSERT_TRUE(storage) << storage.error().text();
    EXPECT_EQ(storage->text(), "12345678");
    EXPECT_FALSE(saved->storage("1"));
}

TEST(TorchSave, archiveWithoutAPickleIsNone)
{
    const auto saved = TorchSave::open(bytesOf(tests::zipArchive({{"archive/version", "3"}})));
    ASSERT_FALSE(saved);
    EXPECT_NE(saved.error().text().find("no data.pkl"), std::string::npos);
}

} // namespace
} // namespace cutaway::formats::archive
