// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/evaluate/evaluate.h"
#include "core/formats/archive/probe.h"
#include "core/formats/onnx/reader.h"
#include "core/ir/context.h"
#include "tests/core/evaluate/onnx_data/recorded.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>
#include <map>

/// ONNX's own test data: models of one operator or few, with inputs and the outputs they give. The evaluator computes
/// what is recorded, or refuses and names the operator; it gives nothing else.
namespace cutaway::test {

namespace {

namespace fs = std::filesystem;
using compute::Array;
using compute::Value;
using compute::Values;

struct Case {
    std::string name;
    fs::path model;
    std::vector<fs::path> inputs, outputs;
};

std::vector<fs::path> recordings(const fs::path &folder, const std::string &kind)
{
    std::vector<fs::path> files;
    for (;;) {
        fs::path file = folder / (kind + std::to_string(files.size()) + ".pb");
        if (!fs::exists(file))
            return files;
        files.push_back(std::move(file));
    }
}

std::vector<Case> casesIn(const fs::path &folder)
{
    std::vector<Case> cases;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder))
        if (const fs::path data = entry.path() / "test_data_set_0"; fs::exists(data))
            cases.push_back({entry.path().filename(), entry.path() / "model.onnx", recordings(data, "input_"),
                             recordings(data, "output_")});
    std::ranges::sort(cases, {}, &Case::name);
    return cases;
}

ir::TypeId typeOf(const ir::Function &function, const ir::Operand &operand)
{
    return function.graph.at(*operand.as<ir::ValueId>()).type;
}

/// The largest error by one more rounding, relative to the element: ONNX's own runner allows as much for float32.
double toleranceOf(ir::DType dtype)
{
    switch (dtype) {
    case ir::DType::BFloat16:
        return 0x1p-7;
    case ir::DType::Float16:
        return 0x1p-9;
    default:
        return ir::isFloat(dtype) && ir::bitWidth(dtype).value_or(0) <= 8 ? 0 : 1e-3;
    }
}

bool isNear(double a, double b, double tolerance)
{
    if (std::isnan(a) || std::isnan(b))
        return std::isnan(a) == std::isnan(b);
    return a == b || std::abs(a - b) <= tolerance * std::abs(b) + (tolerance > 0 ? 1e-6 : 0);
}

/// "" if both are the same, or what is not.
std::string differenceOf(const Array &found, const Array &expected)
{
    const auto sizes = [](const Array &array) {
        return std::string(ir::name(array.dtype)) + ir::print(ir::Shape(array.shape.begin(), array.shape.end()));
    };
    if (found.dtype != expected.dtype || found.shape != expected.shape)
        return sizes(found) + ", recorded " + sizes(expected);
    if (found.isWhole() && found != expected)
        return "other whole numbers";
    const std::vector<double> a = floatsOf(found), b = floatsOf(expected);
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!isNear(a[i], b[i], toleranceOf(expected.dtype)))
            return formatted("element {} is {}, recorded {}", i, a[i], b[i]);
    return "";
}

std::string differenceOf(const Value &found, const Value &expected)
{
    const auto *array = found.as<Array>();
    if (const auto *recorded = expected.as<Array>())
        return array ? differenceOf(*array, *recorded) : "no tensor";
    const auto *list = found.as<Values>();
    if (const auto *recorded = expected.as<Values>()) {
        const auto *empty = found.as<ops::Fact>() ? found.as<ops::Fact>()->as<ops::SequenceFact>() : nullptr;
        if (recorded->empty() && empty && empty->each().empty())
            return "";
        if (!list || list->size() != recorded->size())
            return "a list of another length";
        for (std::size_t i = 0; i < list->size(); ++i)
            if (std::string difference = differenceOf((*list)[i], (*recorded)[i]); !difference.empty())
                return difference;
        return "";
    }
    const auto *fact = found.as<ops::Fact>();
    const auto *text = fact ? fact->as<ops::TensorFact>() : nullptr;
    const auto *recorded = expected.as<ops::Fact>()->as<ops::TensorFact>();
    if (!recorded)
        return fact && fact->as<ops::NoneFact>() ? "" : "not None";
    return text && text->texts && *text->texts == *recorded->texts && text->shape == recorded->shape ? ""
                                                                                                     : "other texts";
}

