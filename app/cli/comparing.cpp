// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/comparing.h"

#include "core/base/result.h"
#include "core/ir/context.h"
#include "core/ir/names.h"
#include "core/ir/signatures.h"
#include "core/node_data/node_data.h"
#include "core/report/timing/run_report.h"
#include "core/request/given.h"

#include <algorithm>
#include <cctype>

namespace cutaway::cli {

namespace {

/// A run to compare: a model, its inputs and its backend.
struct ComparedRun {
    Opened opened;
    analysis::Analysis analysis;
    run::Inputs inputs;
    std::unique_ptr<run::Backend> backend;
    std::optional<std::filesystem::path> file; ///< see Running

    diff::Side forDiff() const { return {opened.model, analysis}; }
    run::Subject subject() const { return {opened.model, opened.function, file}; }
};

/// Which of the two runs is meant.
enum Place : std::size_t { A, B };

std::string fileOf(Place place, const CompareOptions &options)
{
    return place == B && !options.b.empty() ? options.b : options.a;
}

Result<std::unique_ptr<run::Backend>> backendOf(Place place, const ir::Model &model, const CompareOptions &options)
{
    return backendFor(model, options.arguments, place);
}

/// Returns the run at `place`. Its file, together with the options, determines the inputs of both runs.
Result<ComparedRun> leading(Place place, const CompareOptions &options)
{
    const std::string file = fileOf(place, options);
    CUTAWAY_TRY(auto running, readRunning(file, options.arguments));
    if (!running.guessed.empty())
        return usageError("the file records no size for its input '" + running.guessed.front()
                          + "'; give them by --input, as --input " + running.guessed.front() + "=1x3x224x224:float32");
    CUTAWAY_TRY(auto backend, backendOf(place, running.opened.model, options));
    auto analysis = analysis::analyse(running.opened.model, running.opened.function, running.with.given);
    return ComparedRun{std::move(running.opened), std::move(analysis), std::move(running.with.inputs),
                       std::move(backend), std::move(running.file)};
}

/// Applies the user's sizes to `opened` if some replace sizes that its file fixes, and returns them. Otherwise nothing
/// changes and the result is empty, also if the sizes do not fit the inputs of this file.
analysis::Given replacedSizes(Opened &opened, const RunArguments &arguments)
{
    ir::Model model = opened.model;
    const auto given = request::readGiven(model, opened.function, arguments.bindings, arguments.inputs);
    if (!given || given->replaced.empty())
        return {};
    opened.model = std::move(model);
    return given->withoutTensors();
}

/// Returns a name as torch.export writes it: each character but letters and digits becomes "_".
std::string plainName(std::string_view name)
{
    std::string plain(name);
    std::ranges::replace_if(plain, [](unsigned char c) { return !std::isalnum(c); }, '_');
    return plain;
}

/// Adds the input, or the parts of a tuple, list or dictionary under the names that conversions give them.
void addParts(run::Inputs &parts, const run::Input &input)
{
    const auto *items = std::get_if<run::InputParts>(&input.content);
    if (!items) {
        parts.push_back(input);
        return;
    }
    const bool isDict = items->kind == run::InputParts::Kind::Dict;
    for (std::size_t i = 0; i < items->items.size(); ++i) {
        if (isDict && i % 2 == 0)
            continue;
        const auto *key = isDict ? std::get_if<ops::Fact>(&items->items[i - 1]) : nullptr;
        const auto *text = key ? key->as<ops::TextFact>() : nullptr;
        const auto number = key ? ops::asInt(*key) : std::nullopt;
        const std::string name = text ? text->text : number ? ir::print(*number) : std::to_string(i);
        addParts(parts, {input.value, input.name + "." + name, items->items[i]});
    }
}

/// Returns those inputs, and parts of inputs, that a converted model still has. An input that the conversion has fixed
/// is left out.
run::Inputs inputsOf(const Opened &opened, const run::Inputs &inputs)
{
    std::vector<std::string> declared;
    for (const ir::FunctionInput &input : opened.model.at(opened.function).inputs)
        // A ConstantInput is a value that was fixed while tracing; an exported program still lists it.
        if (input.kind != ir::FunctionInput::Kind::ConstantInput)
            declared.push_back(plainName(opened.model.context->text(input.name)));
    run::Inputs parts;
    for (const run::Input &input : inputs)
        addParts(parts, input);
    std::erase_if(parts,
                  [&](const run::Input &part) { return !std::ranges::contains(declared, plainName(part.name)); });
    return parts;
}

/// Whether an input that is a number in the model was given a tensor.
bool lacksNumber(const ComparedRun &run)
{
    const ir::Graph &graph = run.opened.model.at(run.opened.function).graph;
    return std::ranges::any_of(run.inputs, [&](const run::Input &input) {
        return std::holds_alternative<ir::NumberType>(ir::ValueRef(graph, input.value).type())
            && !std::holds_alternative<ops::Fact>(input.content);
    });
}

/// Removes results that only one of the formats has: None, and the results for inputs and buffers, which come first.
void dropOwnResults(run::Outcome &outcome, const ComparedRun &run)
{
    for (const ir::FunctionOutput &output : run.opened.model.at(run.opened.function).outputs) {
        const auto found = ir::isResult(output)
            ? outcome.outputs.end()
            : std::ranges::find(outcome.outputs, run.opened.model.context->text(output.name), &run::Output::name);
        if (found != outcome.outputs.end())
            outcome.outputs.erase(found);
    }
    std::erase_if(outcome.outputs, [](const run::Output &output) {
        const auto *opaque = std::get_if<run::Opaque>(&output.content);
        return opaque && opaque->what == "None";
    });
}

/// Returns the run at `place`, which gets the inputs of the other run.
Result<ComparedRun> following(Place place, const CompareOptions &options, const run::Inputs &inputs)
{
    CUTAWAY_TRY(auto opened, openModel(fileOf(place, options), options.arguments.function));
    CUTAWAY_TRY(
        auto alike,
        run::inputsAlike(opened.model, opened.function, options.mayFixInputs ? inputsOf(opened, inputs) : inputs));
    CUTAWAY_TRY(auto backend, backendOf(place, opened.model, options));
    const ir::Model asRead = opened.model;
    const analysis::Given given = replacedSizes(opened, options.arguments);
    auto path = replaceSizes(opened, asRead, given);
    auto analysis = analysis::analyse(opened.model, opened.function, given);
    return ComparedRun{std::move(opened), std::move(analysis), std::move(alike), std::move(backend), std::move(path)};
}

/// Returns both runs with the same inputs. They are chosen for A. If A's file does not record the sizes of its inputs,
/// as TorchScript does not, they are chosen for B.
Result<std::pair<ComparedRun, ComparedRun>> sidesOf(const CompareOptions &options)
{
    const std::string fileA = fileOf(A, options), fileB = fileOf(B, options);
    auto a = withSubject(fileA, leading(A, options));
    if (!a && a.error().kind == ErrorKind::Usage && !options.b.empty())
        if (auto b = leading(B, options)) {
            CUTAWAY_TRY(auto alike, withSubject(fileA, following(A, options, b->inputs)));
            if (lacksNumber(alike))
                return std::unexpected(a.error());
            return std::pair(std::move(alike), std::move(*b));
        }
    CUTAWAY_TRY(auto first, std::move(a));
    CUTAWAY_TRY(auto second, withSubject(fileB, following(B, options, first.inputs)));
    return std::pair(std::move(first), std::move(second));
}

std::vector<run::Point> pointsOf(const ComparedRun &a, const ComparedRun &b, const CompareOptions &options)
{
    if (!options.values)
        return {};
    if (options.b.empty() || options.a == options.b)
        return run::points(a.forDiff());
    return run::points(a.forDiff(), b.forDiff(), diff::compare(a.forDiff(), b.forDiff()));
}

Result<run::Outcome> compute(const ComparedRun &side, const std::vector<run::Point> &points,
                             ir::ValueId run::Point::*value)
{
    std::vector<ir::ValueId> values;
    std::ranges::transform(points, std::back_inserter(values), value);
    return side.backend->runWithValues(side.subject(), values, side.inputs, {});
}

/// Removes the last `values` outputs, which are those of the inner values, and returns them.
std::vector<run::Output> split(run::Outcome &outcome, std::size_t values)
{
    const auto begin = outcome.outputs.end() - static_cast<std::ptrdiff_t>(std::min(values, outcome.outputs.size()));
    std::vector<run::Output> last(std::make_move_iterator(begin), std::make_move_iterator(outcome.outputs.end()));
    outcome.outputs.erase(begin, outcome.outputs.end());
    return last;
}

/// Compares both sides for the inputs of one seed.
Result<report::RunComparison> comparisonOf(const CompareOptions &options)
{
    CUTAWAY_TRY(const auto sides, sidesOf(options));
    const auto &[a, b] = sides;
    const auto points = pointsOf(a, b, options);
    CUTAWAY_TRY(auto before, withSubject(fileOf(A, options), compute(a, points, &run::Point::a)));
    CUTAWAY_TRY(auto after, withSubject(fileOf(B, options), compute(b, points, &run::Point::b)));
    const auto valuesA = split(before, points.size()), valuesB = split(after, points.size());
    if (options.mayFixInputs) {
        dropOwnResults(before, a);
        dropOwnResults(after, b);
    }
    report::RunComparison comparison{
        before.backend, after.backend,         options.tolerance, run::compare(before, after, options.tolerance), {},
        options.values, options.arguments.seed};
    const std::vector<std::string> inTable = node_data::tableNames(a.forDiff().graph());
    for (std::size_t i = 0; i < points.size(); ++i)
        comparison.values.push_back(
            {ir::nameOf({a.forDiff().graph(), points[i].nodeA}), ir::nameOf({b.forDiff().graph(), points[i].nodeB}),
             run::compare(valuesA[i], valuesB[i], options.tolerance), inTable[points[i].nodeA.index]});
    return comparison;
}

/// Whether `a` is to be reported before `b`: results that differ come first, then larger errors.
bool isWorse(const report::RunComparison &a, const report::RunComparison &b)
{
    return a.agrees() != b.agrees() ? b.agrees() : a.largestError() > b.largestError();
}

} // namespace

Result<Answer> compareResults(const CompareOptions &options)
{
    if (options.b.empty() && options.arguments.backends.size() != 2 && options.arguments.devices.size() != 2)
        return std::unexpected(Error{ErrorKind::Usage,
                                     "compare needs two files, or one file and two --backend or --device options",
                                     {},
                                     options.a});
    auto worst = comparisonOf(options);
    CompareOptions next = options;
    for (std::uint32_t i = 1; worst && i < options.seeds; ++i) {
        next.arguments.seed = options.arguments.seed + i;
        auto comparison = comparisonOf(next);
        if (!comparison || isWorse(*comparison, *worst))
            worst = std::move(comparison);
    }
    CUTAWAY_TRY(report::RunComparison comparison, std::move(worst));
    comparison.seeds = options.seeds;
    if (options.csv)
        return Answer(report::comparisonCsv(comparison), !comparison.agrees());
    return Answer(options.json ? report::comparisonJson(comparison) + "\n" : report::comparisonText(comparison),
                  !comparison.agrees());
}

} // namespace cutaway::cli
