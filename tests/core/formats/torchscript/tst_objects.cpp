// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/objects.h"

#include "core/ir/text/text.h"
#include "core/ir/verify.h"
#include "tests/core/formats/torchscript/archive_text.h"

#include <gtest/gtest.h>
#include <sstream>

namespace cutaway::formats::torchscript {
namespace {

using namespace tests::pickled;
using tests::ArchiveText;
using tests::ZipEntry;

/// The objects of an archive, with all that they view.
struct Read {
    explicit Read(const ArchiveText &archive) : bytes(archive.bytes())
    {
        const auto zip = archive::Zip::open(std::as_bytes(std::span(bytes)));
        EXPECT_TRUE(zip) << zip.error().text();
        model.files.push_back({"net.pt", nullptr});
        auto read = Code::read(*zip, "net/code/", notes, {});
        EXPECT_TRUE(read);
        code = std::move(*read);
        Types types(model, code);
        objects = readObjects(model, ir::FileId{0}, *zip, code, types, notes);
        EXPECT_EQ(ir::verify(model), std::vector<std::string>());
    }

    /// The lines of the model's text that begin with one of the words.
    std::string text(const std::vector<std::string> &words) const
    {
        std::istringstream all(ir::printText(model));
        std::string kept;
        for (std::string line; std::getline(all, line);)
            for (const std::string &word : words)
                if (line.starts_with(word + " "))
                    kept += line + "\n";
        return kept;
    }

    std::string messages() const
    {
        std::string all;
        for (const ir::Diagnostic &diagnostic : model.diagnostics)
            all += diagnostic.message + "\n";
        return all;
    }

