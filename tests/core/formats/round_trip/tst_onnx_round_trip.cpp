// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/format.h"
#include "core/formats/onnx/write/weight_placement.h"
#include "core/ir/context.h"
#include "core/ir/verify.h"
#include "tests/core/formats/onnx/onnx_writer.h"
#include "tests/core/formats/round_trip/content_text.h"
#include "tests/core/formats/round_trip/folder.h"

#include <fstream>
#include <gtest/gtest.h>
#include <ostream>

namespace {

using namespace cutaway;
using namespace onnxtest;
using namespace std::literals;
using tests::contentText;
using tests::difference;
using tests::Folder;

const Proto floatScalar = tensorType(1, {});

Proto scalar(std::string_view name) { return value(name, floatScalar); }

ir::Model openedFile(const std::filesystem::path &path)
{
    auto model = formats::open(path);
    if (!model) {
        ADD_FAILURE() << model.error().text();
        return {};
    }
    EXPECT_EQ(ir::verify(*model), std::vector<std::string>());
    return std::move(*model);
}

void writeTo(const ir::Model &model, const std::filesystem::path &path)
{
    const auto written = formats::write(model, path);
    ASSERT_TRUE(written) << written.error().text();
}

struct Row {
    const char *name;
    Proto model;
};

void PrintTo(const Row &row, std::ostream *out) { *out << row.name; }

Proto int64s(std::string_view name, const std::vector<int> &numbers)
{
    Proto proto = Proto().number(1, numbers.size()).number(2, 7).text(8, name);
    for (const int n : numbers)
        proto.number(7, static_cast<std::uint64_t>(n));
    return proto;
}

Proto constant(std::string_view output, const Proto &tensor)
{
    return node("Constant", {}, {std::string(output)})
        .message(5, Proto().text(1, "value").message(5, tensor).number(20, 4));
}

Proto withAttribute(const Proto &attribute)
{
    return model(graph({node("Op", {"x"}, {"y"}, "op").message(5, attribute)}, {scalar("x")}, {scalar("y")}));
}

Proto attribute(std::string_view name, int type)
{
    return Proto().text(1, name).number(20, static_cast<unsigned>(type));
}

Proto ifModel()
{
    const Proto yes =
        graph({constant("a", floats("a", {})), node("Add", {"x", "a"}, {"r"})}, {}, {scalar("r")}).text(10, "taken");
    const Proto no = graph({node("Neg", {"x"}, {"r"})}, {}, {scalar("r")}, {floats("unused", {2})});
    const Proto branch = node("If", {"c"}, {"y"}, "branch")
                             .message(5, graphAttribute("else_branch", no))
                             .message(5, graphAttribute("then_branch", yes));
    return model(graph({branch, node("Op", {"y", "", "x"}, {"z", "", "w"})},
                       {value("c", tensorType(9, {})), scalar("x")}, {scalar("z")}));
}

Proto functionModel()
{
    const Proto reference = Proto().text(1, "alpha").number(20, 1).text(21, "slope");
    const Proto function = Proto()
                               .text(1, "F")
                               .text(4, "a")
                               .text(5, "b")
                               .text(6, "slope")
                               .message(7, constant("k", floats("k", {2})))
                               .message(7, node("LeakyRelu", {"a"}, {"b"}).message(5, reference))
                               .text(8, "what it does")
                               .message(9, Proto().text(1, "").number(2, 17))
                               .message(11, intAttribute("beta", 2).number(20, 2))
                               .text(10, "my.dom")
                               .message(12, value("b", tensorType(1, {"N", 2})))
                               .text(13, "v2")
                               .message(14, entry("key", "text"));
    return model(graph({node("F", {"x"}, {"y"}).text(7, "my.dom").text(8, "v2")}, {scalar("x")}, {scalar("y")}))
        .message(25, function);
}

Proto scopedModel()
{
    const Proto scoped = node("Relu", {"x"}, {"y"}, "node_relu")
                             .message(9, entry("pkg.torch.onnx.name_scopes", "['', 'body', 'body.1@2', 'relu']"))
                             .message(9, entry("pkg.torch.onnx.class_hierarchy", "['Net', 'Seq', 'It\\'s', 'relu']"))
                             .message(9,
                                      entry("pkg.torch.onnx.stack_trace",
                                            "File \"a.py\", line 3, in forward\n    return f(x)\n"
                                            "File \"b.py\", line 7, in f\n    return relu(x)"))
                             .message(9, entry("rule", "fused"));
    const Proto named = node("Relu", {"y"}, {"z"}, "/body/body.1/Relu").text(6, "c.py(4): forward\nd.py(9): main\n");
    const Proto repeated = node("Relu", {"z"}, {"w"}, "/body/body.1_1/Relu").text(6, "in words");
    return model(graph({scoped, named, repeated}, {scalar("x")}, {scalar("w")}));
}

Proto richModel()
{
    const Proto input =
        Proto()
            .text(1, "x")
            .message(2,
                     Proto()
                         .message(1,
                                  Proto().number(1, 1).message(2,
                                                               Proto()
                                                                   .message(1, Proto().text(2, "N").text(3, "BATCH"))
                                                                   .message(1, Proto().text(2, "2*h"))
                                                                   .message(1, Proto())))
                         .text(6, "IMAGE"))
            .text(3, "the image")
            .message(4, entry("key", "text"));
    Proto tensor = floats("w", {3}).text(12, "weights").message(16, entry("from", "training"));
    return model(graph({node("Op", {"x", "w"}, {"y"})}, {input}, {value("y", tensorType(1, {"2*N", "q"}))}, {tensor})
                     .text(10, "of the graph")
                     .message(13, value("w2", tensorType(1, {1})))
                     .message(14, Proto().text(1, "y").message(2, entry("SCALE_TENSOR", "w"))))
        .text(2, "maker")
        .text(3, "1.2")
        .text(4, "org.example")
        .number(5, 7)
        .text(6, "of the model")
        .message(14, entry("author", "nobody"))
        .message(20, Proto().message(1, graph({}, {}, {})));
}

Proto typed(const Proto &type)
{
    return model(graph({node("Op", {"x"}, {"y"})}, {value("x", type)}, {Proto().text(1, "y")}));
}

class OnnxRoundTrip : public testing::TestWithParam<Row> { };

TEST_P(OnnxRoundTrip, givesTheSameModel)
{
    const Folder folder;
    std::ofstream(folder / "a.onnx", std::ios::binary) << GetParam().model.bytes;
    const ir::Model before = openedFile(folder / "a.onnx");
    writeTo(before, folder / "b.onnx");
    EXPECT_EQ(difference(contentText(before), contentText(openedFile(folder / "b.onnx"))), "");
    EXPECT_EQ(folder.fileCount(), 2);
}

const Proto shapeOfTwo = Proto().number(1, 1).message(2, Proto().message(1, Proto().number(1, 2)));

INSTANTIATE_TEST_SUITE_P(
    Files, OnnxRoundTrip,
    testing::Values(
        Row{"Branches", ifModel()}, Row{"Function", functionModel()}, Row{"ScopesAndPlaces", scopedModel()},
        Row{"TextsEverywhere", richModel()},
        Row{"DefaultInput", model(graph({node("Op", {"w"}, {"y"})}, {scalar("w")}, {scalar("y")}, {floats("w", {})}))},
        Row{"ListedInitializers",
            model(graph({node("Op", {"w"}, {"y"})}, {scalar("w")}, {scalar("y")}, {floats("w", {})}), 3)},
        Row{"BufferOfFloats",
            model(graph({node("Op", {"w"}, {"y"})}, {}, {scalar("y")},
                        {floats("w", {2})
                             .message(16, entry("pkg.torch.export.graph_signature.InputSpec.kind", "BUFFER"))
                             .message(16, entry("pkg.torch.export.graph_signature.InputSpec.persistent", "False"))}))},
        Row{"IntegersAsVarints",
            model(graph({constant("c", int64s("", {1, 2, 300})), node("Op", {"c"}, {"y"})}, {}, {scalar("y")}))},
        Row{"LongIntegersAsVarints",
            model(graph({node("Op", {"w"}, {"y"})}, {}, {},
                        {Proto().number(1, 5000).number(2, 7).text(8, "w").text(7, std::string(5000, '\5'))}))},
        Row{"HalfsAsVarints",
            model(graph({node("Op", {"w"}, {"y"})}, {}, {},
                        {Proto().number(1, 2).number(2, 16).text(8, "w").number(5, 16256).number(5, 16384)}))},
        Row{"FourBits",
            model(graph({node("Op", {"w"}, {"y"})}, {}, {},
                        {Proto().number(1, 3).number(2, 22).text(8, "w").text(5, "\x21\x03"sv)}))},
        Row{"Texts",
            model(graph({node("Op", {"w"}, {"y"})}, {}, {},
                        {Proto().number(1, 2).number(2, 8).text(8, "w").text(6, "a").text(6, "b")}))},
        Row{"Sparse",
            model(graph({node("Op", {"w"}, {"y"})}, {}, {})
                      .message(15, Proto().message(1, floats("w", {1})).message(2, int64s("i", {4})).number(3, 9)))},
        Row{"NumberAttributes", withAttribute(attribute("i", 2).number(3, static_cast<std::uint64_t>(-4)))},
        Row{"FloatAttribute", withAttribute(attribute("f", 1).fixed32(2, 1e-5f))},
        Row{"TextAttribute", withAttribute(attribute("s", 3).text(4, "a\xff"sv))},
        Row{"TensorAttribute", withAttribute(attribute("t", 4).message(5, floats("inner", {2})).text(13, "doc"))},
        Row{"FloatsAttribute", withAttribute(attribute("l", 6).fixed32(7, 1).fixed32(7, 2))},
        Row{"IntsAttribute", withAttribute(attribute("l", 7).number(8, 1).number(8, 2))},
        Row{"LongIntsAttribute", withAttribute(attribute("l", 7).text(8, std::string(5000, '\2')))},
        Row{"LongFloatsAttribute", withAttribute(attribute("l", 6).text(7, std::string(20000, '\1')))},
        Row{"TextsAttribute", withAttribute(attribute("l", 8).text(9, "a").text(9, ""))},
        Row{"TensorsAttribute", withAttribute(attribute("l", 9).message(10, floats("p", {})))},
        Row{"GraphAttribute",
            withAttribute(attribute("g", 5).message(6, graph({node("Neg", {"x"}, {"r"})}, {}, {scalar("r")})))},
        Row{"GraphsAttribute",
            withAttribute(attribute("g", 10)
                              .message(11, graph({node("Neg", {"x"}, {"r"})}, {}, {scalar("r")}))
                              .message(11, graph({node("Abs", {"x"}, {"r"})}, {}, {scalar("r")})))},
        Row{"TypeAttribute", withAttribute(attribute("t", 13).message(14, tensorType(7, {"N", 3})))},
        Row{"SequenceType", typed(Proto().message(4, Proto().message(1, tensorType(1, {2}))))},
        Row{"OptionalType", typed(Proto().message(9, Proto().message(1, tensorType(1, {2}))))},
        Row{"MapType", typed(Proto().message(5, Proto().number(1, 8).message(2, tensorType(1, {2}))))},
        Row{"OpaqueType", typed(Proto().message(7, Proto().text(1, "dom.ain").text(2, "Thing")))},
        Row{"SparseType", typed(Proto().message(8, shapeOfTwo))},
        Row{"UnknownRank", typed(Proto().message(1, Proto().number(1, 1)))}),
    [](const auto &row) { return row.param.name; });

/// A model whose weight of 2 floats lies in weights.bin.
Proto externalModel()
{
    const Proto weight = Proto()
                             .number(1, 2)
                             .number(2, 1)
                             .text(8, "w")
                             .message(13, entry("location", "weights.bin"))
                             .message(13, entry("offset", "4"))
                             .message(13, entry("length", "8"))
                             .number(14, 1);
    return model(graph({node("Op", {"w"}, {"y"})}, {}, {scalar("y")}, {weight}));
}

class OnnxWriter : public testing::Test {
protected:
    std::filesystem::path made(const std::string &name, const Proto &content)
    {
        std::ofstream(m_folder / name, std::ios::binary) << content.bytes;
        return m_folder / name;
    }
    std::string again(const ir::Model &model)
    {
        writeTo(model, m_folder / "again.onnx");
        m_again = openedFile(m_folder / "again.onnx");
        return print(m_again, m_again.functions.front().graph);
    }

