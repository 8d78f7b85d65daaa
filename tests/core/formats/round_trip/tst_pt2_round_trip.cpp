// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/mapped_file.h"
#include "core/formats/archive/zip.h"
#include "core/formats/format.h"
#include "core/ir/context.h"
#include "core/ir/tensors/tensor_data.h"
#include "core/ir/text/text.h"
#include "core/ir/verify.h"
#include "tests/core/formats/pt2/program_text.h"
#include "tests/core/formats/round_trip/content_text.h"
#include "tests/core/formats/round_trip/folder.h"

#include <fstream>
#include <gtest/gtest.h>
#include <ostream>

namespace {

using namespace cutaway;
using tests::contentText;
using tests::difference;
using tests::flatArchive;
using tests::folderArchive;
using tests::ProgramText;

class Pt2Writer : public testing::Test {
protected:
    ir::Model opened(const std::string &archive, const std::string &name = "a.pt2")
    {
        std::ofstream(m_folder / name, std::ios::binary) << archive;
        return openedFile(name);
    }
    ir::Model openedFile(const std::string &name)
    {
        auto model = formats::open(m_folder / name);
        if (!model) {
            ADD_FAILURE() << model.error().text();
            return {};
        }
        EXPECT_EQ(ir::verify(*model), std::vector<std::string>());
        return std::move(*model);
    }
    ir::Model again(const ir::Model &model)
    {
        const auto written = formats::write(model, m_folder / "b.pt2");
        if (written)
            return openedFile("b.pt2");
        ADD_FAILURE() << written.error().text();
        return {};
    }
    std::string error(const ir::Model &model)
    {
        const auto written = formats::write(model, m_folder / "b.pt2");
        EXPECT_FALSE(std::filesystem::exists(m_folder / "b.pt2"));
        return written ? "" : written.error().text();
    }
    /// The text of a member of the file that again() has written.
    std::string member(const std::string &name) const
    {
        const auto file = MappedFile::open(m_folder / "b.pt2");
        const auto zip = archiveOf(*file);
        const auto *found = zip.find(name);
        return found ? std::string(zip.read(*found)->text()) : "(none)";
    }
    static formats::archive::Zip archiveOf(const MappedFile &file)
    {
        return formats::archive::Zip::open(file.bytes()).value();
    }

