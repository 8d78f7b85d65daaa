// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/shapes.h"
#include "core/base/formatted.h"
#include "core/formats/archive/probe.h"
#include "core/formats/onnx/reader.h"
#include "core/ir/context.h"
#include "tests/core/analysis/analysed_again.h"
#include "tests/core/analysis/onnx_data/recorded_value.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <iostream>
#include <map>
#include <set>

/// ONNX's own test data: models of one operator or few, with inputs and the outputs they give. What is inferred of each
/// output is held against what was recorded: dtype, shape, and the elements where they are inferred too.
namespace cutaway::test {

namespace {

namespace fs = std::filesystem;
using ops::Fact;

enum class Verdict : std::uint8_t { Right, Unknown, Wrong };

Verdict compareDims(const ir::Shape &found, const ir::Shape &expected)
{
    if (found.size() != expected.size())
        return Verdict::Wrong;
    Verdict verdict = Verdict::Right;
    for (std::size_t i = 0; i < found.size(); ++i)
        if (!std::holds_alternative<std::int64_t>(found[i]))
            verdict = std::max(verdict, Verdict::Unknown);
        else if (found[i] != expected[i])
            verdict = Verdict::Wrong;
    return verdict;
}

/// Elements that are not inferred are no fault.
Verdict compareElements(const ops::TensorFact &found, const ops::TensorFact &expected)
{
    if (!found.elements || !expected.elements)
        return Verdict::Right;
    const auto differs = [](const ir::Dim &a, const ir::Dim &b) {
        return std::holds_alternative<std::int64_t>(a) && std::holds_alternative<std::int64_t>(b) && a != b;
    };
    const bool agree = std::ranges::equal(*found.elements, *expected.elements, std::not_fn(differs));
    return agree ? Verdict::Right : Verdict::Wrong;
}

Verdict compare(const Fact &found, const Fact &expected);

Verdict compareTensors(const Fact &found, const ops::TensorFact &expected)
{
    const auto *tensor = found.as<ops::TensorFact>();
    if (!tensor)
        return Verdict::Wrong;
    const Verdict dtype = !tensor->dtype  ? Verdict::Unknown
        : tensor->dtype == expected.dtype ? Verdict::Right
                                          : Verdict::Wrong;
    const Verdict shape = tensor->shape ? compareDims(*tensor->shape, *expected.shape) : Verdict::Unknown;
    return std::max({dtype, shape, compareElements(*tensor, expected)});
}

Verdict compareSequences(const Fact &found, const ops::SequenceFact &expected)
{
    const auto *list = found.as<ops::SequenceFact>();
    if (!list)
        return Verdict::Wrong;
    Verdict verdict = compareDims({list->length()}, {static_cast<std::int64_t>(expected.each().size())});
    for (std::size_t i = 0; i < expected.each().size() && verdict != Verdict::Wrong; ++i)
        verdict = std::max(verdict, compare(list->each()[list->items() ? i : 0], expected.each()[i]));
    return verdict;
}

Verdict compare(const Fact &found, const Fact &expected)
{
    if (found.as<ops::AnyFact>() || found.as<ops::MaybeFact>())
        return Verdict::Unknown;
    if (const auto *tensor = expected.as<ops::TensorFact>())
        return compareTensors(found, *tensor);
    if (const auto *sequence = expected.as<ops::SequenceFact>())
        return compareSequences(found, *sequence);
    return found == expected ? Verdict::Right : Verdict::Wrong;
}

std::string text(const Fact &fact)
{
    const auto *list = fact.as<ops::SequenceFact>();
    if (!list)
        return ops::print(fact);
    std::string items;
    for (const Fact &item : list->each())
        items += (items.empty() ? "" : ", ") + text(item);
    return ops::print(fact) + " (" + items + ")";
}

/// How much of the inputs is given; types alone do not determine shapes that depend on elements.
enum class Inputs : std::uint8_t { TypesOnly, WithElements };

struct Row {
    std::string folder; ///< the folder of the test data
    Inputs inputs = Inputs::TypesOnly;
};

/// The results for a folder's models by output.
struct Score {
    std::size_t models = 0, right = 0;
    std::map<std::string, std::vector<std::string>> unknown; ///< operator that knew no further → models
    std::vector<std::string> wrong;                          ///< "test_x: float32[2], recorded float32[3]"
};

struct Case {
    std::string name;
    fs::path model;
    std::vector<fs::path> inputs, outputs;
};

fs::path numbered(const fs::path &folder, const char *kind, std::size_t number)
{
    return folder / (kind + std::to_string(number) + ".pb");
}

std::vector<fs::path> recordings(const fs::path &folder, const char *kind)
{
    std::vector<fs::path> files;
    while (fs::exists(numbered(folder, kind, files.size())))
        files.push_back(numbered(folder, kind, files.size()));
    return files;
}

/// A folder per model; or models side by side, as in `light`, with an output and no input.
std::vector<Case> casesIn(const fs::path &folder)
{
    std::vector<Case> cases;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder)) {
        const fs::path &path = entry.path();
        if (const fs::path data = path / "test_data_set_0"; fs::exists(data))
            cases.push_back(
                {path.filename(), path / "model.onnx", recordings(data, "input_"), recordings(data, "output_")});
        else if (path.extension() == ".onnx")
            cases.push_back({path.stem(), path, {}, {path.parent_path() / (path.stem().string() + "_output_0.pb")}});
    }
    std::ranges::sort(cases, {}, &Case::name);
    return cases;
}

