// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/formats/pt2/reader.h"

#include "core/ir/context.h"
#include "core/ir/text/text.h"
#include "core/ir/verify.h"
#include "tests/core/formats/pt2/program_text.h"
#include "tests/core/formats/temporary_file.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace cutaway::formats::pt2 {
namespace {

using tests::flatArchive;
using tests::folderArchive;
using tests::ProgramText;

Result<ir::Model> readBytes(const std::string &bytes)
{
    return read(formats::archive::Probe(std::as_bytes(std::span(bytes)), {"net.pt2", nullptr}), {});
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

std::string text(const ir::Model &model, std::uint32_t function = 0)
{
    return model.functions.empty() ? "" : ir::printText(model, ir::FunctionId{function});
}

TEST(Pt2, oneNodeProgramReads)
{
    const ir::Model model = mustRead(folderArchive(ProgramText().json()));
    EXPECT_EQ(text(model), R"(graph @forward(%x: float32[2, s0] strides[s0, 1] on "cpu") {
  %y: float32[2, s0] strides[s0, 1] on "cpu" = aten::relu.default(self=%x)
  return %y
}
)");
    EXPECT_EQ(model.format, "pt2");
    EXPECT_EQ(model.formatVersion, "schema 8.20");
    EXPECT_EQ(model.producer, "pytorch");
    EXPECT_EQ(model.producerVersion, "2.14.0");
    EXPECT_EQ(model.opsets, (decltype(model.opsets){{"aten", 10}}));
    EXPECT_EQ(model.symbols, (std::vector<ir::Symbol>{{"s0", 2, std::nullopt, 5}}));
    EXPECT_TRUE(model.diagnostics.empty());
}

TEST(Pt2, outputsThatAreNoneKeepThePositionsOfOthers)
{
    ProgramText program;
    program.nodes = R"({"target": "torch.ops.higher_order.auto_functionalized", "metadata": {},
        "inputs": [{"name": "", "arg": {"as_operator": "torch.ops.mine.fill.default"}},
                   {"name": "x", "arg": {"as_tensor": {"name": "x"}}}],
        "outputs": [{"as_none": true}, {"as_tensor": {"name": "y"}}]})";
    const ir::Model model = mustRead(folderArchive(program.json()));
    EXPECT_EQ(text(model), R"(graph @forward(%x: float32[2, s0] strides[s0, 1] on "cpu") {
  %#0: none, %y: float32[2, s0] strides[s0, 1] on "cpu" = higher_order::auto_functionalized(op(mine::fill.default), x=%x) name "auto_functionalized"
  return %y
}
)");
}

TEST(Pt2, bothLayoutsGiveTheSameFunction)
{
    EXPECT_EQ(text(mustRead(folderArchive(ProgramText().json()))),
              text(mustRead(flatArchive(ProgramText().json(), {{"serialized_state_dict.pt", ""}}))));
}

struct ArgumentRow {
    std::string name;
    std::string json;
    std::string printed;
};

class Arguments : public testing::TestWithParam<ArgumentRow> { };

TEST_P(Arguments, becomeOperands)
{
    ProgramText program;
    program.nodes = ProgramText::node("torch.ops.my.n.default", "", R"({"as_sym_int":{"as_name":"n"}})") + ","
        + ProgramText::node("torch.ops.my.op.default", ProgramText::argument("a", GetParam().json),
                            ProgramText::tensor("y"));
    const std::string printed = text(mustRead(folderArchive(program.json())));
    EXPECT_NE(printed.find("my::op.default(a=" + GetParam().printed + ")\n"), std::string::npos) << printed;
}

