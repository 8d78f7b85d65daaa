// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/archive/probe.h"
#include "core/formats/onnx/reader.h"
#include "core/ir/context.h"
#include "tests/core/formats/onnx/onnx_writer.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <ostream>

namespace {

using namespace cutaway;
using namespace onnxtest;

Proto smallGraph()
{
    const Proto x = value("x", tensorType(1, {"s0"}));
    return graph({node("Relu", {"x"}, {"y"})}, {x}, {value("y", tensorType(1, {"s0"}))});
}

TEST(Reader, TakesOverWhatTheFileSaysOfItself)
{
    const Proto file = Proto()
                           .number(1, 9)
                           .text(2, "pytorch")
                           .text(3, "2.6.0")
                           .text(4, "org.example")
                           .number(5, 42)
                           .text(6, "about")
                           .message(7, smallGraph())
                           .message(8, Proto().number(2, 17))
                           .message(8, Proto().text(1, "com.microsoft").number(2, 1))
                           .message(14, entry("author", "me"));
    const ir::Model m = opened(file);
    EXPECT_EQ(m.format, "onnx");
    EXPECT_EQ(m.formatVersion, "ir 9");
    EXPECT_EQ(m.producer, "pytorch");
    EXPECT_EQ(m.producerVersion, "2.6.0");
    EXPECT_EQ(m.documentation, "about");
    EXPECT_EQ(m.name, "g");
    EXPECT_EQ(m.opsets, (std::vector<std::pair<std::string, std::int64_t>>{{"ai.onnx", 17}, {"com.microsoft", 1}}));
    EXPECT_EQ(m.metadata, (std::vector<std::pair<std::string, std::string>>{{"author", "me"}}));
    ASSERT_EQ(m.attachments.size(), 2u);
    EXPECT_EQ(m.attachments[1], (ir::Attachment{"model: model_version", "42", {}}));
    EXPECT_EQ(diagnostics(m), "");
}

TEST(Reader, GivesSymbolsTheExportersRanges)
{
    const Proto ranges =
        entry("pkg.torch.export.ExportedProgram.range_constraints", "{s1: VR[1, 2], s0: VR[2, int_oo]}");
    const ir::Model m = opened(model(Proto(smallGraph()).message(16, ranges)));
    ASSERT_EQ(m.symbols.size(), 1u);
    EXPECT_EQ(m.symbols[0], (ir::Symbol{"s0", 2, {}, {}}));
}

TEST(Reader, KeepsWhatTheIrHasNoPlaceFor)
{
    const Proto annotation =
        Proto().text(1, "y").message(2, entry("SCALE_TENSOR", "s")).message(2, entry("ZERO_POINT_TENSOR", "z"));
    const Proto devices = Proto().text(1, "tp2").number(2, 2).text(3, "cuda:0").text(3, "cuda:1");
    const Proto inner = Proto().text(2, "branch").text(10, "about the branch");
    const Proto op = node("Op", {}, {"z"}).message(5, graphAttribute("body", inner));
    const Proto described = Proto().text(1, "v").text(3, "about v");
    const ir::Model m = opened(
        model(Proto(smallGraph()).message(1, op).message(14, annotation).message(13, described)).message(26, devices));
    std::string kept;
    for (const ir::Attachment &attachment : m.attachments)
        kept += attachment.name + " = " + attachment.text.value_or("") + "\n";
    EXPECT_EQ(kept,
              "model: device_configuration = tp2: 2 devices, cuda:0 cuda:1\n"
              "graph branch: doc_string = about the branch\n"
              "value v: doc_string = about v\n"
              "value y: quantization = SCALE_TENSOR=s, ZERO_POINT_TENSOR=z\n");
}

TEST(Reader, TellsHowANodeIsSplitOverDevices)
{
    const Proto sharding = Proto()
                               .text(1, "x")
                               .text(2, std::string_view("\0\1", 2))
                               .message(4, Proto().number(1, 1).message(2, Proto().number(1, 8).number(3, 2)));
    const Proto op = node("Op", {"x"}, {"z"}).message(10, Proto().text(1, "tp2").message(2, sharding).number(3, 1));
    const ir::Model m = opened(model(Proto(smallGraph()).message(1, op)));
    const ir::Node &last = m.functions.front().graph.at(ir::NodeId{1});
    ASSERT_EQ(last.metadata.size(), 1u);
    EXPECT_EQ(m.context->text(last.metadata[0].second), "tp2; x on 0 1: axis 1 of 8 by 2, stage 1");
}

struct NoteRow {
    const char *name;
    Proto file;
    const char *code;
};

void PrintTo(const NoteRow &row, std::ostream *out) { *out << row.name; }

class Oddity : public testing::TestWithParam<NoteRow> { };

TEST_P(Oddity, IsReadWithANote)
{
    const ir::Model m = opened(GetParam().file);
    EXPECT_NE(diagnostics(m).find(GetParam().code), std::string::npos) << diagnostics(m);
}

INSTANTIATE_TEST_SUITE_P(
    Files, Oddity,
    testing::Values(
        NoteRow{"NewerVersion", model(smallGraph(), 999), "onnx.ir-version"},
        NoteRow{"NewerOpset", model(smallGraph()).message(8, Proto().text(1, "x").number(2, ~0ull)), "onnx.opset"},
        NoteRow{"EmptyGraph", model(Proto()), "onnx.empty-graph"},
        NoteRow{"TrainingInfo", model(smallGraph()).message(20, Proto().message(2, Proto())), "onnx.training-info"},
        NoteRow{"TwoInitializers",
                model(graph({node("Op", {"w"}, {"y"})}, {}, {}, {floats("w", {1}), floats("w", {2})})),
                "onnx.duplicate-initializer"},
        NoteRow{"AResultNamedAsAnInput", model(graph({node("Op", {}, {"x"})}, {value("x", tensorType(1, {"s0"}))}, {})),
                "onnx.duplicate-name"},
        NoteRow{"AResultNamedAsAnInitializer", model(graph({node("Op", {}, {"w"})}, {}, {}, {floats("w", {1})})),
                "onnx.duplicate-name"},
        NoteRow{"AnInitializerOfAnotherShape",
                model(graph({node("Op", {"w"}, {"y"})}, {value("w", tensorType(1, {3}))}, {}, {floats("w", {2})})),
                "onnx.initializer-type"},
        NoteRow{"AnInitializerOfAnotherDType",
                model(graph({node("Op", {"w"}, {"y"})}, {value("w", tensorType(7, {2}))}, {}, {floats("w", {2})}), 3),
                "onnx.initializer-type"}),
    [](const auto &row) { return row.param.name; });

TEST(Reader, TakesAnInitializerWithAnInputOfOpenSize)
{
    const Proto open = graph({node("Op", {"w"}, {"y"})}, {value("w", tensorType(1, {"n"}))}, {}, {floats("w", {2})});
    EXPECT_EQ(diagnostics(opened(model(open))).find("onnx.initializer-type"), std::string::npos);
}

/// Before IR 4 the initializers of a body are among its inputs, too, which nothing gives.
TEST(Reader, LeavesInitializersOfABodyOutOfItsInputs)
{
    const Proto body = graph({node("Add", {"s", "w"}, {"t"})},
                             {value("i", tensorType(7, {})), value("go", tensorType(9, {})),
                              value("s", tensorType(1, {2})), value("w", tensorType(1, {2}))},
                             {value("go", tensorType(9, {})), value("t", tensorType(1, {2}))}, {floats("w", {2})});
    Proto loop = node("Loop", {"", "", "x"}, {"y"});
    loop.message(5, graphAttribute("body", body));
    const ir::Model m = opened(model(graph({loop}, {value("x", tensorType(1, {2}))}, {}), 3));
    const ir::NodeRef node(m.functions.front().graph, ir::NodeId{0});
    EXPECT_EQ(node.region(0).inputs.size(), 3u);
}

TEST(Reader, PassesOverFieldsItDoesNotKnow)
{
    const ir::Model m = opened(model(Proto(smallGraph()).number(99, 1).text(98, "x").fixed32(97, 1)).number(200, 5));
    EXPECT_EQ(print(m, m.functions.front().graph), "%y = onnx::Relu(%x)\n");
}

struct ErrorRow {
    const char *name;
    std::string bytes;
    const char *message;
};

void PrintTo(const ErrorRow &row, std::ostream *out) { *out << row.name; }

class Unreadable : public testing::TestWithParam<ErrorRow> { };

TEST_P(Unreadable, FileIsRefusedWithAReason)
{
    const auto result = read(Proto{GetParam().bytes});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ErrorKind::Unreadable);
    EXPECT_NE(result.error().text().find(GetParam().message), std::string::npos) << result.error().text();
}

