// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/state_dict/reader.h"

#include "core/ir/context.h"
#include "core/ir/tensors/tensor_data.h"
#include "core/ir/verify.h"
#include "core/ir/weights_only.h"
#include "tests/core/formats/temporary_file.h"
#include "tests/core/formats/zip_writer.h"

#include <gtest/gtest.h>

namespace cutaway::formats::state_dict {
namespace {

using namespace std::string_literals;

std::string text(std::string_view t) { return "\x8c" + std::string(1, static_cast<char>(t.size())).append(t); }

/// float32 elements of storage `key`
std::string tensor(const std::string &key, char elements, char offset, char size)
{
    return "ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") + "ctorch\nFloatStorage\n" + text(key)
        + text("cpu") + "K" + elements + "tQK" + offset + "K" + size + "\x85K\x01\x85\x89"
        + "ccollections\nOrderedDict\n)RtR";
}

std::string parameter(const std::string &tensor)
{
    return "ctorch._utils\n_rebuild_parameter\n(" + tensor + "\x88" + "ccollections\nOrderedDict\n)RtR";
}

/// Keys and values, one behind the other.
std::string dict(const std::string &flat) { return "}(" + flat + "u"; }
std::string orderedDict(const std::string &flat) { return "ccollections\nOrderedDict\n)R(" + flat + "u"; }
std::string list(const std::string &items) { return "](" + items + "e"; }

Result<ir::Model> opened(const std::string &value)
{
    const tests::TemporaryFile file(tests::zipArchive({{"net/data.pkl", "\x80\x04" + value + "."},
                                                       {"net/data/0", "\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40"s},
                                                       {"net/data/1", "\0\0\x80\xbf"s},
                                                       {"net/version", "3\n"}},
                                                      tests::ZipStyle::PyTorch),
                                    ".pth");
    return formats::open(file.path()); // the mapping stays valid when its file is gone
}

std::string printed(const Result<ir::Model> &model)
{
    if (!model)
        return model.error().text();
    std::string lines;
    for (std::uint32_t i = 0; i < model->tensors.size(); ++i) {
        lines += model->context->text(model->tensors[i].name);
        const auto elements = ir::firstElements(*model, {i}, 8);
        for (const std::string &element : elements ? *elements : std::vector{elements.error().text()})
            lines += " " + element;
        lines += "\n";
    }
    for (const auto &[key, value] : model->metadata)
        lines += key + "=" + value + "\n";
    for (const ir::Diagnostic &diagnostic : model->diagnostics)
        lines += diagnostic.code + ": " + diagnostic.message + "\n";
    EXPECT_TRUE(ir::verify(*model).empty());
    EXPECT_TRUE(ir::isWeightsOnly(*model));
    return lines;
}

TEST(StateDict, isItsTensorsByName)
{
    const auto model = opened(
        orderedDict(text("fc.weight") + parameter(tensor("0", 3, 1, 2)) + text("fc.bias") + tensor("1", 1, 0, 1)));
    EXPECT_EQ(printed(model), "fc.weight 2 3\nfc.bias -1\n");
    EXPECT_EQ(model->format, "state-dict");
    EXPECT_EQ(model->modules[1].tensors.size(), 2u);
}

TEST(StateDict, hasOneStorageForTiedWeights)
{
    const auto model = opened(dict(text("a") + tensor("0", 3, 0, 3) + text("b") + tensor("0", 3, 0, 2)));
    EXPECT_EQ(printed(model), "a 1 2 3\nb 1 2\n");
    EXPECT_EQ(model->tensors[0].storage, model->tensors[1].storage);
}

/// A dictionary of one tensor of 25 elements, in a member that is deflated.
ir::Model deflated(const std::string &content, const std::string &deflatedBytes)
{
    const std::string value = dict(text("w") + tensor("0", 25, 0, 25));
    const tests::TemporaryFile file(tests::zipArchive({{"net/data.pkl", "\x80\x04" + value + "."},
                                                       {"net/data/0", content, deflatedBytes},
                                                       {"net/version", "3\n"}}),
                                    ".pth");
    auto model = formats::open(file.path());
    EXPECT_TRUE(model) << model.error().text();
    return model ? *model : ir::Model();
}

TEST(StateDict, ofCompressedMembersIsInflated)
{
    const std::string hundredA = "\x4b\x4c\xa4\x3d\x00\x00"s; // "aaaa…" as raw deflate data
    const ir::Model model = deflated(std::string(100, 'a'), hundredA);
    EXPECT_TRUE(model.diagnostics.empty());
    EXPECT_EQ(ir::firstElements(model, {0}, 1).value(), (std::vector<std::string>{"2.59846e+20"}));
    const ir::Model damaged = deflated(std::string(100, 'a'), hundredA.substr(0, 3));
    ASSERT_EQ(damaged.diagnostics.size(), 1u);
    EXPECT_NE(damaged.diagnostics[0].message.find("damaged"), std::string::npos);
    EXPECT_FALSE(ir::firstElements(damaged, {0}, 1));
}

TEST(StateDict, doesNotInflateWithoutEnd)
{
    const ir::Model model = deflated(std::string(3 << 20, 'a'), "\x4b\x4c\xa4\x3d\x00\x00"s);
    ASSERT_EQ(model.diagnostics.size(), 1u);
    EXPECT_NE(model.diagnostics[0].message.find("beyond what is accepted"), std::string::npos);
}

TEST(StateDict, ofATrainingHasTheKeysAsPath)
{
    const auto model = opened(
        dict(text("epoch") + "K\x07" + text("model") + orderedDict(text("w") + tensor("1", 1, 0, 1)) + text("optimizer")
             + dict(text("state") + dict("K\0"s + dict(text("exp_avg") + tensor("0", 3, 0, 1))) + text("param_groups")
                    + list(dict(text("lr") + "G\x3f\xe0\0\0\0\0\0\0"s + text("betas") + list("K\x01K\x02"s))))
             + text("name") + text("net") + text("best") + "\x88" + text("losses") + list(tensor("1", 1, 0, 1))));
    EXPECT_EQ(printed(model),
              "model.w -1\noptimizer.state.0.exp_avg 1\nlosses.0 -1\n"
              "epoch=7\noptimizer.param_groups.0.lr=0.5\nname=net\nbest=True\n");
}

TEST(StateDict, saysWhatIsLeftOut)
{
    const auto model = opened(dict(text("a") + dict(text("b") + tensor("1", 1, 0, 1)) + text("a.b")
                                   + tensor("0", 3, 0, 1) + text("c") + "cnumpy\nndarray\n)R"));
    EXPECT_EQ(printed(model),
              "a.b -1\n"
              "state-dict.duplicate: there are two tensors \"a.b\"; the first is used\n"
              "state-dict.left-out: \"c\" is no tensor and is not read\n");
}

TEST(StateDict, keepsScaleAndZeroPoint)
{
    const auto model =
        opened(dict(text("q") + "ctorch._utils\n_rebuild_qtensor\n((" + text("storage") + "ctorch\nQInt8Storage\n"
                    + text("1") + text("cpu") + "K\x04tQK\0K\x02\x85K\x01\x85(ctorch\nper_tensor_affine\n"s
                    + "G\x3f\xe0\0\0\0\0\0\0K\x03t\x89"s + "ccollections\nOrderedDict\n)RtR"));
    EXPECT_EQ(printed(model), "q#0 0.5\nq#1 3\nq 0 0\n");
    EXPECT_EQ(model->tensors[2].parts, (std::vector{ir::TensorId{0}, ir::TensorId{1}}));
}

TEST(StateDict, keepsTensorsWhoseBytesAreMissing)
{
    EXPECT_EQ(printed(opened(dict(text("a") + tensor("7", 1, 0, 1)))),
              "a the bytes of data/7 are missing: the zip archive has no such member\n"
              "state-dict.weights: the bytes of data/7 are missing: the zip archive has no such member\n");
}

TEST(StateDict, refusesViewsThatReachNoPlace)
{
    EXPECT_EQ(printed(opened(dict(text("a") + tensor("0", 3, 0, 3).replace(0, 0, "") + text("b")
                                  + "ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") + "ctorch\nFloatStorage\n"
                                  + text("0") + text("cpu") + "K\x03tQK\0K\x01\x85)\x89"s
                                  + "ccollections\nOrderedDict\n)RtR"))),
              "it has not as many strides as sizes (tensor b)");
}

TEST(StateDict, thatIsNotOneIsNotOpened)
{
    for (const std::string &value : {dict(text("a") + "K\x01"), list(tensor("0", 3, 0, 1)), tensor("0", 3, 0, 1)})
        EXPECT_FALSE(opened(value));
}

/// { a: x, b: x } with x = { a: y, b: y } and so on: as many paths as two to the depth.
TEST(StateDict, ofSharedDictsIsLimited)
{
    std::string value = dict(text("t") + tensor("1", 1, 0, 1));
    for (char level = 0; level < 40; ++level)
        value = value + "q" + level + "0" + dict(text("a") + "h" + level + text("b") + "h" + level);
    EXPECT_EQ(printed(opened(value)),
              "the dict has its values in too many places, or their names are too long (data.pkl)");
}

/// memo 0 is a dict that holds itself
TEST(StateDict, thatHoldsItselfIsRefused)
{
    EXPECT_EQ(printed(opened("}q\0("s + text("t") + tensor("1", 1, 0, 1) + text("self") + "h\0u"s)),
              "the dict has its values in too many places, or their names are too long (data.pkl)");
}

} // namespace
} // namespace cutaway::formats::state_dict