INSTANTIATE_TEST_SUITE_P(
    , Arguments,
    testing::Values(
        ArgumentRow{"none", R"({"as_none":true})", "none"}, ArgumentRow{"noneBefore82", R"({"as_none":[]})", "none"},
        ArgumentRow{"tensor", R"({"as_tensor":{"name":"x"}})", "%x"},
        ArgumentRow{"tensors", R"({"as_tensors":[{"name":"x"},{"name":"x"}]})", "[%x, %x]"},
        ArgumentRow{"optionalTensor", R"({"as_optional_tensor":{"as_tensor":{"name":"x"}}})", "%x"},
        ArgumentRow{"optionalTensors", R"({"as_optional_tensors":[{"as_none":true},{"as_tensor":{"name":"x"}}]})",
                    "[none, %x]"},
        ArgumentRow{"optionalTensorsOfSchema3", R"({"as_optional_tensors":[{"as_none":[]},{"as_tensor":"x"}]})",
                    "[none, %x]"},
        ArgumentRow{"nestedTensors", R"({"as_nested_tensors":[[{"name":"x"}],[]]})", "[[%x], []]"},
        ArgumentRow{"integer", R"({"as_int":-7})", "-7"}, ArgumentRow{"integers", R"({"as_ints":[1,2]})", "[1, 2]"},
        ArgumentRow{"integerLists", R"({"as_int_lists":[[1,2],[3]]})", "[[1, 2], [3]]"},
        ArgumentRow{"float", R"({"as_float":2.5})", "2.5"},
        ArgumentRow{"bareInfinity", R"({"as_float":-Infinity})", "-inf"},
        ArgumentRow{"writtenInfinity", R"({"as_float":"Infinity"})", "inf"},
        ArgumentRow{"floatLists", R"({"as_float_lists":[[1.5],[]]})", "[[1.5], []]"},
        ArgumentRow{"boolean", R"({"as_bool":true})", "true"},
        ArgumentRow{"booleans", R"({"as_bools":[true,false]})", "[true, false]"},
        ArgumentRow{"text", R"({"as_string":"a\"b"})", R"("a\"b")"},
        ArgumentRow{"texts", R"({"as_strings":["a"]})", R"(["a"])"},
        ArgumentRow{"symbolicIntegerByNumber", R"({"as_sym_int":{"as_int":3}})", "3"},
        ArgumentRow{"symbolicIntegers", R"({"as_sym_ints":[{"as_name":"n"},{"as_int":5}]})", "[%n, 5]"},
        ArgumentRow{"symbolicFloat", R"({"as_sym_float":{"as_float":0.5}})", "0.5"},
        ArgumentRow{"symbolicBool", R"({"as_sym_bool":{"as_name":"n"}})", "%n"},
        ArgumentRow{"dtypeInExportNumbers", R"({"as_scalar_type":13})", "bfloat16"},
        ArgumentRow{"layout", R"({"as_layout":7})", "strided"},
        ArgumentRow{"memoryFormat", R"({"as_memory_format":2})", "channels_last"},
        ArgumentRow{"device", R"({"as_device":{"type":"cuda","index":1}})", "device(\"cuda:1\")"},
        ArgumentRow{"complex", R"({"as_complex":{"real":1.0,"imag":2.0}})", "complex(1.0, 2.0)"},
        ArgumentRow{"operator", R"({"as_operator":"torch.ops.my.inc.default"})", "op(my::inc.default)"},
        ArgumentRow{"dictionary", R"({"as_string_to_argument":{"k":{"as_int":1}}})", R"({"k": 1})"}),
    [](const auto &row) { return row.param.name; });

class Targets : public testing::TestWithParam<std::pair<std::string, std::string>> { };

TEST_P(Targets, becomeOperators)
{
    ir::Context context;
    ProgramText program;
    program.nodes = ProgramText::node(GetParam().first, "", ProgramText::tensor("y"));
    const ir::Model model = mustRead(folderArchive(program.json()));
    ASSERT_EQ(model.functions.size(), 1u);
    EXPECT_EQ(model.context->print(model.functions[0].graph.at(ir::NodeId{0}).op), GetParam().second);
}

INSTANTIATE_TEST_SUITE_P(, Targets,
                         testing::Values(std::pair("torch.ops.aten.add.Tensor", "aten::add.Tensor"),
                                         std::pair("torch.ops.aten.conv2d.default", "aten::conv2d.default"),
                                         std::pair("torch.ops.higher_order.cond", "higher_order::cond"),
                                         std::pair("_operator.mul", "_operator::mul"),
                                         std::pair("torch.sym_max", "torch::sym_max"),
                                         std::pair("math.trunc", "math::trunc"), std::pair("#npu:fused", "npu::fused"),
                                         std::pair("plain", "python::plain")));

TEST(Pt2, targetsOfTheFirstSchemaAreObjects)
{
    ProgramText program;
    program.nodes = R"({"target":{"name":"torch.ops.aten.relu.default","version":10},"inputs":[],"outputs":[)"
        + ProgramText::tensor("y") + R"(],"metadata":{}})";
    EXPECT_NE(text(mustRead(flatArchive(program.json(), {{"serialized_state_dict.json", ""}}))).find("aten::relu"),
              std::string::npos);
}