INSTANTIATE_TEST_SUITE_P(
    Files, Unreadable,
    testing::Values(ErrorRow{"Empty", "", "no graph"}, ErrorRow{"NoGraph", Proto().number(1, 8).bytes, "no graph"},
                    ErrorRow{"CutOff", model(smallGraph()).bytes.substr(0, 30), "are left"},
                    ErrorRow{"NoOpset", Proto().number(1, 8).message(7, smallGraph()).bytes, "operator set"},
                    ErrorRow{"Garbage", model(smallGraph()).bytes + "\xff\xff", "damaged"}),
    [](const auto &row) { return row.param.name; });

TEST(Reader, NeverCrashesOnAFileCutAnywhere)
{
    const std::string whole = model(smallGraph()).bytes;
    for (std::size_t length = 0; length < whole.size(); ++length)
        EXPECT_FALSE(read(Proto{whole.substr(0, length)})) << length;
}

TEST(Reader, StopsWhenAsked)
{
    std::stop_source source;
    source.request_stop();
    const std::string bytes = model(smallGraph()).bytes;
    const auto result =
        formats::onnx::readBytes(std::as_bytes(std::span(bytes)), {"m.onnx", nullptr}, {source.get_token(), {}});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ErrorKind::Cancelled);
}

struct SniffRow {
    const char *name;
    const char *file;
    std::string bytes;
    bool expected;
};

