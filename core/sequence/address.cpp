// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/address.h"

#include "core/base/formatted.h"
#include "core/base/near_names.h"
#include "core/formats/archive/probe.h"
#include "core/formats/format.h"
#include "core/formats/graph_text/reader.h"
#include "core/ir/json/json.h"
#include "core/ir/json/json_state.h"
#include "core/plugin/importing.h"
#include "core/sequence/facts/export_failure.h"
#include "core/sequence/kernel_modules.h"
#include "core/sequence/limits.h"
#include "core/sequence/read/placing.h"
#include "core/sequence/read/traced_inputs.h"

#include <algorithm>
#include <map>

namespace cutaway::sequence {

namespace {

namespace fs = std::filesystem;

bool exists(const std::string &path)
{
    std::error_code error;
    return fs::exists(path, error);
}

/// Returns the part of an address that names the file or folder, whose own name may contain the separator; the entire
/// address if it has no separator.
std::string sourceOf(const std::string &address)
{
    if (exists(address))
        return address;
    for (std::size_t at = address.rfind('#'); at != std::string::npos && at > 0; at = address.rfind('#', at - 1))
        if (exists(address.substr(0, at)))
            return address.substr(0, at);
    return address.substr(0, address.find('#'));
}

std::vector<StepPlace> placesIn(const Document &document)
{
    std::vector<StepPlace> places;
    for (std::size_t i = 0; i < document.sequences.size(); ++i)
        for (std::size_t k = 0; k < document.sequences[i].steps.size(); ++k)
            places.push_back({i, k});
    return places;
}

/// Returns the address of each sequence.
std::vector<std::string> addressesOf(const Document &document)
{
    std::map<std::string, int> labels;
    for (const Sequence &sequence : document.sequences)
        ++labels[labelOf(sequence)];
    std::vector<std::string> addresses;
    for (const Sequence &sequence : document.sequences) {
        const bool isOneSource = document.sources.size() == 1 || sequence.steps.empty();
        const std::string source = isOneSource ? document.sources.front() : sourceOf(sequence.steps.front().address);
        const std::string label = labelOf(sequence);
        const bool isAlone = !label.empty() && labels[label] == 1;
        addresses.push_back(source + "#" + (isAlone ? label : formatted("{}", addresses.size() + 1)));
    }
    return addresses;
}

std::string addressOf(const Document &document, const StepPlace &place)
{
    return document.sequences[place.sequence].steps[place.step].address;
}

bool isFolder(const std::string &path)
{
    std::error_code error;
    return fs::is_directory(path, error);
}

bool isModelFile(const std::string &path)
{
    auto file = MappedFile::open(path);
    return file && formats::formatOf(formats::archive::Probe(std::make_shared<const MappedFile>(std::move(*file))));
}

/// Reads the graphs of a log or a text. If that fails, the error is `asModel`, that of opening the file as a model, if
/// a format recognises the file as a model; else that of read().
Result<Document> readLog(const std::string &path, const Error &asModel, const Task &task)
{
    auto document = read(std::span(&path, 1), task);
    if (!document && isModelFile(path))
        return std::unexpected(asModel);
    if (!document)
        return document;
    if (document->sequences.empty())
        return unreadable("no graph was found: it is a log, but it tells of no compilation");
    return document;
}

/// Whether a document is only a row of graphs, with neither a compilation nor diagnostics, or a failed export. The page
/// of a failed export shows by itself that there is no graph, so diagnostics about that do not count.
bool isRow(const Document &document)
{
    if (document.sequences.size() != 1 || document.sequences.front().compileId)
        return false;
    const Sequence &only = document.sequences.front();
    const bool isPage = only.steps.empty() && exportFailureOf(only);
    return (document.diagnostics.empty() || isPage)
        && std::ranges::all_of(only.records, [](const Record &record) { return record.name == exportFailureRecord; });
}

Result<Found> foundIn(Document document, const Task &task)
{
    if (document.sequences.size() == 1 && document.sequences.front().steps.size() == 1
        && !exportFailureOf(document.sequences.front()))
        return openStep(document.sequences.front().steps.front(), task).transform([](ir::Model model) {
            return Found(std::move(model));
        });
    return isRow(document) ? Found(std::move(document.sequences.front())) : Found(std::move(document));
}

/// Whether a recording contains a failed export, whose page is shown even for a single graph.
bool tellsOfExportFailure(const std::string &path)
{
    constexpr std::size_t enough = 1024; // bytes that contain the second record
    const auto file = MappedFile::open(path);
    return file && textOf(*file).substr(0, enough).contains(exportFailureRecord);
}

std::unexpected<Error> noSuchStep(const Document &document, const std::string &source, const std::string &address)
{
    std::vector<std::string> addresses;
    std::vector<std::string_view> names;
    for (const StepPlace &place : placesIn(document))
        addresses.push_back(addressOf(document, place));
    for (const std::string &each : addresses)
        names.push_back(std::string_view(each).substr(std::min(source.size() + 1, each.size())));
    const std::string wanted = address.substr(std::min(source.size() + 1, address.size()));
    if (names.empty())
        return unreadable(formatted("there is no step '{}': no graph was found", wanted));
    constexpr std::size_t listed = 20;
    if (names.size() > listed)
        names.resize(listed);
    return unreadable(
        formatted("there is no step '{}' among {}; there are {}", wanted, addresses.size(), nearNames(wanted, names)));
}

std::unexpected<Error> severalSteps(const Document &document, const std::vector<StepPlace> &places)
{
    return unreadable(formatted("it holds {} graphs: name one of them, as in '{}'; 'steps' lists them", places.size(),
                                addressOf(document, places.front())));
}

/// Finds the step of an address in the document of its source.
Result<FoundStep> stepIn(Document document, const std::string &source, const std::string &address)
{
    const auto places = placesIn(document);
    if (source == address) {
        if (places.size() == 1)
            return FoundStep{std::move(document), places.front()};
        return places.empty() ? unreadable("it is a log, and holds no graph") : severalSteps(document, places);
    }
    const auto found =
        std::ranges::find(places, address, [&](const StepPlace &place) { return addressOf(document, place); });
    if (found == places.end())
        return noSuchStep(document, source, address);
    return FoundStep{std::move(document), *found};
}

Result<Found> findAt(const std::string &address, const std::string &source, const Task &task)
{
    CUTAWAY_TRY(Document document, withSubject(source, read(std::span(&source, 1), task)));
    const std::vector<std::string> addresses = addressesOf(document);
    for (std::size_t i = 0; i < document.sequences.size(); ++i)
        if (!document.sequences[i].steps.empty() && addresses[i] == address)
            return Found(std::move(document.sequences[i]));
    CUTAWAY_TRY(const FoundStep found, stepIn(std::move(document), source, address));
    return openInKernels(found, task).transform([](ir::Model model) { return Found(std::move(model)); });
}

/// Returns the types of a step's inputs as other graphs of its compilation print them.
formats::graph_text::InputSpecs specsOf(const Step &step)
{
    if (!step.inputs)
        return {};
    return step.kind == Kind::Dynamo ? specsOfDynamo(*step.inputs) : specsOfAot(*step.inputs);
}

} // namespace

std::string addressOf(const Document &document, std::size_t sequence) { return addressesOf(document)[sequence]; }

Result<Found> find(std::span<const std::string> sources, const Task &task)
{
    if (sources.size() != 1)
        return read(sources, task).and_then([&](Document document) { return foundIn(std::move(document), task); });
    const std::string &address = sources.front();
    const std::string source = sourceOf(address);
    if (source != address)
        return findAt(address, source, task);
    if (isFolder(address) || tellsOfExportFailure(address))
        return read(sources, task).and_then([&](Document document) { return foundIn(std::move(document), task); });
    auto model = plugin::open(address, task);
    if (model)
        return Found(std::move(*model));
    if (model.error().kind != ErrorKind::Unreadable || !exists(address))
        return std::unexpected(std::move(model.error()));
    CUTAWAY_TRY(Document document, readLog(address, model.error(), task));
    return foundIn(std::move(document), task);
}

Result<Document> readAt(const std::string &address, const Task &task)
{
    const std::string source = sourceOf(address);
    CUTAWAY_TRY(Document document, withSubject(source, read(std::span(&source, 1), task)));
    if (source == address)
        return document;
    const std::vector<std::string> addresses = addressesOf(document);
    if (const auto at = std::ranges::find(addresses, address); at != addresses.end()) {
        document.sequences = {
            Sequence(std::move(document.sequences[static_cast<std::size_t>(at - addresses.begin())]))};
        return document;
    }
    CUTAWAY_TRY(FoundStep found, stepIn(std::move(document), source, address));
    Sequence sequence = std::move(found.document.sequences[found.place.sequence]);
    sequence.steps = {Step(std::move(sequence.steps[found.place.step]))};
    found.document.sequences = {std::move(sequence)};
    return std::move(found.document);
}

Result<FoundStep> findStep(const std::string &address, const Task &task)
{
    const std::string source = sourceOf(address);
    CUTAWAY_TRY(Document document, withSubject(source, read(std::span(&source, 1), task)));
    return stepIn(std::move(document), source, address);
}

std::optional<FoundStep> stepOfLog(const std::string &path, const Task &task)
{
    if (path.empty() || exists(path))
        return std::nullopt;
    auto step = findStep(path, task);
    return step ? std::optional(*std::move(step)) : std::nullopt;
}

Result<ir::Model> openStep(const Step &step, const Task &task, const std::shared_ptr<ir::Context> &context)
{
    if (!step.text) {
        auto model = plugin::open(step.source, task);
        // The readers of files make contexts of their own, so the model is moved to `context`.
        return model && context ? ir::parseJsonState(ir::printJson(*model), context) : model;
    }
    if (step.text->byteCount() > limits::maxGraphText)
        return std::unexpected(Error{ErrorKind::Cancelled, "the text of this graph is too long to be read", {}});
    const std::string text = step.text->text();
    const std::size_t start = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    const std::size_t lineStart = text.rfind('\n', start) + 1; // 0 for the first line
    const auto blankLines = std::ranges::count(text.substr(0, lineStart), '\n');
    const auto line = static_cast<std::uint32_t>(step.line.value_or(1)) + static_cast<std::uint32_t>(blankLines)
        + (step.text->isIndented ? 1 : 0); // the text is below the record's header
    auto model = formats::graph_text::readText(std::string_view(text).substr(lineStart), step.address, task, line,
                                               context, specsOf(step));
    CUTAWAY_RETURN_IF_ERROR(step.text->file->checkUnchanged());
    if (model && step.inputs && step.direction == Direction::Forward)
        markSaved(model->functions.front(), *step.inputs);
    if (model)
        model->path = step.address;
    return model;
}

Result<ir::Model> open(const std::string &address, const Task &task)
{
    const std::string source = sourceOf(address);
    if (source == address) {
        auto model = plugin::open(address, task);
        // A folder does not determine which of its files is meant.
        if (model || model.error().kind != ErrorKind::Unreadable || !exists(address) || isFolder(address))
            return model;
        // A log with one graph can be opened, too; for a log with several graphs or none, findStep() returns an error.
        // If the file is no log, the error of the model formats is returned.
        if (!read(std::span(&address, 1), task))
            return model;
    }
    CUTAWAY_TRY(const FoundStep found, findStep(address, task));
    return openStep(found.step(), task);
}

} // namespace cutaway::sequence
