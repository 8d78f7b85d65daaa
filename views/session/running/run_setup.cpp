// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/running/run_setup.h"

#include "core/base/result.h"
#include "core/ir/model_format.h"
#include "core/ir/node_ref.h"
#include "core/plugin/target.h"
#include "core/run/reopened.h"
#include "core/run/tensor_file.h"
#include "views/session/document.h"

#include <algorithm>

namespace cutaway::views {
namespace {

std::vector<ir::Dim> dimsOf(const protocol::Tensor &tensor) { return {tensor.shape.begin(), tensor.shape.end()}; }

/// Whether the file fixes the dtype and all sizes of an input.
bool isFixed(const ir::TensorType *type)
{
    const auto isNumber = [](const ir::Dim &dim) { return std::holds_alternative<std::int64_t>(dim); };
    return type && type->dtype && type->shape && std::ranges::all_of(*type->shape, isNumber);
}

} // namespace

RunSetup::RunSetup(Document &document) : m_document(document)
{
    connect(&document, &Document::functionChanged, this, [this] { m_inputFiles.clear(); });
}

void RunSetup::setChoices(RunChoices choices)
{
    const auto isSame = [](const RunChoices &a, const RunChoices &b) {
        return a.backends == b.backends && a.targets == b.targets && a.problem == b.problem;
    };
    const bool changes = !isSame(choices, m_choices);
    m_choices = std::move(choices);
    if (!changes)
        return;
    chooseBackend();
    emit changed();
}

void RunSetup::chooseBackend()
{
    const auto suits = [this](const run::Offer &offer) { return !obstacle(offer); };
    const auto &all = m_choices.backends;
    auto best = std::ranges::find(all, m_chosen, &run::Offer::name);
    if (best == all.end() || !suits(*best))
        best = std::ranges::find_if(all, suits);
    if (best == all.end())
        // If no backend can run the model, the evaluator is chosen, since it explains why.
        best = std::ranges::find(all, run::evaluatorName, &run::Offer::name);
    if (const std::string name = best == all.end() ? "" : best->name; name != m_settings.backend) {
        m_settings.backend = name;
        m_settings.options.device.clear();
        m_devices.forget();
    }
}

void RunSetup::setSettings(RunSettings settings)
{
    if (settings.backend != m_settings.backend)
        m_chosen = settings.backend;
    const bool isElsewhere = settings.backend != m_settings.backend || settings.target != m_settings.target;
    if (isElsewhere)
        settings.options.device.clear();
    m_settings = std::move(settings);
    if (isElsewhere)
        m_devices.forget();
    emit changed();
}

void RunSetup::findDevices()
{
    if (m_choices.devices)
        m_devices.find([ask = m_choices.devices, settings = m_settings] { return ask(settings); });
}

const run::Offer *RunSetup::offer() const
{
    const auto found = std::ranges::find(m_choices.backends, m_settings.backend, &run::Offer::name);
    return found == m_choices.backends.end() ? nullptr : &*found;
}

std::optional<std::string> RunSetup::obstacle(RunKind kind) const
{
    const run::Offer *chosen = offer();
    if (!chosen)
        return "no backend is available";
    if (kind == RunKind::Profile && !chosen->takesTimes)
        return "does not measure times";
    return obstacle(*chosen);
}

std::optional<std::string> RunSetup::obstacle(const run::Offer &offer) const
{
    if (!isHere(offer))
        return "is not installed";
    return run::obstacle(offer, m_document.model(), m_document.functionId());
}

/// Whether a backend is installed. On another target this is unknown before it is tried, so it is assumed.
bool RunSetup::isHere(const run::Offer &offer) const
{
    return offer.absence.empty() || m_settings.target != plugin::Target().name;
}

std::vector<std::string> RunSetup::missing() const
{
    const ir::Model &model = m_document.model();
    std::vector<std::string> sentences;
    bool takesTimes = false;
    for (const run::Offer &offer : m_choices.backends) {
        if (run::obstacle(offer, model, ir::FunctionId{0}))
            continue;
        if (isHere(offer))
            takesTimes |= offer.takesTimes;
        else if (!std::ranges::contains(sentences, offer.absence))
            sentences.push_back(offer.absence);
    }
    if (sentences.empty() && !takesTimes && !ir::formatOf(model).isRecorded)
        sentences.push_back("there is no plugin that profiles " + model.format
                            + " models; 'cutaway-cli plugins' shows where plugins are searched for");
    return sentences;
}

ir::ValueRef RunSetup::inFile(ir::ValueId input) const
{
    return {m_document.file().at(m_document.functionId()).graph, input};
}

run::GivenTensors RunSetup::tensors() const
{
    run::GivenTensors tensors = m_document.givenValues().tensors;
    for (const auto &[input, file] : m_inputFiles)
        tensors.insert_or_assign(std::string(inFile(input).name()), file.tensor);
    return tensors;
}

/// Reads a tensor for an input. Sizes that the file leaves open are given as if the user had written them in Bindings.
Result<void> RunSetup::readInput(ir::ValueId input, const QString &path)
{
    const ir::TensorType *type = inFile(input).tensorType();
    auto tensor = run::readTensor(path.toStdString(), type ? type->dtype : std::nullopt);
    if (!tensor) {
        tensor.error().where += (tensor.error().where.empty() ? "" : ", ") + path.toStdString();
        return std::unexpected(tensor.error());
    }
    const std::string name(inFile(input).name()), text = run::inputText({name, tensor->dtype, tensor->shape});
    if (isFixed(type) && (type->dtype != tensor->dtype || *type->shape != dimsOf(*tensor)))
        return std::unexpected(
            Error{ErrorKind::Usage, "the file has " + text + ", which does not match the type of the input", {}});
    GivenTexts given = m_document.given();
    std::erase_if(given.inputs, [&](const std::string &each) { return each.starts_with(name + "="); });
    if (!isFixed(type))
        given.inputs.push_back(text);
    if (auto done = m_document.give(given); !done)
        return done;
    m_inputFiles.insert_or_assign(input, InputFile{path, std::move(*tensor)});
    emit changed();
    return {};
}

void RunSetup::setRandom(ir::ValueId input)
{
    m_inputFiles.erase(input);
    emit changed();
}

/// Returns the texts without those for inputs whose type the file fixes.
std::vector<std::string> RunSetup::withoutFixed(std::vector<std::string> texts) const
{
    const ir::Graph &graph = m_document.file().at(m_document.functionId()).graph;
    for (const ir::ValueId id : graph.at(ir::Graph::body).inputs) {
        const ir::ValueRef value(graph, id);
        const std::string start = std::string(value.name()) + "=";
        if (isFixed(value.tensorType()))
            std::erase_if(texts, [&](const std::string &text) { return text.starts_with(start); });
    }
    return texts;
}

} // namespace cutaway::views