void PrintTo(const SniffRow &row, std::ostream *out) { *out << row.name; }

class Sniff : public testing::TestWithParam<SniffRow> { };

TEST_P(Sniff, KnowsOnnxFiles)
{
    const auto path = std::filesystem::path(testing::TempDir()) / GetParam().file;
    std::ofstream(path, std::ios::binary) << GetParam().bytes;
    auto file = MappedFile::open(path);
    ASSERT_TRUE(file);
    const formats::archive::Probe probe(std::make_shared<const MappedFile>(std::move(*file)));
    EXPECT_EQ(formats::onnx::sniff(probe), GetParam().expected);
    std::filesystem::remove(path);
}

INSTANTIATE_TEST_SUITE_P(Files, Sniff,
                         testing::Values(SniffRow{"ByContent", "sniff-a.bin", model(smallGraph()).bytes, true},
                                         SniffRow{"ByNameIfItStartsWell", "sniff-b.onnx", Proto().number(1, 8).bytes,
                                                  true},
                                         SniffRow{"NotWithoutAGraph", "sniff-c.bin", Proto().number(1, 8).bytes, false},
                                         SniffRow{"NotAZip", "sniff-d.onnx", "PK\3\4abcdefgh", false},
                                         SniffRow{"NotText", "sniff-e.onnx", "ir_version: 8", false},
                                         SniffRow{"NotNothing", "sniff-f.onnx", "", false}),
                         [](const auto &row) { return row.param.name; });

} // namespace