TEST(Pt2, flatSignaturesOfTheFirstSchemaBindByName)
{
    ProgramText program;
    program.inputs = ProgramText::tensor("p") + "," + ProgramText::tensor("b") + "," + ProgramText::tensor("x");
    std::string json = program.json();
    const std::size_t from = json.find(R"("signature":)");
    json.replace(from, json.find(R"(,"module_call_graph")") - from,
                 R"("signature":{"inputs_to_parameters":{"p":"fc.weight"},"inputs_to_buffers":{"b":"bn.mean"},)"
                 R"("buffers_to_mutate":{"y":"bn.mean"}})");
    const ir::Model model = mustRead(flatArchive(json));
    ASSERT_EQ(model.functions.size(), 1u);
    const ir::Function &function = model.functions[0];
    ASSERT_EQ(function.inputs.size(), 3u);
    EXPECT_EQ(function.inputs[0].kind, ir::FunctionInput::Kind::Parameter);
    EXPECT_EQ(function.inputs[1].kind, ir::FunctionInput::Kind::Buffer);
    EXPECT_EQ(function.inputs[2].kind, ir::FunctionInput::Kind::User);
    EXPECT_EQ(function.outputs[0].kind, ir::FunctionOutput::Kind::BufferMutation);
}

TEST(Pt2, symbolicNumbersAreValuesWithTheirExpressions)
{
    ProgramText program;
    program.nodes =
        ProgramText::node("torch.ops.aten.sym_size.int", ProgramText::argument("self", ProgramText::tensor("x")),
                          R"({"as_sym_int":{"as_name":"n"}})")
        + ","
        + ProgramText::node("torch.ops.aten.view.default",
                            ProgramText::argument("size", R"({"as_sym_ints":[{"as_name":"n"},{"as_int":2}]})"),
                            ProgramText::tensor("y"));
    program.numbers =
        R"j("sym_int_values":{"n":{"as_expr":{"expr_str":"Add(Symbol('s0', integer=True), Integer(1))"}}})j";
    EXPECT_EQ(text(mustRead(folderArchive(program.json()))),
              R"(graph @forward(%x: float32[2, s0] strides[s0, 1] on "cpu") {
  %n: int(s0 + 1) = aten::sym_size.int(self=%x)
  %y: float32[2, s0] strides[s0, 1] on "cpu" = aten::view.default(size=[%n, 2])
  return %y
}
)");
}

TEST(Pt2, subgraphsAreRegionsWithNamesOfTheirOwn)
{
    const auto branch = [](const std::string &name, const std::string &op) {
        ProgramText body;
        body.nodes =
            ProgramText::node(op, ProgramText::argument("self", ProgramText::tensor("x")), ProgramText::tensor("y"));
        return ProgramText::argument("", R"({"as_graph":{"name":")" + name + R"(","graph":)" + body.graph() + "}}");
    };
    ProgramText program;
    program.nodes = ProgramText::node("torch.ops.higher_order.cond",
                                      ProgramText::argument("", R"({"as_bool":true})") + ","
                                          + branch("true_graph_0", "torch.ops.aten.sin.default") + ","
                                          + branch("false_graph_0", "torch.ops.aten.cos.default") + ","
                                          + ProgramText::argument("", R"({"as_tensors":[{"name":"x"}]})"),
                                      ProgramText::tensor("y"), R"("metadata":{},"name":"cond")");
    EXPECT_EQ(text(mustRead(folderArchive(program.json()))),
              R"(graph @forward(%x: float32[2, s0] strides[s0, 1] on "cpu") {
  %y: float32[2, s0] strides[s0, 1] on "cpu" = higher_order::cond(true, [%x]) name "cond"
    region "true_graph_0" (%x#1: float32[2, s0] strides[s0, 1] on "cpu") {
      %y#1: float32[2, s0] strides[s0, 1] on "cpu" = aten::sin.default(self=%x#1)
      return %y#1
    }
    region "false_graph_0" (%x#2: float32[2, s0] strides[s0, 1] on "cpu") {
      %y#2: float32[2, s0] strides[s0, 1] on "cpu" = aten::cos.default(self=%x#2)
      return %y#2
    }
  return %y
}
)");
}