    Folder m_folder;
    ir::Model m_again;
};

TEST_F(OnnxWriter, leavesExternalWeightsWhereTheyAreBesideThem)
{
    std::ofstream(m_folder / "weights.bin", std::ios::binary) << std::string(12, 'w');
    const ir::Model before = openedFile(made("a.onnx", externalModel()));
    writeTo(before, m_folder / "b.onnx");
    const ir::Model after = openedFile(m_folder / "b.onnx");
    EXPECT_EQ(contentText(before), contentText(after));
    ASSERT_EQ(after.files.size(), 2u);
    EXPECT_EQ(after.files[1].path.filename(), "weights.bin");
    EXPECT_EQ(m_folder.fileCount(), 3);
}

TEST_F(OnnxWriter, copiesExternalWeightsToAnotherFolder)
{
    std::ofstream(m_folder / "weights.bin", std::ios::binary) << std::string(12, 'w');
    const ir::Model before = openedFile(made("a.onnx", externalModel()));
    std::filesystem::create_directory(m_folder / "other");
    writeTo(before, m_folder / "other" / "b.onnx");
    const ir::Model after = openedFile(m_folder / "other" / "b.onnx");
    EXPECT_EQ(contentText(before), contentText(after));
    ASSERT_EQ(after.files.size(), 2u);
    EXPECT_EQ(after.files[1].path.filename(), "b.onnx.data");
}

/// Changes to the weights of a model that would exceed the length of a protobuf message.
TEST_F(OnnxWriter, putsAllButSmallWeightsIntoOneFileIfTold)
{
    using formats::onnx::WeightPlacement;
    const ir::Model before = openedFile(made("a.onnx",
                                             model(graph({node("Op", {"w", "s", "v"}, {"y"})}, {}, {},
                                                         {floats("w", {300}), floats("s", {2}), floats("v", {300})}))));
    WeightPlacement placement(before, m_folder / "b.onnx", WeightPlacement::Policy::AllOutside);
    const auto first = placement.outsideOf(ir::TensorId{0}), second = placement.outsideOf(ir::TensorId{2});
    ASSERT_TRUE(first && second);
    EXPECT_FALSE(placement.outsideOf(ir::TensorId{1}));
    EXPECT_EQ(first->location, "b.onnx.data");
    EXPECT_EQ(second->offset, 1216u); // at a multiple of 64
    EXPECT_EQ(second->length, 1200u);
    OutputFile file(placement.dataFile());
    ASSERT_TRUE(placement.writeData(file, {}));
    ASSERT_TRUE(file.close());
    EXPECT_EQ(std::filesystem::file_size(m_folder / "b.onnx.data"), 2416u);
}

/// Each function, like the model, imports the operator sets of the nodes that passes have made in it.
TEST_F(OnnxWriter, importsNewDomainsWhereTheirNodesAre)
{
    ir::Model model = openedFile(made("a.onnx", functionModel()));
    const auto addNode = [&](ir::Graph &graph, std::string_view domain) {
        ir::NodeDraft draft;
        draft.op = model.context->op(domain, "Made");
        draft.origins = {ir::NodeId{0}};
        graph.append(ir::Graph::body, draft);
    };
    addNode(model.functions[0].graph, "com.main");
    addNode(model.functions[1].graph, "com.local");
    again(model);
    using Opsets = std::vector<std::pair<std::string, std::int64_t>>;
    EXPECT_EQ(m_again.opsets, (Opsets{{"ai.onnx", 17}, {"com.main", 1}}));
    const auto kept =
        std::ranges::find(m_again.attachments, "function my.dom::F.v2: opset_import", &ir::Attachment::name);
    ASSERT_NE(kept, m_again.attachments.end());
    EXPECT_EQ(kept->text, "ai.onnx 17, com.local 1");
}

TEST_F(OnnxWriter, refusesOperatorsOfALaterOpset)
{
    struct Operator {
        const char *name;
        std::vector<ir::Argument> arguments;
        bool isMade;
        const char *error;
    };
    ir::Context context;
    const Operator operators[] = {
        {"Gelu",
         {},
         false,
         "ONNX has the operator Gelu from opset 20 on, and this model is of opset 17 (onnx::Gelu node n)"},
        {"OfSomeRuntime", {}, true, ""},
        {"Relu",
         {{{}, ir::None{}}, {{}, ir::None{}}},
         true,
         "a pass made a Relu with 2 inputs, which opset 17 does not have (onnx::Relu node n)"},
        {"Relu", {{{}, ir::None{}}, {{}, ir::None{}}}, false, ""}, // as it stands in the file
    };
    const ir::Model read = openedFile(made("a.onnx", withAttribute(attribute("i", 2).number(3, 1))));
    for (const Operator &row : operators) {
        ir::Model model = read;
        ir::Graph &graph = model.functions.front().graph;
        const ir::NodeId node = graph.append(
            ir::Graph::body,
            {model.context->op("onnx", row.name), model.context->name("n"), {}, {}, row.arguments, {}, {}});
        graph.addOutput(node, model.context->name("r"), {});
        if (row.isMade) {
            ir::NodeDraft draft{graph.at(node).op, graph.at(node).name, {}, {}, row.arguments, {node}, {}};
            graph.addOutput(graph.append(ir::Graph::body, draft), model.context->name("s"), {});
            graph.remove(node);
        }
        const auto written = formats::write(model, m_folder / "b.onnx");
        EXPECT_EQ(written ? "" : written.error().text(), row.error) << row.name;
    }
}

/// A function may import another version than the model.
TEST_F(OnnxWriter, holdsFunctionsToTheirOwnOpsets)
{
    ir::Model model = openedFile(made("a.onnx", functionModel()));
    const auto kept =
        std::ranges::find(model.attachments, "function my.dom::F.v2: opset_import", &ir::Attachment::name);
    ASSERT_NE(kept, model.attachments.end());
    kept->text = "ai.onnx 20";
    ir::Graph &graph = model.functions[1].graph;
    graph.addOutput(
        graph.append(ir::Graph::body, {model.context->op("onnx", "Gelu"), {}, {}, {}, {{{}, ir::None{}}}, {}, {}}),
        model.context->name("g"), {});
    again(model);
    kept->text = "ai.onnx 19";
    EXPECT_FALSE(formats::write(model, m_folder / "c.onnx"));
}

/// metadata_props of the graph stay there, and do not become those of the model.
TEST_F(OnnxWriter, keepsTheMetadataOfTheGraphApart)
{
    Proto main = graph({node("Op", {"x"}, {"y"})}, {scalar("x")}, {scalar("y")});
    main.message(16, entry("of", "the graph"));
    Proto file = onnxtest::model(main);
    file.message(14, entry("of", "the model"));
    const ir::Model before = openedFile(made("a.onnx", file));
    EXPECT_EQ(before.metadata, (std::vector<std::pair<std::string, std::string>>{{"of", "the model"}}));
    again(before);
    EXPECT_EQ(m_again.metadata, before.metadata);
    EXPECT_EQ(m_again.attachments, before.attachments);
    ASSERT_EQ(before.attachments.size(), 1u);
    EXPECT_EQ(before.attachments.front().name, "main graph: of");
}

TEST_F(OnnxWriter, refusesWeightsThatAreNotThere)
{
    const ir::Model before = openedFile(made("a.onnx", externalModel()));
    const auto written = formats::write(before, m_folder / "b.onnx");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().message, "the elements of a tensor are not to be had: external file missing");
    EXPECT_EQ(written.error().where, "tensor w");
    EXPECT_EQ(m_folder.fileCount(), 1);
}

