// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "core/base/formatted.h"
#include "core/base/near_names.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/ir/context.h"
#include "core/ir/tensors/tensor_data.h"
#include "core/report/tensor/tensor_report.h"
#include "core/sequence/address.h"
#include "core/tensor/save.h"
#include "core/tensor/slice.h"

#include <CLI/CLI.hpp>

namespace cutaway::cli {

namespace {

/// The largest number of elements that are printed; a file gets all.
constexpr std::uint64_t maxPrinted = 100'000;

constexpr std::size_t maxListed = 400; ///< the limit of names in an error, in characters

struct TensorOptions {
    std::string model, name, slice, save, against;
    std::optional<int> channels;
    bool json = false;
};

Result<ir::TensorId> findTensor(const ir::Model &model, const std::string &name)
{
    std::vector<std::string_view> names;
    for (ir::TensorId id{0}; id.index < model.tensors.size(); ++id.index) {
        names.push_back(model.context->text(model.at(id).name));
        if (names.back() == name)
            return id;
    }
    const std::string near = nearNames(name, names); // nearNames() returns all names if none is similar
    return usageError(
        formatted("the model has no tensor '{}'; {}", sanitized(name),
                  near.size() < maxListed ? "it has " + sanitized(near) : "without a name the command lists them"));
}

/// Splits OTHER:NAME into a file and a tensor's name. A text that names a file is that file, with the tensor `name`.
std::pair<std::string, std::string> otherOf(const std::string &text, const std::string &name)
{
    std::error_code ignored;
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos || std::filesystem::exists(text, ignored))
        return {text, name};
    return {text.substr(0, colon), text.substr(colon + 1)};
}

Result<Answer> compareTensors(const ir::Model &model, ir::TensorId id, const TensorOptions &options)
{
    const auto [path, name] = otherOf(options.against, options.name);
    CUTAWAY_TRY(const auto mine, tensor::Values::of(model, id));
    CUTAWAY_TRY(const auto other, withSubject(path, sequence::open(path)));
    CUTAWAY_TRY(const auto otherId, withSubject(path, findTensor(other, name)));
    CUTAWAY_TRY(const auto theirs, withSubject(path, tensor::Values::of(other, otherId)));
    CUTAWAY_TRY(const auto comparison, withSubject(path, tensor::compare(mine, theirs)));
    const report::TensorComparison compared{model, other, id, otherId, comparison};
    return Answer(options.json ? report::tensorComparisonJson(compared) + "\n" : report::tensorComparisonText(compared),
                  comparison.differing > 0);
}

Result<report::TensorFacts::Part> partOf(const ir::Model &model, ir::TensorId id, const std::string &text)
{
    const std::vector<std::int64_t> &shape = model.at(id).shape;
    CUTAWAY_TRY(const auto slice, tensor::parseSlice(text, shape));
    if (slice.count() > maxPrinted)
        return usageError(formatted("the slice has {} elements; at most {} are printed, --save writes all",
                                    slice.count(), maxPrinted));
    const tensor::SlicePlaces places(shape, slice);
    std::vector<std::uint64_t> positions(slice.count());
    for (std::size_t k = 0; k < positions.size(); ++k)
        positions[k] = places.at(k);
    CUTAWAY_TRY(auto elements, ir::elementsAt(model, id, positions, ir::Digits::All));
    return report::TensorFacts::Part{text, slice.shape(), std::move(elements)};
}

/// Returns the elements with their dequantized numbers; a note in `facts` says why if the quantization is unknown.
Result<tensor::Values> valuesOf(const ir::Model &model, ir::TensorId id, report::TensorFacts &facts)
{
    auto quantization = tensor::quantizationOf(model, id);
    if (quantization)
        facts.quantization = *quantization;
    else
        facts.notKnown.push_back("how the tensor is quantized: " + quantization.error().text());
    return tensor::Elements::of(model, id).transform([&](tensor::Elements elements) {
        tensor::Values values(std::move(elements), facts.quantization);
        facts.areMagnitudes = values.areMagnitudes();
        facts.areDequantized = values.areDequantized();
        return values;
    });
}

Result<Answer> saveTensor(const ir::Model &model, ir::TensorId id, const TensorOptions &options)
{
    report::TensorFacts facts{model, id, {}, false, false, {}, {}, {}};
    CUTAWAY_TRY(const auto values, valuesOf(model, id, facts));
    CUTAWAY_TRY(const auto slice, tensor::parseSlice(options.slice, values.elements().shape()));
    CUTAWAY_RETURN_IF_ERROR(withSubject(options.save, tensor::save(values, slice, options.save)));
    return Answer("");
}

Result<Answer> describeTensor(const ir::Model &model, ir::TensorId id, const TensorOptions &options)
{
    report::TensorFacts facts{model, id, {}, false, false, {}, {}, {}};
    if (const auto values = valuesOf(model, id, facts)) {
        tensor::SummaryOptions wanted;
        if (options.channels)
            wanted.channelDim = static_cast<std::size_t>(*options.channels);
        CUTAWAY_TRY(facts.summary, tensor::summarize(*values, wanted));
    } else {
        facts.notKnown.push_back("statistics: " + values.error().message);
    }
    if (!options.slice.empty()) {
        CUTAWAY_TRY(facts.part, partOf(model, id, options.slice));
    }
    return Answer(options.json ? report::tensorJson(facts) + "\n" : report::tensorText(facts));
}

Result<Answer> tensorAnswer(const TensorOptions &options)
{
    CUTAWAY_TRY(const auto model, sequence::open(options.model));
    if (options.name.empty())
        return Answer(options.json ? report::tensorListJson(model) + "\n" : report::tensorListText(model));
    CUTAWAY_TRY(const auto id, findTensor(model, options.name));
    if (!options.against.empty())
        return compareTensors(model, id, options);
    return options.save.empty() ? describeTensor(model, id, options) : saveTensor(model, id, options);
}

std::string checkTensorSuffix(const std::string &path)
{
    const std::string suffix = std::filesystem::path(path).extension().string();
    return suffix == ".npy" || suffix == ".csv" ? "" : "the file's name must end in .npy or .csv, not '" + suffix + "'";
}

} // namespace