    tests::Folder m_folder;
};

std::string body(const ir::Model &model) { return ir::printText(model, ir::FunctionId{0}, ir::TextForm::Reading); }

/// Two weights of four floats in a program of torch 2.8 or later; only the first is in the graph.
std::string weightedArchive()
{
    ProgramText program;
    program.inputs = ProgramText::tensor("p_w") + "," + ProgramText::tensor("x");
    program.values += "," + ProgramText::tensorValue("p_w", "2", "2");
    program.inputSpecs = R"({"parameter":{"arg":{"name":"p_w"},"parameter_name":"w"}},)" + program.inputSpecs;
    program.nodes = ProgramText::node("torch.ops.aten.add.Tensor",
                                      ProgramText::argument("self", ProgramText::tensor("x")) + ","
                                          + ProgramText::argument("other", ProgramText::tensor("p_w")),
                                      ProgramText::tensor("y"));
    const auto entry = [](const char *name, const char *path) {
        return formatted(R"("{}":{{"path_name":"{}","is_param":true,"use_pickle":false,"tensor_meta":{}}})", name, path,
                         ProgramText::tensorMeta("2", "2"));
    };
    return folderArchive(program.json(),
                         {{"data/weights/model_weights_config.json",
                           R"({"config":{)" + entry("w", "weight_0") + "," + entry("unused", "weight_1") + "}}"},
                          {"data/weights/weight_0", std::string(16, 'a')},
                          {"data/weights/weight_1", std::string(16, 'b')},
                          {"extra/notes.txt", "kept"}});
}

ir::NodeId firstNode(const ir::Graph &graph) { return graph.at(ir::Graph::body).nodes.front(); }

/// Puts a node behind all others, whose result, of the type of y, becomes the program's.
ir::NodeId addNode(ir::Model &model, ir::OpId op, std::vector<ir::Argument> arguments)
{
    ir::Graph &graph = model.functions.front().graph;
    const auto y = *graph.at(ir::Graph::body).outputs.front().as<ir::ValueId>();
    const ir::NodeId node = graph.append(ir::Graph::body, {op, {}, {}, {}, std::move(arguments), {}, {}});
    const ir::ValueId result = graph.addOutput(node, model.context->name("y"), graph.at(y).type);
    graph.setOutputs(ir::Graph::body, {result});
    model.functions.front().outputs.front().value = result;
    return node;
}

TEST_F(Pt2Writer, givesTheSameModelInBothLayouts)
{
    for (const std::string &archive : {folderArchive(ProgramText().json()), weightedArchive(),
                                       flatArchive(ProgramText().json(), {{"serialized_state_dict.pt", ""}})}) {
        const ir::Model before = opened(archive);
        EXPECT_EQ(difference(contentText(before), contentText(again(before))), "");
    }
}

TEST_F(Pt2Writer, keepsOtherMembersAndUnusedWeights)
{
    again(opened(weightedArchive()));
    EXPECT_EQ(member("net/extra/notes.txt"), "kept");
    EXPECT_EQ(member("net/data/weights/weight_1"), std::string(16, 'b'));
}

TEST_F(Pt2Writer, keepsSeveralPrograms)
{
    ProgramText other;
    other.nodes.replace(other.nodes.find("relu"), 4, "tanh");
    const ir::Model before = opened(folderArchive(ProgramText().json(), {{"models/dec/oder.json", other.json()}}));
    ASSERT_EQ(before.functions.size(), 2u);
    EXPECT_EQ(difference(contentText(before), contentText(again(before))), "");
}

TEST_F(Pt2Writer, keepsOutputsThatAreNone)
{
    ProgramText program;
    program.nodes = ProgramText::node("torch.ops.higher_order.auto_functionalized",
                                      ProgramText::argument("", R"({"as_operator":"torch.ops.mine.fill.default"})")
                                          + "," + ProgramText::argument("x", ProgramText::tensor("x")),
                                      R"({"as_none":true},)" + ProgramText::tensor("y"));
    const ir::Model before = opened(folderArchive(program.json()));
    EXPECT_EQ(difference(contentText(before), contentText(again(before))), "");
    EXPECT_NE(member("net/models/model.json").find(R"("outputs":[{"as_none":true},{"as_tensor":{"name":"y"}}])"),
              std::string::npos)
        << member("net/models/model.json");
}

TEST_F(Pt2Writer, keepsWhatTheRepresentationDoesNot)
{
    ProgramText program;
    program.ranges = R"("s0":{"min_val":2,"max_val":64},"odd name":{"min_val":1})";
    program.moduleCalls = R"({"fqn":"","signature":{"in_spec":"spec"}})";
    again(opened(folderArchive(program.json())));
    EXPECT_NE(member("net/models/model.json").find(program.ranges), std::string::npos);
    EXPECT_NE(member("net/models/model.json").find(program.moduleCalls), std::string::npos);
    EXPECT_NE(member("net/models/model.json").find(R"("hint":{"as_int":5})"), std::string::npos);
}

struct ArgumentRow {
    const char *name;
    const char *json;
};
void PrintTo(const ArgumentRow &row, std::ostream *out) { *out << row.name; }

class Pt2Arguments : public Pt2Writer, public testing::WithParamInterface<ArgumentRow> {
protected:
    static ProgramText program()
    {
        ProgramText text;
        text.nodes = ProgramText::node("torch.ops.my.n.default", "", R"({"as_sym_int":{"as_name":"n"}})") + ","
            + ProgramText::node("torch.ops.my.op.default",
                                ProgramText::argument("a", GetParam().json) + ","
                                    + ProgramText::argument("b", R"({"as_int":1})"),
                                ProgramText::tensor("y"));
        text.numbers = R"("sym_int_values":{"n":{"as_int":3}})";
        return text;
    }
};

TEST_P(Pt2Arguments, comeBack)
{
    const ir::Model before = opened(folderArchive(program().json()));
    EXPECT_EQ(difference(contentText(before), contentText(again(before))), "");
    EXPECT_NE(member("net/models/model.json").find(GetParam().json), std::string::npos);
}

/// The argument is given to a node that no record of the file is a model for.
TEST_P(Pt2Arguments, areWrittenForNewNodes)
{
    ir::Model before = opened(folderArchive(program().json()));
    ir::Graph &graph = before.functions.front().graph;
    const ir::Node &op = graph.at(graph.at(ir::Graph::body).nodes.back());
    addNode(before, before.context->op("other", "op", "default"), op.arguments);
    const ir::Model after = again(before);
    const std::string text = body(after);
    const std::size_t first = text.find("my::op.default("), second = text.find("other::op.default(");
    ASSERT_NE(second, std::string::npos) << text;
    const auto argumentsAt = [&](std::size_t at) {
        return text.substr(text.find('(', at), text.find('\n', at) - text.find('(', at));
    };
    EXPECT_EQ(argumentsAt(first), argumentsAt(second));
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, Pt2Arguments,
    testing::Values(
        ArgumentRow{"None", R"({"as_none":true})"}, ArgumentRow{"Tensor", R"({"as_tensor":{"name":"x"}})"},
        ArgumentRow{"Tensors", R"({"as_tensors":[{"name":"x"},{"name":"x"}]})"},
        ArgumentRow{"OptionalTensor", R"({"as_optional_tensor":{"as_tensor":{"name":"x"}}})"},
        ArgumentRow{"OptionalTensors", R"({"as_optional_tensors":[{"as_none":true},{"as_tensor":{"name":"x"}}]})"},
        ArgumentRow{"NestedTensors", R"({"as_nested_tensors":[[{"name":"x"}],[]]})"},
        ArgumentRow{"Integer", R"({"as_int":-7})"}, ArgumentRow{"Integers", R"({"as_ints":[1,2]})"},
        ArgumentRow{"IntegerLists", R"({"as_int_lists":[[1,2],[3]]})"}, ArgumentRow{"Float", R"({"as_float":2.5})"},
        ArgumentRow{"Infinity", R"({"as_float":"Infinity"})"}, ArgumentRow{"Floats", R"({"as_floats":[1.0,2.5]})"},
        ArgumentRow{"FloatLists", R"({"as_float_lists":[[1.5],[]]})"}, ArgumentRow{"Boolean", R"({"as_bool":true})"},
        ArgumentRow{"Booleans", R"({"as_bools":[true,false]})"}, ArgumentRow{"Text", R"({"as_string":"a\"b"})"},
        ArgumentRow{"Texts", R"({"as_strings":["a"]})"},
        ArgumentRow{"SymbolicInteger", R"({"as_sym_int":{"as_name":"n"}})"},
        ArgumentRow{"SymbolicIntegerByNumber", R"({"as_sym_int":{"as_int":3}})"},
        ArgumentRow{"SymbolicIntegers", R"({"as_sym_ints":[{"as_name":"n"},{"as_int":5}]})"},
        ArgumentRow{"DType", R"({"as_scalar_type":13})"}, ArgumentRow{"Layout", R"({"as_layout":7})"},
        ArgumentRow{"MemoryFormat", R"({"as_memory_format":2})"},
        ArgumentRow{"Device", R"({"as_device":{"type":"cuda","index":1}})"},
        ArgumentRow{"Complex", R"({"as_complex":{"real":1.0,"imag":2.0}})"},
        ArgumentRow{"Operator", R"({"as_operator":"torch.ops.my.inc.default"})"},
        ArgumentRow{"Dictionary", R"({"as_string_to_argument":{"k":{"as_int":1}}})"}),
    [](const auto &row) { return row.param.name; });

