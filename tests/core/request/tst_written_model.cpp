// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Models of other sizes than their files', as they are written.

#include "core/request/given.h"
#include "core/request/written_model.h"
#include "tests/core/ir/parsed.h"

#include <gtest/gtest.h>

using namespace cutaway;

namespace {

struct WrittenRow {
    const char *name;
    std::vector<std::string> inputs;
    const char *graph;
    const char *path;
    const char *result; ///< the types of values with a recorded type, or what is wrong
};

void PrintTo(const WrittenRow &row, std::ostream *out) { *out << row.name; }

class WrittenModel : public testing::TestWithParam<WrittenRow> { };

TEST_P(WrittenModel, hasTheGivenSizesOrIsRefused)
{
    const ir::Model file = test::parsed("model \"m\" symbol s0 [2, 64] " + std::string(GetParam().graph));
    ir::Model model = file;
    const auto given = request::readGiven(model, {}, {}, GetParam().inputs);
    ASSERT_TRUE(given) << given.error().text();
    const auto written = request::modelToWrite({file, model, model}, {}, *given, GetParam().path);
    std::string text = written ? "" : written.error().message;
    for (std::uint32_t i = 0; written && i < written->functions[0].graph.valueCount(); ++i) {
        const ir::ValueRef value(written->functions[0].graph, ir::ValueId{i});
        if (value.tensorType())
            text += (text.empty() ? "" : ", ") + std::string(value.name()) + " " + written->context->print(value->type);
    }
    EXPECT_EQ(text, GetParam().result);
}

constexpr const char *plain = "graph @forward(%x: float32[1, 4]) { %y: float32[1, 4] = aten::relu(self=%x) return %y }";
constexpr const char *mixed =
    "graph @forward(%x: float32[s0, 4]) { %y: float32[s0, 4] = aten::relu(self=%x) return %y }";

INSTANTIATE_TEST_SUITE_P(
    Rows, WrittenModel,
    testing::Values(
        WrittenRow{"number", {"x=8x4:float32"}, plain, "a.onnx", "x float32[8, 4], y float32[8, 4]"},
        WrittenRow{"symbol", {"x=nx4:float32"}, plain, "a.onnx", "x float32[n, 4], y float32[n, 4]"},
        WrittenRow{"nothing", {}, plain, "a.pt2", "x float32[1, 4], y float32[1, 4]"},
        WrittenRow{"theSame", {"x=1x4:float32"}, plain, "a.pt2", "x float32[1, 4], y float32[1, 4]"},
        WrittenRow{"elements", {"x=[[1, 2, 3, 4]]"}, plain, "a.onnx", "x float32[1, 4], y float32[1, 4]"},
        WrittenRow{"aSymbolOfTheFileStays", {"x=8x4:float32"}, mixed, "a.onnx", "x float32[s0, 4], y float32[s0, 4]"},
        WrittenRow{"besideASymbolOfTheFile", {"x=8x5:float32"}, mixed, "a.onnx", "x float32[s0, 5], y float32[s0, 5]"},
        WrittenRow{"whatIsNotKnownIsForgotten",
                   {"x=8x4:float32"},
                   "graph @forward(%x: float32[1, 4]) { %y: float32[1, 4] = custom::op(self=%x) return %y }",
                   "a.onnx",
                   "x float32[8, 4], y float32[*]"},
        WrittenRow{"whatDataDecidesIsUnknown",
                   {"x=8x4:float32"},
                   "graph @forward(%x: float32[1, 4]) { %y: int64[?, 2] = aten::nonzero(self=%x) return %y }",
                   "a.onnx",
                   "x float32[8, 4], y int64[?, 2]"},
        WrittenRow{"held",
                   {"x=8x4:float32"},
                   "graph @forward(%x: float32[1, 4]) { %y = aten::view(self=%x, size=[1, -1]) return %y }",
                   "a.onnx",
                   "it is not written with the given sizes: y: its target [1, -1] is a constant: dimension 0 stays 1, "
                   "where the "
                   "given sizes make 8"},
        WrittenRow{"dtype",
                   {"x=1x4:float16"},
                   plain,
                   "a.onnx",
                   "it is not written with the given sizes: input 'x' is float32 in the file and given as float16"},
        WrittenRow{
            "export",
            {"x=8x4:float32"},
            plain,
            "a.pt2",
            "it is not written with the given sizes: a .pt2 records the sizes that it was exported with also in its "
            "example inputs and guards; export it again, or write .json"}),
    [](const auto &row) { return row.param.name; });

} // namespace