TEST_F(OnnxWriter, replacesTheVeryFileThatIsOpen)
{
    const auto path = made("a.onnx", model(graph({node("Op", {"w"}, {"y"})}, {}, {}, {floats("w", {40000})})));
    const ir::Model before = openedFile(path);
    const std::string text = contentText(before);
    writeTo(before, path);
    EXPECT_EQ(contentText(openedFile(path)), text);
    EXPECT_EQ(contentText(before), text);
    EXPECT_EQ(m_folder.fileCount(), 1);
}

TEST_F(OnnxWriter, leavesOutRemovedNodes)
{
    ir::Model model = openedFile(made("a.onnx", ifModel()));
    ir::Graph &graph = model.functions.front().graph;
    const ir::NodeId branch = graph.at(ir::Graph::body).nodes.front();
    graph.replaceUses(graph.at(branch).outputs.front(), graph.at(ir::Graph::body).inputs.back());
    graph.remove(branch);
    EXPECT_EQ(again(model), "%z, %, %w = onnx::Op(%x, None, %x)\n");
}

TEST_F(OnnxWriter, writesNewNodesWithConstantsAndTensorsOfTheirOwn)
{
    ir::Model model =
        openedFile(made("a.onnx", onnxtest::model(graph({node("Relu", {"x"}, {"y"})}, {scalar("x")}, {scalar("y")}))));
    ir::Context &context = *model.context;
    ir::Graph &graph = model.functions.front().graph;
    const ir::NodeId relu = graph.at(ir::Graph::body).nodes.front();
    const ir::ValueId y = graph.at(relu).outputs.front();
    const auto bytes = std::make_shared<std::vector<std::byte>>(8, std::byte{1});
    model.storages.push_back({ir::InlineBytes{bytes}, 8});
    ir::Tensor tensor;
    tensor.name = context.name("y");
    tensor.shape = {2};
    tensor.storage = {static_cast<std::uint32_t>(model.storages.size() - 1)};
    model.tensors.push_back(tensor);
    const ir::ValueId weight =
        graph.addWeight(ir::Graph::body, context.name("y"), {}, {static_cast<std::uint32_t>(model.tensors.size() - 1)});
    const ir::NodeId sum = graph.append(ir::Graph::body,
                                        {context.op("onnx", "Sum"),
                                         {},
                                         {},
                                         {},
                                         {{{}, y}, {{}, weight}, {{}, 2.5}, {{}, ir::List{{std::int64_t{3}}}}},
                                         {},
                                         {}});
    const ir::ValueId unnamed = graph.addOutput(sum, {}, {});
    graph.setOutputs(ir::Graph::body, {unnamed});
    model.functions.front().outputs.front().value = unnamed;
    EXPECT_EQ(again(model),
              "%y_2 = onnx::Relu(%x)\n"
              "%y = onnx::Sum(%y_2, %y_1, %constant, %constant_1)\n");
    EXPECT_EQ(m_again.tensors.size(), 3u);
}