TEST_F(Pt2Writer, leavesInfinitiesBareAsOldSchemasHaveThem)
{
    ProgramText program;
    program.version = R"({"major":8,"minor":2})";
    program.nodes = ProgramText::node("torch.ops.my.op.default",
                                      ProgramText::argument("a", R"({"as_float":-Infinity})") + ","
                                          + ProgramText::argument("b", R"({"as_int":1})"),
                                      ProgramText::tensor("y"));
    ir::Model model = opened(folderArchive(program.json()));
    again(model);
    EXPECT_NE(member("net/models/model.json").find(R"({"as_float":-Infinity})"), std::string::npos);
    ir::Graph &graph = model.functions.front().graph;
    std::vector<ir::Argument> arguments = graph.at(firstNode(graph)).arguments;
    arguments[1].value = std::numeric_limits<double>::infinity();
    graph.setArguments(firstNode(graph), arguments);
    again(model);
    EXPECT_NE(member("net/models/model.json").find(R"({"as_float":Infinity})"), std::string::npos);
}

TEST_F(Pt2Writer, leavesOutRemovedNodes)
{
    ProgramText program;
    program.nodes = ProgramText::node("torch.ops.aten.relu.default",
                                      ProgramText::argument("self", ProgramText::tensor("x")), ProgramText::tensor("r"))
        + "," + program.nodes;
    program.values += "," + ProgramText::tensorValue("r");
    ir::Model model = opened(folderArchive(program.json()));
    ir::Graph &graph = model.functions.front().graph;
    graph.remove(firstNode(graph));
    const ir::Model after = again(model);
    EXPECT_EQ(body(after),
              "graph @forward(%x: float32[2, s0]) {\n"
              "  %y: float32[2, s0] = aten::relu.default(self=%x)\n"
              "  return %y\n"
              "}\n");
    EXPECT_EQ(member("net/models/model.json").find("\"r\""), std::string::npos);
}