ir::TypeId typeOf(const ir::Function &function, const ir::Operand &operand)
{
    return function.graph.at(*operand.as<ir::ValueId>()).type;
}

analysis::Given given(const ir::Model &model, const Case &of, Inputs inputs)
{
    analysis::Given given;
    std::size_t next = 0;
    const ir::Function &function = model.functions.front();
    for (const ir::FunctionInput &input : function.inputs) {
        if (input.tensor || next == of.inputs.size())
            continue;
        const auto value = recordedValue(of.inputs[next++], *model.context, typeOf(function, input.value));
        if (value)
            given.inputs.emplace(model.context->text(input.name),
                                 inputs == Inputs::WithElements ? *value : withoutElements(*value));
        else
            ADD_FAILURE() << value.error().text();
    }
    return given;
}

bool isKnown(const Fact &fact) { return compare(fact, withoutElements(fact)) == Verdict::Right; }

/// The operator that the inference stopped at first.
std::string blamed(const ir::Model &model, const analysis::Shapes &shapes)
{
    const ir::Graph &graph = model.functions.front().graph;
    for (const ir::NodeId id : graph.at(ir::Graph::body).nodes)
        for (const ir::ValueId output : graph.at(id).outputs)
            if (!isKnown(shapes.of(output)))
                return model.context->print(graph.at(id).op);
    return "no operator";
}

void judge(const Case &of, Inputs inputs, Score &score)
{
    auto file = MappedFile::open(of.model);
    const auto model =
        formats::onnx::read(formats::archive::Probe(std::make_shared<const MappedFile>(std::move(file.value()))), {});
    ASSERT_TRUE(model) << of.name << ": " << model.error().text();
    const ir::Function &function = model->functions.front();
    const analysis::Shapes shapes = analysis::inferShapes(*model, ir::FunctionId{0}, given(*model, of, inputs));
    if (inputs == Inputs::WithElements) {
        EXPECT_EQ(test::differenceAgain(*model), "") << of.name;
    }
    for (std::size_t i = 0; i < of.outputs.size(); ++i) {
        const ir::Operand &output = function.outputs.at(i).value;
        const auto expected = recordedValue(of.outputs[i], *model->context, typeOf(function, output));
        ASSERT_TRUE(expected) << expected.error().text();
        const Fact &found = shapes.of(*output.as<ir::ValueId>());
        const Verdict verdict = compare(found, *expected);
        if (verdict == Verdict::Right)
            ++score.right;
        else if (verdict == Verdict::Unknown)
            score.unknown[blamed(*model, shapes)].push_back(of.name);
        else
            score.wrong.push_back(of.name + ": " + text(found) + ", recorded " + text(*expected));
    }
    ++score.models;
}