TEST(Pt2, nodesOfOlderSchemasAreNamedByTheirResults)
{
    ProgramText program;
    program.nodes = ProgramText::node("torch.ops.aten.max.dim", "",
                                      ProgramText::tensor("max_1_unused_0") + "," + ProgramText::tensor("z"))
        + "," + ProgramText::node("torch.ops.aten._assert_async.msg", "", "") + ","
        + ProgramText::node("torch.ops.aten._assert_async.msg", "", "") + ","
        + ProgramText::node("torch.ops.aten.split.Tensor", "", R"({"as_tensors":[{"name":"y"},{"name":"w"}]})") + ","
        + ProgramText::node("torch.ops.mine.checkGELU.default", "", "");
    const ir::Model model = mustRead(folderArchive(program.json()));
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < model.functions.at(0).graph.nodeCount(); ++i)
        names.emplace_back(model.context->text(model.functions[0].graph.at(ir::NodeId{i}).name));
    EXPECT_EQ(names,
              (std::vector<std::string>{"max_1", "_assert_async_msg", "_assert_async_msg_1", "split_tensor",
                                        "check_gelu_default"}));
}

TEST(Pt2, signatureOfEveryKindBindsInputsAndOutputs)
{
    ProgramText program;
    program.inputs = R"({"as_token":{"name":"t"}},{"as_tensor":{"name":"p"}},{"as_tensor":{"name":"b"}},)"
                     R"({"as_tensor":{"name":"c"}},{"as_custom_obj":{"name":"o","class_fqn":"my.Q"}},)"
                     R"({"as_tensor":{"name":"x"}},{"as_int":3})";
    program.inputSpecs =
        R"({"token":{"arg":{"name":"t"}}},{"parameter":{"arg":{"name":"p"},"parameter_name":"fc.weight"}},)"
        R"({"buffer":{"arg":{"name":"b"},"buffer_name":"bn.mean","persistent":false}},)"
        R"({"tensor_constant":{"arg":{"name":"c"},"tensor_constant_name":"lifted_0"}},)"
        R"({"custom_obj":{"arg":{"name":"o","class_fqn":"my.Q"},"custom_obj_name":"q"}},)"
        R"({"user_input":{"arg":{"as_tensor":{"name":"x"}}}},{"constant_input":{"name":"k","value":{"as_int":3}}})";
    program.values += "," + ProgramText::tensorValue("p", "2", "3") + "," + ProgramText::tensorValue("b", "1", "4")
        + "," + ProgramText::tensorValue("c", "1", "1");
    const std::string y = ProgramText::tensor("y");
    program.outputs = R"({"as_token":{"name":"t"}},)" + y + "," + y + "," + y + "," + y + "," + y + "," + y;
    program.outputSpecs =
        R"({"token":{"arg":{"name":"t"}}},{"buffer_mutation":{"arg":{"name":"y"},"buffer_name":"bn.mean"}},)"
        R"({"user_input_mutation":{"arg":{"name":"y"},"user_input_name":"x"}},{"loss_output":{"arg":{"name":"y"}}},)"
        R"({"gradient_to_parameter":{"arg":{"name":"y"},"parameter_name":"fc.weight"}},)"
        R"({"gradient_to_user_input":{"arg":{"name":"y"},"user_input_name":"x"}},)"
        R"({"user_output":{"arg":{"as_tensor":{"name":"y"}}}})";
    const ir::Model model = mustRead(folderArchive(program.json()));
    ASSERT_EQ(model.functions.size(), 1u);
    std::string shown;
    for (const ir::FunctionInput &input : model.functions[0].inputs)
        shown += formatted("{} {} {}\n", static_cast<int>(input.kind), model.context->text(input.name),
                           model.context->text(input.target));
    shown += "--\n";
    for (const ir::FunctionOutput &output : model.functions[0].outputs)
        shown += formatted("{} {}\n", static_cast<int>(output.kind), model.context->text(output.target));
    using In = ir::FunctionInput::Kind;
    using Out = ir::FunctionOutput::Kind;
    EXPECT_EQ(shown,
              formatted("{} t \n{} p fc.weight\n{} b bn.mean\n{} c lifted_0\n{} o q\n{} x \n{} k \n--\n"
                        "{} \n{} bn.mean\n{} x\n{} \n{} fc.weight\n{} x\n{} \n",
                        int(In::Token), int(In::Parameter), int(In::Buffer), int(In::Constant), int(In::CustomObject),
                        int(In::User), int(In::ConstantInput), int(Out::Token), int(Out::BufferMutation),
                        int(Out::UserInputMutation), int(Out::Loss), int(Out::GradientToParameter),
                        int(Out::GradientToUserInput), int(Out::User)));
    ASSERT_EQ(model.tensors.size(), 3u);
    EXPECT_EQ(model.tensors[1].kind, ir::Tensor::Kind::Buffer);
    EXPECT_FALSE(model.tensors[1].persistent);
    EXPECT_EQ(model.tensors[1].shape, (std::vector<std::int64_t>{1, 4})) << "the graph's record, for want of bytes";
    EXPECT_EQ(model.context->text(model.objects.at(0).className), "my.Q");
}