/// Callers give what a program has by position from then on; examples of what it had are none.
TEST_F(Pt2Writer, tellsCallersOfOtherInputsAndResults)
{
    ProgramText program;
    program.moduleCalls = R"({"fqn":"","signature":{"inputs":[],"outputs":[],"in_spec":"old","out_spec":"old",)"
                          R"("forward_arg_names":["x"]}},{"fqn":"block","signature":null})";
    ir::Model model = opened(flatArchive(program.json(), {{"serialized_example_inputs.pt", "examples"}}));
    again(model);
    EXPECT_TRUE(member("serialized_exported_program.json").contains(R"("in_spec":"old")"));
    EXPECT_EQ(member("serialized_example_inputs.pt"), "examples");
    ir::Function &function = model.functions.front();
    const ir::ValueId x = *function.inputs.front().value.as<ir::ValueId>();
    const ir::NameId name = model.context->name("a");
    const ir::ValueId made = function.graph.addInput(ir::Graph::body, name, function.graph.at(x).type);
    function.graph.replaceUses(x, made);
    function.inputs = {{name, ir::FunctionInput::Kind::User, made, {}, {}}};
    function.graph.removeInput(ir::Graph::body, 0);
    function.outputs.push_back(function.outputs.front());
    function.graph.setOutputs(ir::Graph::body, {function.outputs.front().value, function.outputs.front().value});
    again(model);
    const std::string json = member("serialized_exported_program.json");
    const std::string leaf = R"({\"type\":null,\"context\":null,\"children_spec\":[]})";
    EXPECT_TRUE(json.contains(R"("forward_arg_names":["a"])")) << json;
    EXPECT_TRUE(json.contains(R"(\"children_spec\":[)" + leaf + R"(]},{\"type\":\"builtins.dict\")")) << json;
    EXPECT_TRUE(json.contains("[" + leaf + "," + leaf + "]}]\"")) << json;
    EXPECT_TRUE(json.contains(R"({"fqn":"block"})")) << json;
    EXPECT_EQ(member("serialized_example_inputs.pt"), "");
}