struct Score {
    std::size_t models = 0, computed = 0;
    std::map<std::string, std::vector<std::string>> refused; ///< why → models
    std::vector<std::string> wrong;
};

/// The values of the body's inputs: those that are recorded, then what the file has.
Result<Values> inputsOf(const ir::Model &model, const Case &of)
{
    Values values;
    evaluate::Evaluator weights(model);
    const ir::Function &function = model.functions.front();
    for (const ir::ValueId id : function.graph.at(ir::Graph::body).inputs) {
        const auto bound = std::ranges::find(function.inputs, ir::Operand(id), &ir::FunctionInput::value);
        const bool isRecorded = values.size() < of.inputs.size();
        if (!isRecorded && (bound == function.inputs.end() || !bound->tensor))
            break;
        auto value = isRecorded ? recordedNumbers(of.inputs[values.size()], *model.context, function.graph.at(id).type)
                                : weights.valueOf(ir::Operand{*bound->tensor}, [](ir::ValueId) { return nullptr; });
        if (!value)
            return std::unexpected(value.error());
        values.push_back(std::move(*value));
    }
    return values;
}

void judge(const Case &of, Score &score)
{
    auto file = MappedFile::open(of.model);
    const auto model =
        formats::onnx::read(formats::archive::Probe(std::make_shared<const MappedFile>(std::move(file.value()))), {});
    ASSERT_TRUE(model) << of.name << ": " << model.error().text();
    ++score.models;
    const auto inputs = inputsOf(*model, of);
    const auto results =
        inputs ? evaluate::evaluate(*model, ir::FunctionId{0}, *inputs) : std::unexpected(inputs.error());
    if (!results) {
        score.refused[results.error().text()].push_back(of.name);
        return;
    }
    const ir::Function &function = model->functions.front();
    std::string difference = results->size() < of.outputs.size() ? "fewer outputs" : "";
    for (std::size_t i = 0; i < of.outputs.size() && difference.empty(); ++i) {
        const auto expected =
            recordedNumbers(of.outputs[i], *model->context, typeOf(function, function.outputs.at(i).value));
        if (!expected)
            difference = expected.error().text();
        else
            difference = differenceOf((*results)[i], *expected);
    }
    if (difference.empty())
        ++score.computed;
    else
        score.wrong.push_back(of.name + ": " + difference);
}

std::optional<fs::path> testData()
{
    if (const char *named = std::getenv("CUTAWAY_ONNX_TEST_DATA"))
        return named;
    const fs::path ofDebian = "/usr/share/libonnx-testdata/data";
    return fs::exists(ofDebian) ? std::optional(ofDebian) : std::nullopt;
}

struct Row {
    std::string folder;      ///< the folder of the test data
    double leastShare = 0.0; ///< the least share of computed models
};

class OnnxEvaluated : public testing::TestWithParam<Row> { };

TEST_P(OnnxEvaluated, computesWhatIsRecorded)
{
    const auto data = testData();
    if (!data)
        GTEST_SKIP() << "ONNX's test data is not installed (Debian's libonnx-testdata)";
    Score score;
    for (const Case &model : casesIn(*data / GetParam().folder))
        judge(model, score);
    ASSERT_GT(score.models, 0u) << *data;
    for (const std::string &wrong : score.wrong)
        ADD_FAILURE() << wrong;
    for (const auto &[reason, models] : score.refused)
        std::cout << formatted("{:5} {} in {}\n", models.size(), reason, testing::PrintToString(models));
    const double share = static_cast<double>(score.computed) / static_cast<double>(score.models);
    std::cout << formatted("{} models: {} computed ({:.1f} %), {} wrong\n", score.models, score.computed, 100 * share,
                           score.wrong.size());
    EXPECT_GE(share, GetParam().leastShare);
}

INSTANTIATE_TEST_SUITE_P(Folders, OnnxEvaluated,
                         testing::Values(Row{"node", 0.95}, Row{"simple", 0.9}, Row{"pytorch-converted", 0.95},
                                         Row{"pytorch-operator", 0.99}),
                         [](const testing::TestParamInfo<Row> &row) {
                             std::string name = row.param.folder;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

} // namespace

} // namespace cutaway::test