std::string weightsConfig(const std::string &path, int offset = 0)
{
    return R"({"config":{"fc.weight":{"path_name":")" + path + R"(","is_param":true,"use_pickle":false,"tensor_meta":)"
        + ProgramText::tensorMeta("2", "3", offset) + R"(},"tied":{"path_name":")" + path
        + R"(","is_param":true,"use_pickle":false,"tensor_meta":)" + ProgramText::tensorMeta("1", "3", 3) + "}}}";
}

ProgramText twoParameters()
{
    ProgramText program;
    program.inputs = ProgramText::tensor("p") + "," + ProgramText::tensor("q") + "," + ProgramText::tensor("x");
    program.inputSpecs = R"({"parameter":{"arg":{"name":"p"},"parameter_name":"fc.weight"}},)"
                         R"({"parameter":{"arg":{"name":"q"},"parameter_name":"tied"}},)"
                         R"({"user_input":{"arg":{"as_tensor":{"name":"x"}}}})";
    program.values += "," + ProgramText::tensorValue("p", "2", "3") + "," + ProgramText::tensorValue("q", "1", "3");
    return program;
}

TEST(Pt2, weightsAreViewsOfSharedStoragesInTheFile)
{
    const std::string bytes = "\1\2\3\4\5\6\7\x08\t\n\v\f\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18";
    const std::string file = folderArchive(twoParameters().json(),
                                           {{"data/weights/model_weights_config.json", weightsConfig("weight_0")},
                                            {"data/weights/weight_0", bytes},
                                            {"data/constants/model_constants_config.json", R"({"config":{}})"}});
    const ir::Model model = mustRead(file);
    ASSERT_EQ(model.tensors.size(), 2u);
    EXPECT_EQ(model.tensors[0].storage, model.tensors[1].storage);
    EXPECT_EQ(model.tensors[1].offset, 3);
    const auto *range = std::get_if<ir::FileRange>(&model.at(model.tensors[0].storage).data);
    ASSERT_TRUE(range);
    EXPECT_EQ(file.substr(range->offset, range->length), bytes);
    EXPECT_TRUE(model.diagnostics.empty());
    EXPECT_EQ(model.modules.size(), 2u) << "the root and fc";
}

/// _rebuild_tensor_v2 of storage "0", 6 floats: float32[2, 3]
const std::string pickledTensor = "ctorch._utils\n_rebuild_tensor_v2\n((\x8c\x07storagectorch\nFloatStorage\n\x8c\x01"
                                  "0\x8c\x03"
                                  "cpuK\x06tQ"
    + std::string("K\0", 2) + "K\x02K\x03\x86K\x03K\x01\x86\x89}tR";