TEST_F(Pt2Writer, writesNewNodesWithTensorsOfTheirOwn)
{
    ir::Model model = opened(weightedArchive());
    ir::Context &context = *model.context;
    ir::Graph &graph = model.functions.front().graph;
    model.storages.push_back({ir::InlineBytes{std::make_shared<std::vector<std::byte>>(8, std::byte{'c'})}, 8});
    ir::Tensor tensor;
    tensor.name = context.name("made");
    tensor.kind = ir::Tensor::Kind::Parameter;
    tensor.shape = {2};
    tensor.storage = {static_cast<std::uint32_t>(model.storages.size() - 1)};
    model.tensors.push_back(tensor);
    ir::TensorType type;
    type.dtype = ir::DType::Float32;
    type.shape = ir::Shape{std::int64_t{2}};
    const ir::ValueId weight = graph.addWeight(ir::Graph::body, context.name("y"), context.type(type),
                                               {static_cast<std::uint32_t>(model.tensors.size() - 1)});
    const ir::ValueId y = *graph.at(ir::Graph::body).outputs.front().as<ir::ValueId>();
    addNode(model, context.op("aten", "mul", "Tensor"), {{{}, y}, {{}, weight}});
    const ir::Model after = again(model);
    EXPECT_EQ(body(after),
              "graph @forward(\n"
              "    parameter weight %p_w: float32[2, 2] = @w target \"w\",\n"
              "    parameter weight %y_1: float32[2] = @made target \"made\",\n"
              "    %x: float32[2, s0]) {\n"
              "  %y: float32[2, s0] = aten::add.Tensor(self=%x, other=%p_w)\n"
              "  %y_2: float32[2, s0] = aten::mul.Tensor(self=%y, other=%y_1)\n"
              "  return %y_2\n"
              "}\n");
    EXPECT_EQ(member("net/data/weights/weight_2"), "cccccccc");
}

/// A program of torch 2.6 without weights gets two that share a storage.
TEST_F(Pt2Writer, writesNewTensorsIntoThePickleOfOldArchives)
{
    ir::Model model = opened(flatArchive(ProgramText().json(), {{"serialized_state_dict.pt", ""}}));
    ir::Context &context = *model.context;
    ir::Graph &graph = model.functions.front().graph;
    auto bytes = std::make_shared<std::vector<std::byte>>();
    for (int i = 0; i < 24; ++i)
        bytes->push_back(static_cast<std::byte>(i));
    model.storages.push_back({ir::InlineBytes{bytes}, 24});
    ir::TensorType type;
    type.dtype = ir::DType::Float32;
    type.shape = ir::Shape{std::int64_t{2}};
    type.device = ir::Device{context.name("cuda"), 1};
    std::vector<ir::Argument> arguments;
    for (const std::int64_t offset : {0, 3}) {
        ir::Tensor tensor;
        tensor.name = context.name(offset == 0 ? "first" : "second");
        tensor.kind = ir::Tensor::Kind::Parameter;
        tensor.shape = {2};
        tensor.strides = std::vector<std::int64_t>{2};
        tensor.offset = offset;
        tensor.storage = {static_cast<std::uint32_t>(model.storages.size() - 1)};
        model.tensors.push_back(tensor);
        arguments.push_back({{},
                             graph.addWeight(ir::Graph::body, tensor.name, context.type(type),
                                             {static_cast<std::uint32_t>(model.tensors.size() - 1)})});
    }
    addNode(model, context.op("aten", "mul", "Tensor"), arguments);
    const ir::Model after = again(model);
    ASSERT_EQ(after.tensors.size(), 2u);
    EXPECT_EQ(after.tensors[0].storage, after.tensors[1].storage);
    EXPECT_EQ(ir::firstElements(after, ir::TensorId{1}, 9), ir::firstElements(model, ir::TensorId{1}, 9));
    EXPECT_TRUE(member("serialized_state_dict.pt").contains("cuda:1"));
    EXPECT_EQ(m_folder.fileCount(), 2);
}