    std::string bytes;
    ir::Model model;
    Notes notes{model};
    Code code;
    Result<Objects> objects;
};

const std::string weight = TensorText().opcodes();
const ZipEntry sixFloats{"net/data/0", std::string(24, 'w')};

std::string net(const std::vector<std::pair<std::string, std::string>> &attributes)
{
    std::vector<std::pair<std::string, std::string>> entries;
    for (const auto &[name, value] : attributes)
        entries.emplace_back(text(name), value);
    return object("__torch__", "Net", dict(entries));
}

std::string netCode(const std::string &body, const std::string &parameters = "", const std::string &buffers = "")
{
    return "class Net(Module):\n  __parameters__ = [" + parameters + "]\n  __buffers__ = [" + buffers + "]\n" + body;
}

TEST(Objects, classesTellParametersFromBuffersFromOtherTensors)
{
    ArchiveText archive;
    archive.code = netCode("  w : Tensor\n  b : Tensor\n  t : Tensor\n", "\"w\", ", "\"b\", ");
    archive.data = net({{"w", weight}, {"b", weight}, {"t", weight}});
    archive.more = {sixFloats};
    const Read read(archive);
    EXPECT_EQ(read.text({"tensor", "module"}), R"(tensor @w: float32[2, 3] parameter in storage 0 strides [3, 1]
tensor @b: float32[2, 3] buffer in storage 0 strides [3, 1]
tensor @t: float32[2, 3] in storage 0 strides [3, 1]
module 0 "" class "Net" tensors(@w, @b, @t)
)");
    EXPECT_EQ(read.model.storages.size(), 1u) << "one key of one folder is one storage";
    EXPECT_EQ(read.messages(), "");
}

struct AttributeRow {
    std::string name;
    std::string declared;
    std::string opcodes;
    std::string printed;
};

class Attributes : public testing::TestWithParam<AttributeRow> { };

TEST_P(Attributes, haveTheirDeclaredTypeAndValue)
{
    ArchiveText archive;
    archive.code = netCode("  a : " + GetParam().declared + "\n") + "class Color(Enum):\n  RED = 1\n"
        + "class Point(NamedTuple):\n  x : int\n  y : int\n";
    archive.data = net({{"a", GetParam().opcodes}});
    archive.more = {sixFloats};
    const Read read(archive);
    EXPECT_EQ(read.messages(), "");
    const std::string line = read.text({"module"});
    EXPECT_NE(line.find("attributes(a: " + GetParam().printed + ")\n"), std::string::npos) << line;
    ASSERT_TRUE(read.objects);
    ASSERT_EQ(read.objects->instances.size(), 1u);
    EXPECT_NE(read.objects->instances[0].find("a"), nullptr);
}

INSTANTIATE_TEST_SUITE_P(
    , Attributes,
    testing::Values(
        AttributeRow{"integer", "int", integer(-3), "int = -3"},
        AttributeRow{"real", "float", real(0.5), "float = 0.5"}, AttributeRow{"boolean", "bool", yes, "bool = true"},
        AttributeRow{"text", "str", text("zeros"), "str = \"zeros\""},
        AttributeRow{"absentTensor", "Optional[Tensor]", none, "optional<tensor[*]> = none"},
        AttributeRow{"complexNumber", "complex", call(global("builtins", "complex"), tuple({real(1), real(-2)})),
                     "complex = complex(1.0, -2.0)"},
        AttributeRow{"device", "Device", call(global("torch", "device"), tuple({text("cuda:1")})),
                     "device = device(\"cuda:1\")"},
        AttributeRow{"integers", "List[int]", tagged("build_intlist", {list({integer(1), integer(2)})}),
                     "list<int> = [1, 2]"},
        AttributeRow{"texts", "List[str]", tagged("restore_type_tag", {list({text("x")}), text("List[str]")}),
                     "list<str> = [\"x\"]"},
        AttributeRow{"tensors", "List[Tensor]", tagged("build_tensorlist", {list({TensorText().opcodes()})}),
                     "list<tensor[*]> = [@a.0]"},
        AttributeRow{
            "dictionary", "Dict[str, List[int]]",
            tagged("restore_type_tag",
                   {dict({{text("k"), tagged("build_intlist", {list({integer(7)})})}}), text("Dict[str, List[int]]")}),
            "dict<str, list<int>> = {\"k\": [7]}"},
        AttributeRow{"tuple", "Tuple[int, bool]", tuple({integer(1), no}), "tuple<int, bool> = (1, false)"},
        AttributeRow{"namedTuple", "__torch__.Point", tuple({integer(1), integer(2)}),
                     "tuple \"__torch__.Point\" <\"x\": int, \"y\": int> = (1, 2)"},
        AttributeRow{"memberOfAnEnum", "__torch__.Color", call(global("__torch__", "Color"), integer(1)),
                     "enum \"__torch__.Color\" = \"__torch__.Color.RED\""},
        AttributeRow{"valueThatNoMemberHas", "__torch__.Color", call(global("__torch__", "Color"), integer(7)),
                     "enum \"__torch__.Color\" = 7"}),
    [](const auto &row) { return row.param.name; });

TEST(Objects, undeclaredAttributesHaveTheTypesOfTheirValues)
{
    ArchiveText archive;
    archive.data = net({{"n", integer(1)},
                        {"names", tagged("restore_type_tag", {list({text("x")}), text("List[str]")})},
                        {"nothing", none}});
    EXPECT_EQ(Read(archive).text({"module"}),
              "module 0 \"\" class \"Net\" attributes(n: int = 1, names: list<str> = [\"x\"], nothing: none = none)\n");
}

TEST(Objects, constantsOfTheClassAreAttributesToo)
{
    ArchiveText archive;
    archive.code =
        netCode("  training : bool\n  stride : Final[Tuple[int, int]] = (1, -2)\n  eps : Final[float] = inf\n");
    archive.data = net({{"training", no}});
    EXPECT_EQ(Read(archive).text({"module"}),
              "module 0 \"\" class \"Net\" attributes(training: bool = false, stride: tuple<int, int> = (1, -2), "
              "eps: float = inf)\n");
}

constexpr std::string_view blockCode = "class Block(Module):\n"
                                       "  __parameters__ = [\"w\", ]\n"
                                       "  __buffers__ = []\n"
                                       "  w : Tensor\n";

std::string block(const std::string &opcodes) { return object("__torch__", "Block", dict({{text("w"), opcodes}})); }

TEST(Objects, modulesMakeATreeInTheirOrder)
{
    ArchiveText archive;
    archive.code =
        netCode("  __annotations__[\"0\"] = __torch__.Block\n  body : __torch__.Block\n") + std::string(blockCode);
    archive.data = net({{"0", block(weight)}, {"body", block(TensorText{.key = "1"}.opcodes())}});
    archive.more = {sixFloats, {"net/data/1", std::string(24, 'v')}};
    const Read read(archive);
    EXPECT_EQ(read.text({"tensor", "module"}), R"(tensor @0.w: float32[2, 3] parameter in storage 0 strides [3, 1]
tensor @body.w: float32[2, 3] parameter in storage 1 strides [3, 1]
module 0 "" class "Net"
module 1 in 0 "0" class "Block" tensors(@0.w)
module 2 in 0 "body" class "Block" tensors(@body.w)
)");
    ASSERT_TRUE(read.objects);
    ASSERT_EQ(read.objects->instances.size(), 3u);
    const Instance &root = read.objects->instances[0];
    EXPECT_EQ(root.className, "__torch__.Net");
    EXPECT_EQ(root.definition, read.code.findClass("__torch__.Net"));
    ASSERT_NE(root.find("body"), nullptr);
    EXPECT_EQ(read.objects->at(std::get<InstanceId>(root.find("body")->value)).path, "body");
}

TEST(Objects, aSharedModuleIsOneInstanceAndItsTensorsAreListedOnce)
{
    ArchiveText archive;
    archive.code = netCode("") + std::string(blockCode);
    archive.data = net({{"a", put(block(weight), 1)}, {"b", get(1)}});
    archive.more = {sixFloats};
    const Read read(archive);
    EXPECT_EQ(read.text({"tensor", "module"}), R"(tensor @a.w: float32[2, 3] parameter in storage 0 strides [3, 1]
module 0 "" class "Net"
module 1 in 0 "a" class "Block" tensors(@a.w)
module 2 in 0 "b" class "Block"
)");
    ASSERT_TRUE(read.objects);
    EXPECT_EQ(read.objects->instances.size(), 2u);
    EXPECT_EQ(read.objects->instances[0].find("a")->value, read.objects->instances[0].find("b")->value);
}

TEST(Objects, aTiedTensorIsOneTensorAndAnAttributeOfItsSecondModule)
{
    ArchiveText archive;
    archive.code = netCode("") + std::string(blockCode);
    archive.data = net({{"a", block(put(weight, 1))}, {"b", block(get(1))}});
    archive.more = {sixFloats};
    EXPECT_EQ(Read(archive).text({"tensor", "module"}),
              R"(tensor @a.w: float32[2, 3] parameter in storage 0 strides [3, 1]
module 0 "" class "Net"
module 1 in 0 "a" class "Block" tensors(@a.w)
module 2 in 0 "b" class "Block" attributes(w: tensor[*] = @a.w)
)");
}

TEST(Objects, aModuleWithinItselfIsVisitedOnce)
{
    ArchiveText archive;
    archive.data = put(global("__torch__", "Net") + ")\x81", 1) + dict({{text("self"), get(1)}}) + "b";
    const Read read(archive);
    EXPECT_EQ(read.text({"module"}), "module 0 \"\" class \"Net\"\nmodule 1 in 0 \"self\" class \"Net\"\n");
    EXPECT_EQ(read.messages(), "");
}

TEST(Objects, mangledClassesGoByTheirPlainNames)
{
    ArchiveText archive;
    archive.more = {{"net/code/__torch__/nn/___torch_mangle_7.py", "class Conv(Module):\n  __parameters__ = []\n"}};
    archive.data = net({{"conv", object("__torch__.nn.___torch_mangle_7", "Conv", dict({}))}});
    EXPECT_EQ(Read(archive).text({"module"}),
              "module 0 \"\" class \"Net\"\nmodule 1 in 0 \"conv\" class \"nn.Conv\"\n");
}

TEST(Objects, withoutCodeADictOfAttributesIsAModule)
{
    ArchiveText archive;
    archive.data = net({{"a", object("__torch__", "Gone", dict({{text("n"), integer(1)}}))},
                        {"b", object("__torch__", "Gone", dict({}))}});
    const Read read(archive);
    EXPECT_EQ(read.text({"module"}),
              "module 0 \"\" class \"Net\"\nmodule 1 in 0 \"a\" class \"Gone\" attributes(n: int = "
              "1)\nmodule 2 in 0 \"b\" class \"Gone\"\n");
    EXPECT_EQ(read.messages(), "the archive has no code of the class \"__torch__.Gone\"\n");
}

TEST(Objects, packedParametersAreAnObjectWithNamedTensors)
{
    ArchiveText archive;
    archive.code = netCode("  packed : __torch__.torch.classes.quantized.LinearPackedParamsBase\n");
    archive.data =
        net({{"packed", object("__torch__.torch.classes.quantized", "LinearPackedParamsBase", tuple({weight, none}))}});
    archive.more = {sixFloats};
    EXPECT_EQ(Read(archive).text({"tensor", "module", "object"}),
              R"(tensor @packed.weight: float32[2, 3] packed in storage 0 strides [3, 1]
module 0 "" class "Net" tensors(@packed.weight) attributes(packed: opaque "__torch__.torch.classes.quantized.LinearPackedParamsBase" = object @packed, packed.bias: none = none)
object @packed class "torch.classes.quantized.LinearPackedParamsBase" member "data.pkl"
)");
}

TEST(Objects, scriptClassesAreObjectsWithTheirAttributes)
{
    ArchiveText archive;
    archive.code = netCode("  acc : __torch__.Acc\n") + "class Acc:\n  total : int\n";
    archive.data = net({{"acc", object("__torch__", "Acc", dict({{text("total"), integer(5)}}))}});
    EXPECT_EQ(
        Read(archive).text({"module", "object"}),
        "module 0 \"\" class \"Net\" attributes(acc: object \"__torch__.Acc\" = object @acc, acc.total: int = 5)\n"
        "object @acc class \"Acc\" member \"data.pkl\"\n");
}

struct StateRow {
    std::string name;
    std::string setState; ///< the statements of __setstate__
    std::string printed;
};

class TupleStates : public testing::TestWithParam<StateRow> { };

TEST_P(TupleStates, areNamedByWhatSetStateDoesWithThem)
{
    ArchiveText archive;
    archive.code = netCode("  stride : int\n  training : bool\n"
                           "  packed : __torch__.torch.classes.quantized.Conv2dPackedParamsBase\n"
                           "  def set_weight(self: __torch__.Net,\n    w: int) -> NoneType:\n    return None\n"
                           "  def __setstate__(self: __torch__.Net,\n    state: Tuple[int, bool, int]) -> NoneType:\n"
                           + GetParam().setState + "    return None\n");
    archive.data = object("__torch__", "Net", tuple({integer(2), yes, integer(9)}));
    const std::string line = Read(archive).text({"module"});
    EXPECT_EQ(line.substr(0, line.find(", packed:")), "module 0 \"\" class \"Net\" attributes(" + GetParam().printed);
    EXPECT_NE(line.find("packed: opaque \"__torch__.torch.classes.quantized.Conv2dPackedParamsBase\" = object @packed"),
              std::string::npos)
        << line;
}

INSTANTIATE_TEST_SUITE_P(
    , TupleStates,
    testing::Values(StateRow{"byItem",
                             "    self.stride = (state)[0]\n    self.training = (state)[1]\n"
                             "    _0 = (self).set_weight((state)[2], )\n",
                             "stride: int = 2, training: bool = true, w: int = 9"},
                    StateRow{"unpacked", "    a, b, c, = state\n    self.training = b\n    self.stride = a\n",
                             "training: bool = true, stride: int = 2, state.2: int = 9"},
                    StateRow{"notAtAll", "", "state.0: int = 2, state.1: bool = true, state.2: int = 9"},
                    StateRow{"beyondTheState", "    self.stride = (state)[7]\n",
                             "state.0: int = 2, state.1: bool = true, state.2: int = 9"}),
    [](const auto &row) { return row.param.name; });

TEST(Objects, constantsKeepTheirNumbers)
{
    ArchiveText archive;
    archive.constants = tuple({TensorText().opcodes(), text("caf\xc3\xa9"),
                               object("__torch__.torch.classes.xnnpack", "LinearOpContext", tuple({none}))});
    archive.more = {{"net/constants/0", std::string(24, 'c')}, {"net/data/0", ""}};
    const Read read(archive);
    ASSERT_TRUE(read.objects);
    ASSERT_EQ(read.objects->constants.size(), 3u);
    EXPECT_EQ(read.text({"tensor", "object"}),
              "tensor @CONSTANTS.c0: float32[2, 3] in storage 0 strides [3, 1]\n"
              "object @CONSTANTS.c2 class \"torch.classes.xnnpack.LinearOpContext\" member \"constants.pkl\"\n");
}

TEST(Objects, ofConstantsAreListedInTheRootModule)
{
    ArchiveText archive;
    archive.constants =
        tuple({TensorText().opcodes(),
               object("__torch__.torch.classes.xnnpack", "LinearOpContext", tuple({weight, none, none, none}))});
    archive.more = {{"net/constants/0", std::string(24, 'c')}, {"net/data/0", ""}};
    const Read read(archive);
    ASSERT_TRUE(read.objects);
    EXPECT_NE(read.text({"module"}).find("tensors(@CONSTANTS.c1.weight) attributes(CONSTANTS.c1.bias: none = none"),
              std::string::npos)
        << read.text({"module"});
}

struct TensorRow {
    std::string name;
    TensorText tensor;
    std::string printed;
    std::string message; ///< a part; "": none
};

class Tensors : public testing::TestWithParam<TensorRow> { };

TEST_P(Tensors, areHeldAgainstTheirStorages)
{
    ArchiveText archive;
    archive.data = net({{"t", GetParam().tensor.opcodes()}});
    archive.more = {sixFloats};
    const Read read(archive);
    EXPECT_EQ(read.text({"tensor"}), GetParam().printed);
    if (GetParam().message.empty())
        EXPECT_EQ(read.messages(), "");
    else
        EXPECT_NE(read.messages().find(GetParam().message), std::string::npos) << read.messages();
}

INSTANTIATE_TEST_SUITE_P(
    , Tensors,
    testing::Values(TensorRow{"view",
                              {.shape = {2}, .strides = {3}, .offset = 1},
                              "tensor @t: float32[2] in storage 0 offset 1 strides [3]\n",
                              ""},
                    TensorRow{"expanded",
                              {.shape = {1000, 6}, .strides = {0, 1}},
                              "tensor @t: float32[1000, 6] in storage 0 strides [0, 1]\n",
                              ""},
                    TensorRow{"empty", {.shape = {0, 3}}, "tensor @t: float32[0, 3] in storage 0 strides [3, 1]\n", ""},
                    TensorRow{"onMeta",
                              {.key = "9", .device = "meta"},
                              "tensor @t: float32[2, 3] in storage 0 strides [3, 1]\n",
                              ""},
                    TensorRow{"missing",
                              {.key = "9"},
                              "tensor @t: float32[2, 3] in storage 0 strides [3, 1]\n",
                              "the bytes of net/data/9 are missing"},
                    TensorRow{"shortStorage",
                              {.elements = 7},
                              "tensor @t: float32[2, 3] in storage 0 strides [3, 1]\n",
                              "net/data/0 has 24 B of 28 B"},
                    TensorRow{"beyondItsStorage",
                              {.shape = {2, 4}},
                              "tensor @t: float32[2, 4] in storage 1 strides [3, 1]\n",
                              "wants 28 B of a storage of 24 B"},
                    TensorRow{"negativeSize", {.shape = {-5, 3}}, "", "reach no place in memory"},
                    TensorRow{"strideWithoutSize", {.strides = {1}}, "", "not as many strides as sizes"}),
    [](const auto &row) { return row.param.name; });

struct TopRow {
    std::string name;
    std::string data;
    std::string error;
};

class Tops : public testing::TestWithParam<TopRow> { };

TEST_P(Tops, thatAreNoModuleAreRefused)
{
    ArchiveText archive;
    archive.data = GetParam().data;
    const Read read(archive);
    ASSERT_FALSE(read.objects);
    EXPECT_EQ(read.objects.error().text(), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    , Tops,
    testing::Values(TopRow{"aList", list({}), "data.pkl holds a value where a TorchScript module was expected"},
                    TopRow{"aCall", call(global("posix", "system"), tuple({text("id")})),
                           "data.pkl holds a call of \"posix.system\" where a TorchScript module was expected"},
                    TopRow{"aDamagedPickle", "h\x07",
                           "the pickle reads memo entry 7, which was never written (data.pkl, pickle byte 2)"}),
    [](const auto &row) { return row.param.name; });

/// A list that holds a list twice, that holds a list twice, …
std::string doubling(int levels)
{
    std::string opcodes = put(list({}), 0);
    for (int i = 1; i < levels; ++i)
        opcodes += "0" + put(list({get(i - 1), get(i - 1)}), i);
    return opcodes;
}

struct HostileRow {
    std::string name;
    std::string value;
    std::string message; ///< a part
};

class Hostile : public testing::TestWithParam<HostileRow> { };

TEST_P(Hostile, valuesAreCutWithANote)
{
    ArchiveText archive;
    archive.data = net({{"bad", GetParam().value}, {"last", integer(1)}});
    const Read read(archive);
    ASSERT_TRUE(read.objects) << read.objects.error().text();
    EXPECT_NE(read.messages().find(GetParam().message), std::string::npos) << read.messages();
    EXPECT_NE(read.objects->instances[0].find("last"), nullptr);
}

INSTANTIATE_TEST_SUITE_P(
    , Hostile,
    testing::Values(
        HostileRow{"sharedListsOfTwo", doubling(60), "has more than 1000000 values"},
        HostileRow{"aListOfItself", put("]", 1) + get(1) + "a", "is nested deeper than 64"},
        HostileRow{"deepLists", std::string(100'000, ']') + std::string(99'999, 'a'), "is nested deeper than 64"},
        HostileRow{"aCallOfAnything", call(global("os", "system"), tuple({text("id")})),
                   "would call \"os.system\"; nothing was called"},
        HostileRow{"aModuleInAList", list({object("__torch__", "Net", dict({}))}),
                   "is a module inside of another value"},
        HostileRow{"aNumberBeyond64Bits", std::string("\x8a\x09", 2) + std::string(9, '\x7f'), "of a kind that"}),
    [](const auto &row) { return row.param.name; });

TEST(Objects, modulesNestedBeyondAThousandAreLeftOut)
{
    constexpr int levels = 5000;
    std::string data;
    for (int i = 0; i < levels; ++i)
        data += global("__torch__", "Net") + ")\x81}(" + text("m");
    data += none;
    for (int i = 0; i < levels; ++i)
        data += "ub";
    ArchiveText archive;
    archive.data = data;
    const Read read(archive);
    ASSERT_TRUE(read.objects);
    EXPECT_EQ(read.model.modules.size(), 1001u);
    EXPECT_NE(read.messages().find("modules are nested deeper than 1000"), std::string::npos) << read.messages();
}

} // namespace
} // namespace cutaway::formats::torchscript