TEST(Pt2, weightsOfTheOlderLayoutLieInAnArchiveInTheArchive)
{
    const std::string bytes = "one two three four five!";
    const std::string weights = tests::zipArchive({{"archive/data.pkl",
                                                    "\x80\x04}(\x8c\x09"
                                                    "fc.weight"
                                                        + pickledTensor + "\x8c\x04tied" + pickledTensor + "u."},
                                                   {"archive/data/0", bytes}},
                                                  tests::ZipStyle::PyTorch);
    const std::string file =
        flatArchive(twoParameters().json(), {{"serialized_state_dict.pt", weights}, {"serialized_constants.pt", ""}});
    const ir::Model model = mustRead(file);
    ASSERT_EQ(model.tensors.size(), 2u);
    EXPECT_EQ(model.tensors[0].shape, (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(model.tensors[0].storage, model.tensors[1].storage);
    const auto *range = std::get_if<ir::FileRange>(&model.at(model.tensors[0].storage).data);
    ASSERT_TRUE(range);
    EXPECT_EQ(file.substr(range->offset, range->length), bytes);
    EXPECT_TRUE(model.diagnostics.empty());
}

TEST(Pt2, sampleInputsAreDescribedAndExtraFilesKept)
{
    const std::string inputs = tests::zipArchive({{"archive/data.pkl", "\x80\x04" + pickledTensor + "K\x07\x86}\x86."},
                                                  {"archive/data/0", std::string(24, 'x')}});
    const ir::Model model = mustRead(
        folderArchive(ProgramText().json(), {{"data/sample_inputs/model.pt", inputs}, {"extra/notes.txt", "hi"}}));
    ASSERT_EQ(model.attachments.size(), 2u);
    EXPECT_EQ(model.attachments[0].text, "((float32[2, 3], 7), {})");
    EXPECT_EQ(model.attachments[1].name, "extra file notes.txt");
    EXPECT_EQ(model.attachments[1].text, "hi");
    EXPECT_TRUE(model.attachments[1].range);
}

struct BadWeights {
    std::string name;
    std::string path;
    std::size_t length;
    int offset;
    std::string said;
};

class WeightFaults : public testing::TestWithParam<BadWeights> { };

TEST_P(WeightFaults, leaveTheGraphAndSaySo)
{
    const BadWeights &row = GetParam();
    const ir::Model model =
        mustRead(folderArchive(twoParameters().json(),
                               {{"data/weights/model_weights_config.json", weightsConfig(row.path, row.offset)},
                                {"data/weights/weight_0", std::string(row.length, 'w')},
                                {"data/constants/model_constants_config.json", R"({"config":{}})"}}));
    ASSERT_FALSE(model.diagnostics.empty());
    EXPECT_NE(model.diagnostics[0].message.find(row.said), std::string::npos) << model.diagnostics[0].message;
    ASSERT_EQ(model.tensors.size(), 2u);
    EXPECT_EQ(model.tensors[0].shape, (std::vector<std::int64_t>{2, 3}));
    EXPECT_TRUE(std::holds_alternative<ir::NoBytes>(model.at(model.tensors[0].storage).data));
}

INSTANTIATE_TEST_SUITE_P(, WeightFaults,
                         testing::Values(BadWeights{"missing", "weight_7", 24, 0, "weight_7 are missing"},
                                         BadWeights{"cut", "weight_0", 23, 0, "wants 24 B of a storage of 23 B"},
                                         BadWeights{"offset", "weight_0", 24, 1, "wants 28 B"},
                                         BadWeights{"pathOutside", "../../etc/passwd", 24, 0, "is none of a payload"}),
                         [](const auto &row) { return row.param.name; });

TEST(Pt2, severalProgramsAreSeveralFunctions)
{
    const std::string json = ProgramText().json();
    const ir::Model model = mustRead(tests::zipArchive({{"net/archive_format", "pt2"},
                                                        {"net/models/dec/oder.json", json},
                                                        {"net/models/model.json", json},
                                                        {"net/models/encoder.json", json}}));
    std::vector<std::string> names;
    for (const ir::Function &function : model.functions)
        names.emplace_back(model.context->text(function.name));
    EXPECT_EQ(names, (std::vector<std::string>{"forward", "dec/oder", "encoder"}));
    EXPECT_EQ(model.opsets.size(), 1u);
}

TEST(Pt2, expressionsOfRangesAreNotedAndInfinitiesAreNoBounds)
{
    ProgramText program;
    program.ranges = R"("s0":{"min_val":2,"max_val":9223372036854775806},"2*s0":{"min_val":4,"max_val":80},)"
                     R"("u0":{"min_val":-Infinity,"max_val":Infinity})";
    const ir::Model model = mustRead(folderArchive(program.json()));
    EXPECT_EQ(model.symbols, (std::vector<ir::Symbol>{{"s0", 2, 9223372036854775806, 5}, {"u0", {}, {}, {}}}));
    ASSERT_FALSE(model.metadata.empty());
    EXPECT_EQ(std::ranges::count(model.metadata, "range of 2*s0", &std::pair<std::string, std::string>::first), 1);
}

TEST(Pt2, anEmptyRangeIsNone)
{
    ProgramText program;
    program.ranges = R"("s0":{"min_val":10,"max_val":2})";
    const ir::Model model = mustRead(folderArchive(program.json()));
    EXPECT_EQ(model.symbols, (std::vector<ir::Symbol>{{"s0", {}, {}, 5}}));
    ASSERT_EQ(model.diagnostics.size(), 1u);
    EXPECT_EQ(model.diagnostics[0].message, "the range of symbol s0 is empty: 10 to 2");
}

TEST(Pt2, statesOfAnLstmHaveTheShapesOfItsInitialStates)
{
    ProgramText program;
    program.nodes = ProgramText::node("torch.ops.aten.lstm.input",
                                      ProgramText::argument("hx", R"({"as_tensors":[{"name":"x"},{"name":"x"}]})"),
                                      ProgramText::tensor("y") + "," + ProgramText::tensor("h"));
    program.values += "," + ProgramText::tensorValue("h", "1", "9");
    const ir::Model model = mustRead(folderArchive(program.json()));
    EXPECT_NE(text(model).find("%h: float32[2, s0] on \"cpu\" = aten::lstm.input"), std::string::npos) << text(model);
    ASSERT_EQ(model.diagnostics.size(), 1u);
    EXPECT_EQ(model.diagnostics[0].code, "pt2.record");
}

TEST(Pt2, resultsUnderAutocastHaveItsElementType)
{
    ProgramText body;
    body.nodes = ProgramText::node("torch.ops.aten.mm.default", ProgramText::argument("a", ProgramText::tensor("x")),
                                   ProgramText::tensor("y"));
    ProgramText program;
    program.nodes = ProgramText::node(
        "torch.ops.higher_order.wrap_with_autocast",
        ProgramText::argument("", R"({"as_string":"cpu"})") + ","
            + ProgramText::argument("", R"({"as_scalar_type":13})") + ","
            + ProgramText::argument("", R"({"as_bool":true})") + "," + ProgramText::argument("", R"({"as_none":true})")
            + "," + ProgramText::argument("", R"({"as_graph":{"name":"g","graph":)" + body.graph() + "}}") + ","
            + ProgramText::argument("", ProgramText::tensor("x")),
        ProgramText::tensor("y"));
    const ir::Model model = mustRead(folderArchive(program.json()));
    EXPECT_NE(text(model).find("%y: bfloat16[2, s0]"), std::string::npos) << text(model);
    EXPECT_NE(text(model).find("%y#1: bfloat16[2, s0]"), std::string::npos) << text(model);
}

TEST(Pt2, resultsUnderNestedAutocastsHaveTheElementTypeOfTheInnermost)
{
    const auto region = [](const std::string &enabled, const std::string &graph) {
        return ProgramText::node("torch.ops.higher_order.wrap_with_autocast",
                                 ProgramText::argument("", R"({"as_string":"cpu"})") + ","
                                     + ProgramText::argument("", R"({"as_scalar_type":13})") + ","
                                     + ProgramText::argument("", R"({"as_bool":)" + enabled + "}") + ","
                                     + ProgramText::argument("", R"({"as_none":true})") + ","
                                     + ProgramText::argument("", R"({"as_graph":{"name":"g","graph":)" + graph + "}}")
                                     + "," + ProgramText::argument("", ProgramText::tensor("x")),
                                 ProgramText::tensor("y"));
    };
    const std::string product = ProgramText::node(
        "torch.ops.aten.mm.default", ProgramText::argument("a", ProgramText::tensor("x")), ProgramText::tensor("y"));
    for (const bool isInner : {true, false}) {
        ProgramText body, middle, program;
        body.nodes = product;
        middle.nodes = region(isInner ? "true" : "false", body.graph());
        program.nodes = region(isInner ? "false" : "true", middle.graph());
        const std::string found = text(mustRead(folderArchive(program.json())));
        for (const char *name : {"%y: ", "%y#1: ", "%y#2: "})
            EXPECT_NE(found.find(name + std::string(isInner ? "bfloat16" : "float32") + "[2, s0]"), std::string::npos)
                << found;
    }
}

struct Fault {
    std::string name;
    std::string file;
    std::string said;
};

std::vector<Fault> faults()
{
    ProgramText dangling, twice, twoKeys, noTensor, counts, nodesObject, noTarget;
    dangling.nodes =
        ProgramText::node("a.b", ProgramText::argument("", ProgramText::tensor("nope")), "", R"("name":"n")");
    twice.nodes += "," + twice.nodes;
    twoKeys.nodes = ProgramText::node("a.b", ProgramText::argument("", R"({"as_int":1,"as_bool":true})"), "");
    noTensor.nodes = ProgramText::node("a.b", ProgramText::argument("", R"({"as_tensor":7})"), "");
    counts.inputSpecs += "," + counts.inputSpecs;
    nodesObject.nodes = "";
    std::string object = nodesObject.json();
    object.replace(object.find(R"("nodes":[])"), 10, R"("nodes":{})");
    noTarget.nodes = R"({"inputs":[]})";
    return {
        {"dangling", folderArchive(dangling.json()),
         "\"nope\", which nothing before it makes (models/model.json, node n)"},
        {"madeTwice", folderArchive(twice.json()), "the value \"y\" is made twice"},
        {"twoKeys", folderArchive(twoKeys.json()), "exactly one kind"},
        {"wrongType", folderArchive(noTensor.json()), "a tensor was expected, found 7"},
        {"specCount", folderArchive(counts.json()), "the signature has 2 inputs, the graph 1"},
        {"nodesAnObject", folderArchive(object), "the graph's nodes were expected to be a list"},
        {"noTarget", folderArchive(noTarget.json()), "expected to have a target"},
        {"noGraph", folderArchive("{}"), "the program has no graph"},
        {"noObject", folderArchive("[]"), "expected to be a JSON object"},
        {"cutJson", folderArchive(ProgramText().json().substr(0, 99)), "damaged or cut short (models/model.json)"},
        {"noProgram", tests::zipArchive({{"net/archive_format", "pt2"}}), "models/*.json is missing"},
        {"noFlatProgram", tests::zipArchive({{"serialized_state_dict.pt", ""}}),
         "serialized_exported_program.json is missing"},
        {"onlyCompiled", tests::zipArchive({{"net/archive_format", "pt2"}, {"net/data/aotinductor/m/a.so", ""}}),
         "an AOTInductor package: compiled code only"},
    };
}

class Faults : public testing::TestWithParam<Fault> { };

TEST_P(Faults, areErrorsWithAPlace)
{
    const auto model = readBytes(GetParam().file);
    ASSERT_FALSE(model);
    EXPECT_NE(model.error().text().find(GetParam().said), std::string::npos) << model.error().text();
}

INSTANTIATE_TEST_SUITE_P(, Faults, testing::ValuesIn(faults()), [](const auto &row) { return row.param.name; });

TEST(Pt2, missingWeightsAreSaidOnceAndLeaveTheGraph)
{
    const ir::Model model = mustRead(flatArchive(twoParameters().json()));
    std::string said;
    for (const ir::Diagnostic &d : model.diagnostics)
        said += d.message + "\n";
    EXPECT_EQ(said,
              "weights are missing: the file has no serialized_state_dict.pt\n"
              "weights are missing: the file has no serialized_constants.pt\n");
    EXPECT_EQ(model.tensors.size(), 2u);
}

TEST(Pt2, impossibleSizesAreShownWithANote)
{
    ProgramText program;
    program.values = ProgramText::tensorValue("x", "4611686018427387904", "4611686018427387904") + ","
        + ProgramText::tensorValue("y", "-5", "2");
    const ir::Model model = mustRead(folderArchive(program.json()));
    EXPECT_EQ(model.diagnostics.size(), 2u);
    EXPECT_NE(text(model).find("%y: float32[-5, 2]"), std::string::npos) << text(model);
}

TEST(Pt2, newerSchemaReadsWithANote)
{
    ProgramText program;
    program.version = R"({"major":9,"minor":0})";
    program.nodes = ProgramText::node("a.b", ProgramText::argument("k", R"({"as_novelty":[1]})"),
                                      ProgramText::tensor("y"), R"("metadata":{},"new_field":{"x":1})");
    const ir::Model model = mustRead(folderArchive(program.json()));
    std::vector<std::string> codes;
    for (const ir::Diagnostic &d : model.diagnostics)
        codes.push_back(d.code);
    EXPECT_TRUE(std::ranges::contains(codes, "pt2.version"));
    EXPECT_TRUE(std::ranges::contains(codes, "pt2.argument"));
    EXPECT_NE(text(model).find(R"(k="as_novelty [1]")"), std::string::npos) << text(model);
}

TEST(Pt2, sniffKnowsBothLayoutsAndNothingElse)
{
    const auto sniffed = [](const std::string &content) {
        const tests::TemporaryFile file(content);
        return sniff(file.probe());
    };
    EXPECT_TRUE(sniffed(folderArchive("{}")));
    EXPECT_TRUE(sniffed(flatArchive("{}")));
    EXPECT_FALSE(sniffed(tests::zipArchive({{"net/data.pkl", ""}})));
    EXPECT_FALSE(sniffed(folderArchive("{}").substr(1)));
    EXPECT_FALSE(sniffed(""));
}

TEST(Pt2, cancellationStopsTheReading)
{
    ProgramText program;
    program.nodes.clear();
    for (int i = 0; i < 3000; ++i)
        program.nodes +=
            ProgramText::node("torch.ops.aten.relu.default", "", ProgramText::tensor(formatted("v{}", i))) + ",";
    program.nodes += ProgramText::node("torch.ops.aten.relu.default", "", ProgramText::tensor("y"));
    std::stop_source stop;
    stop.request_stop();
    const std::string file = folderArchive(program.json());
    const auto model =
        read(formats::archive::Probe(std::as_bytes(std::span(file)), {"net.pt2", nullptr}), Task{stop.get_token(), {}});
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().kind, ErrorKind::Cancelled);
}

} // namespace
} // namespace cutaway::formats::pt2