TEST_F(Pt2Writer, marksWeightsForTheDeviceThatIsRecordedOfThem)
{
    ir::Model model = opened(weightedArchive());
    ir::Graph &graph = model.functions.front().graph;
    const ir::ValueId weight = *model.functions.front().inputs.front().value.as<ir::ValueId>();
    ir::TensorType type = *ir::ValueRef(graph, weight).tensorType();
    type.device = ir::Device{model.context->name("cuda"), 1};
    graph.setType(weight, model.context->type(type));
    EXPECT_EQ(again(model).tensors.size(), 1u);
    const std::string config = member("net/data/weights/model_weights_config.json");
    const std::size_t unused = config.find("\"unused\"");
    EXPECT_TRUE(config.substr(0, unused).contains(R"("path_name":"weight_0")")) << config;
    EXPECT_TRUE(config.substr(0, unused).contains(R"("device":{"type":"cuda","index":1})")) << config;
    EXPECT_TRUE(config.substr(unused).contains(R"("device":{"type":"cpu","index":null})")) << config;
    EXPECT_EQ(member("net/data/weights/weight_0"), std::string(16, 'a'));
}

TEST_F(Pt2Writer, givesNewValuesNamesThatPythonTakes)
{
    ir::Model model = opened(weightedArchive());
    ir::Context &context = *model.context;
    ir::Graph &graph = model.functions.front().graph;
    const ir::ValueId y = *graph.at(ir::Graph::body).outputs.front().as<ir::ValueId>();
    addNode(model, context.op("aten", "neg"), {{{}, y}});
    graph.setName(*graph.at(ir::Graph::body).outputs.front().as<ir::ValueId>(), context.name("2.layer/out"));
    EXPECT_NE(body(again(model)).find("  %_2_layer_out: float32[2, s0] = aten::neg"), std::string::npos)
        << body(again(model));
}

TEST_F(Pt2Writer, dropsWeightsThatNoProgramHasAnyMore)
{
    ir::Model model = opened(weightedArchive());
    ir::Function &function = model.functions.front();
    std::vector<ir::Argument> arguments = function.graph.at(firstNode(function.graph)).arguments;
    arguments[1].value = std::int64_t{1};
    function.graph.setArguments(firstNode(function.graph), arguments);
    std::erase_if(function.inputs, [](const ir::FunctionInput &input) { return input.tensor.has_value(); });
    EXPECT_EQ(again(model).tensors.size(), 0u);
    EXPECT_EQ(member("net/data/weights/weight_0"), "(none)");
    EXPECT_EQ(member("net/data/weights/weight_1"), std::string(16, 'b'));
}

TEST_F(Pt2Writer, writesNewTypesWithTheirExpressions)
{
    ir::Model model = opened(folderArchive(ProgramText().json()));
    ir::Graph &graph = model.functions.front().graph;
    const ir::ValueId y = *graph.at(ir::Graph::body).outputs.front().as<ir::ValueId>();
    ir::TensorType type = *ir::tensorType(*model.context, graph.at(y).type);
    type.shape = ir::Shape{*symbolic::parse("2*s0 + 1"), *symbolic::parse("max(1, s0 // 2)"), std::int64_t{3}};
    type.strides.reset();
    graph.setType(y, model.context->type(type));
    const ir::Model after = again(model);
    EXPECT_NE(body(after).find(body(model).substr(body(model).find("%y"), 30)), std::string::npos) << body(after);
}

TEST_F(Pt2Writer, refusesTypesThatNobodyKnows)
{
    ir::Model model = opened(folderArchive(ProgramText().json()));
    ir::Graph &graph = model.functions.front().graph;
    graph.setType(*graph.at(ir::Graph::body).outputs.front().as<ir::ValueId>(), {});
    EXPECT_EQ(error(model), "its type or a size is not known, which a program of torch.export must say (value y)");
}

TEST_F(Pt2Writer, namesTheOperatorThatIsNoneOfTorch)
{
    for (const std::string dialect : {"onnx", "com.microsoft", "prim"}) {
        ir::Model model = opened(folderArchive(ProgramText().json()));
        addNode(model, model.context->op(dialect, "Relu"), {});
        const std::string name = dialect + "::Relu";
        EXPECT_EQ(error(model), "a program of torch.export cannot have the operator " + name + " (" + name + " node )");
    }
}

} // namespace