TEST_F(OnnxWriter, givesAResultItsNameBack)
{
    ir::Model model =
        openedFile(made("a.onnx",
                        onnxtest::model(graph({node("Relu", {"x"}, {"r"}), node("Identity", {"r"}, {"y"})},
                                              {scalar("x")}, {scalar("y")}))));
    ir::Graph &graph = model.functions.front().graph;
    const std::vector<ir::NodeId> nodes = graph.at(ir::Graph::body).nodes;
    graph.replaceUses(graph.at(nodes[1]).outputs.front(), graph.at(ir::Graph::body).inputs.front());
    model.functions.front().outputs.front().value = graph.at(ir::Graph::body).inputs.front();
    graph.remove(nodes[1]);
    EXPECT_EQ(again(model), "%r = onnx::Relu(%x)\n%y = onnx::Identity(%x)\n");
}

TEST_F(OnnxWriter, givesCopiesOfANodeNamesOfTheirOwn)
{
    ir::Model model = openedFile(made("a.onnx", withAttribute(attribute("i", 2).number(3, 1))));
    ir::Graph &graph = model.functions.front().graph;
    const ir::NodeId node = graph.at(ir::Graph::body).nodes.front();
    for (int i = 0; i < 2; ++i)
        graph.insertBefore(node, {graph.at(node).op, graph.at(node).name, {}, {}, {}, {node}, {}});
    again(model);
    std::vector<std::string_view> names;
    const ir::Graph &read = m_again.functions.front().graph;
    for (const ir::NodeId each : read.at(ir::Graph::body).nodes)
        names.push_back(m_again.context->text(read.at(each).name));
    EXPECT_EQ(names, (std::vector<std::string_view>{"op_1", "op_2", "op"}));
}

TEST_F(OnnxWriter, namesTheNodeThatOnnxCannotSay)
{
    ir::Model model = openedFile(made("a.onnx", withAttribute(attribute("i", 2).number(3, 1))));
    ir::Graph &graph = model.functions.front().graph;
    const ir::NodeId node = graph.at(ir::Graph::body).nodes.front();
    std::vector<ir::Argument> arguments = graph.at(node).arguments;
    arguments.back().value = ir::MemoryFormat::Contiguous;
    graph.setArguments(node, arguments);
    const auto written = formats::write(model, m_folder / "b.onnx");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().text(), "ONNX has no attribute of the kind of i (onnx::Op node op)");
    EXPECT_EQ(m_folder.fileCount(), 1);
}

} // namespace