Action declareTensor(CLI::App &command, std::string &)
{
    auto options = std::make_shared<TensorOptions>();
    command.add_option("MODEL", options->model, "A model file, or one of weights alone")->required()->type_name("");
    auto *name = command.add_option("NAME", options->name, "One of its tensors (default: list them)")->type_name("");
    command.add_flag("--json", options->json, "Write JSON (schemas cutaway.tensor/1, tensors/1, tensor-comparison/1)");
    auto *slice = command.add_option("--slice", options->slice, "Print a part of it, as in Python: 0,:,3:10,::2")
                      ->type_name("PART")
                      ->needs(name);
    auto *channels =
        command.add_option("--channels", options->channels, "Statistics for each index of a dimension, too")
            ->type_name("DIM")
            ->check(CLI::NonNegativeNumber)
            ->needs(name);
    auto *save =
        command.add_option("--save", options->save, "Write it, or the part of --slice, into a file: .npy or .csv")
            ->type_name("FILE")
            ->check(checkTensorSuffix)
            ->needs(name);
    command
        .add_option("--against", options->against,
                    "Compare with a tensor of another file, of the same name unless one is given")
        ->type_name("FILE[:NAME]")
        ->needs(name)
        ->excludes(slice)
        ->excludes(channels)
        ->excludes(save);
    command.footer(
        "Minimum, maximum, mean and standard deviation are those of the finite elements; of quantized tensors\n"
        "they are of the numbers that the elements stand for. Exit code 1: --against found a difference.\n\n"
        "Examples:\n"
        "  cutaway-cli tensor model.safetensors\n"
        "  cutaway-cli tensor model.safetensors layers.0.weight --channels 0\n"
        "  cutaway-cli tensor resnet50.onnx conv1.weight --slice 0,:,:,3 --save part.npy\n"
        "  cutaway-cli tensor old.safetensors fc.bias --against new.safetensors");
    return [options] { return withSubject(options->model, tensorAnswer(*options)); };
}

} // namespace cutaway::cli