/// Where the test data lies; nothing if it is not installed. A place that is named has to be there.
std::optional<fs::path> testData()
{
    if (const char *named = std::getenv("CUTAWAY_ONNX_TEST_DATA"))
        return named;
    const fs::path ofDebian = "/usr/share/libonnx-testdata/data";
    return fs::exists(ofDebian) ? std::optional(ofDebian) : std::nullopt;
}

// Outputs that stay unknown with any inputs: the bytes of pictures are too many to be tracked.
const std::set<std::string> decidedByData{"onnx::ImageDecoder"};

// Where the elements of an input are sizes, axes, counts or conditions, its type alone does not say the shape.
const std::set<std::string> decidedByElements{
    // a shape or size
    "onnx::AffineGrid", "onnx::BlackmanWindow", "onnx::CenterCropPad", "onnx::Col2Im", "onnx::ConstantOfShape",
    "onnx::Expand", "onnx::HammingWindow", "onnx::HannWindow", "onnx::MaxUnpool", "onnx::MelWeightMatrix",
    "onnx::OneHot", "onnx::Reshape", "onnx::STFT", "onnx::TopK",
    // limits, steps, factors or parts of sizes
    "onnx::Pad", "onnx::Range", "onnx::Resize", "onnx::Slice", "onnx::Split", "onnx::SplitToSequence", "onnx::Tile",
    "onnx::Upsample",
    // axes
    "onnx::DFT", "onnx::ReduceL1", "onnx::ReduceL2", "onnx::ReduceLogSum", "onnx::ReduceLogSumExp", "onnx::ReduceMax",
    "onnx::ReduceMean", "onnx::ReduceMin", "onnx::ReduceProd", "onnx::ReduceSum", "onnx::ReduceSumSquare",
    "onnx::Squeeze", "onnx::Unsqueeze",
    // conditions, and the place in a sequence whose items differ
    "onnx::Compress", "onnx::If", "onnx::Loop", "onnx::NonZero", "onnx::SequenceInsert",
    // how many differ, are kept or are parts of a text
    "onnx::NonMaxSuppression", "onnx::StringNormalizer", "onnx::StringSplit", "onnx::Unique"};

class OnnxTestData : public testing::TestWithParam<Row> { };

TEST_P(OnnxTestData, agreesWithWhatIsInferred)
{
    const auto data = testData();
    if (!data)
        GTEST_SKIP() << "ONNX's test data is not installed (Debian's libonnx-testdata)";
    Score score;
    for (const Case &model : casesIn(*data / GetParam().folder))
        judge(model, GetParam().inputs, score);
    EXPECT_GT(score.models, 0u) << *data;
    for (const std::string &wrong : score.wrong)
        ADD_FAILURE() << wrong;
    std::size_t unknown = 0;
    for (const auto &[op, models] : score.unknown) {
        unknown += models.size();
        const bool isAllowed =
            decidedByData.contains(op) || (GetParam().inputs == Inputs::TypesOnly && decidedByElements.contains(op));
        EXPECT_TRUE(isAllowed) << op << " is not known in " << testing::PrintToString(models);
    }
    std::cout << formatted("{} models: {} outputs right, {} wrong, {} unknown\n", score.models, score.right,
                           score.wrong.size(), unknown);
}

INSTANTIATE_TEST_SUITE_P(Folders, OnnxTestData,
                         testing::Values(Row{"node", Inputs::TypesOnly}, Row{"node", Inputs::WithElements},
                                         Row{"simple", Inputs::TypesOnly}, Row{"simple", Inputs::WithElements},
                                         Row{"pytorch-converted", Inputs::TypesOnly},
                                         Row{"pytorch-operator", Inputs::TypesOnly}, Row{"light", Inputs::TypesOnly}),
                         [](const testing::TestParamInfo<Row> &row) {
                             std::string name =
                                 row.param.folder + (row.param.inputs == Inputs::TypesOnly ? "_types" : "_elements");
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

} // namespace

} // namespace cutaway::test
