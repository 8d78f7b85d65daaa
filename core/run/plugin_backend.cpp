// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/overloaded.h"
#include "core/base/result.h"
#include "core/base/temporary_folder.h"
#include "core/formats/format.h"
#include "core/ir/context.h"
#include "core/ir/json/json.h"
#include "core/ir/open_weights.h"
#include "core/plugin/readable_files.h"
#include "core/plugin/session.h"
#include "core/run/backend.h"
#include "core/tensor/numbers.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <ranges>

namespace cutaway::run {

namespace {

namespace fs = std::filesystem;
using protocol::Load;

constexpr std::string_view graphForm = "ir", onnxFormat = "onnx";
/// The time limit for loading a model, and for running it.
constexpr std::chrono::milliseconds patience = std::chrono::minutes(10);

std::unexpected<Error> fault(ErrorKind kind, std::string message)
{
    return std::unexpected(Error{kind, std::move(message), {}});
}

/// A Load request, and the folders that the plugin must be able to read for it.
struct Loading {
    protocol::Load request;
    std::string payload = {};
    std::vector<fs::path> folders = {};
    std::optional<TemporaryFolder> folder = {}; ///< holds the written file
};

fs::path whole(const fs::path &path)
{
    std::error_code error;
    fs::path canonical = fs::canonical(path, error);
    return error ? fs::absolute(path) : canonical;
}

std::string bytesOf(const fs::path &path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns the path by which the plugin finds the model and the files beside it. If the path is a link and the weights
/// lie only beside its target, that is the path of the target.
fs::path pathFor(const ir::Model &model, const fs::path &file)
{
    const fs::path place = plugin::placeOf(file);
    const bool isBesideTarget = std::ranges::any_of(model.files | std::views::drop(1), [&](const ir::DataFile &data) {
        const fs::path fromModel = fs::absolute(data.path).lexically_relative(fs::absolute(file).parent_path());
        return fromModel.empty() || *fromModel.begin() == "..";
    });
    return isBesideTarget ? whole(place) : place;
}

void addFolders(std::vector<fs::path> &folders, const fs::path &file)
{
    for (fs::path &folder : plugin::foldersTo(file))
        if (!std::ranges::contains(folders, folder))
            folders.push_back(std::move(folder));
}

/// Makes the request that loads the model's file, or a file written for this purpose. For a remote plugin the payload
/// has the bytes of the file, and the request no path.
Result<Loading> loadingOfFile(const Subject &subject, bool isHere, const Task &task)
{
    Loading loading;
    fs::path path;
    if (subject.file) {
        path = pathFor(subject.model, *subject.file);
        for (const ir::DataFile &file : subject.model.files)
            addFolders(loading.folders, file.path);
    } else {
        CUTAWAY_TRY(auto folder, TemporaryFolder::make());
        path = folder.path() / "model.onnx";
        CUTAWAY_RETURN_IF_ERROR(formats::write(subject.model, path, task));
        loading.folder.emplace(std::move(folder));
    }
    addFolders(loading.folders, path);
    if (isHere)
        loading.request.path = path.string();
    else
        loading.payload = bytesOf(path);
    return loading;
}

/// Makes the request that loads the graph as JSON with the byte ranges of its weights. For a remote plugin the weight
/// files follow in the payload.
Result<Loading> loadingOfGraph(const Subject &subject, bool isHere)
{
    Loading loading;
    ir::Model model = subject.model;
    ir::openWeights(model, subject.function);
    for (ir::DataFile &file : model.files) {
        file.path = whole(file.path);
        loading.folders.push_back(file.path.parent_path());
    }
    loading.request.function = model.context->text(model.at(subject.function).name);
    loading.payload = ir::printJson(model);
    if (isHere)
        return loading;
    for (const ir::DataFile &file : model.files) {
        const std::string bytes = bytesOf(file.path);
        loading.request.files.push_back(bytes.size());
        loading.payload += bytes;
    }
    return loading;
}

struct Sent {
    std::vector<protocol::ModelInput> inputs;
    std::string payload;
};

std::optional<protocol::Json> plainJson(const ops::Fact &fact)
{
    if (fact.as<ops::NoneFact>())
        return protocol::Json(nullptr);
    if (const auto *text = fact.as<ops::TextFact>())
        return protocol::Json(text->text);
    const auto *number = fact.as<ops::NumberFact>();
    if (!number)
        return std::nullopt;
    if (const auto *dim = std::get_if<ir::Dim>(&number->value))
        if (const auto *whole = std::get_if<std::int64_t>(dim))
            return protocol::Json(*whole);
    if (const auto *floating = std::get_if<double>(&number->value))
        return protocol::Json(*floating);
    if (const auto *boolean = std::get_if<bool>(&number->value))
        return protocol::Json(*boolean);
    return std::nullopt;
}

Result<protocol::ModelInput> sent(const std::string &name, const InputContent &content, std::string &payload)
{
    using protocol::ModelInput;
    return std::visit(
        Overloaded{[&](const protocol::Tensor &tensor) -> Result<ModelInput> { return send(name, tensor, payload); },
                   [&](protocol::DrawnTensor drawn) -> Result<ModelInput> {
                       drawn.name = name;
                       return drawn;
                   },
                   [&](const ops::Fact &fact) -> Result<ModelInput> {
                       const auto json = plainJson(fact);
                       return json ? Result<ModelInput>(protocol::PlainInput{name, *json})
                                   : fault(ErrorKind::Usage, "the input '" + name + "' cannot be sent to a plugin");
                   },
                   [&](const InputParts &parts) -> Result<ModelInput> {
                       protocol::InputItems all{name, parts.kind, {}};
                       for (const InputContent &item : parts.items) {
                           auto each = sent("", item, payload);
                           if (!each)
                               return each;
                           all.items.push_back(std::move(*each));
                       }
                       return all;
                   }},
        content);
}

Result<Sent> sent(const Inputs &inputs)
{
    Sent all;
    for (const Input &input : inputs) {
        CUTAWAY_TRY(auto each, sent(input.name, input.content, all.payload));
        all.inputs.push_back(std::move(each));
    }
    return all;
}

Result<Output> received(const protocol::ModelOutput &output, std::string_view payload)
{
    if (const auto *opaque = std::get_if<protocol::OpaqueResult>(&output))
        return Output{opaque->name, Opaque{opaque->type}};
    const auto &tensor = std::get<protocol::SentTensor>(output);
    CUTAWAY_TRY(auto elements, receive(tensor, payload));
    return Output{tensor.name, std::move(elements)};
}

class PluginBackend : public Backend {
public:
    PluginBackend(plugin::Manifest plugin, std::string form, plugin::Target target, BackendOptions options)
        : m_plugin(std::move(plugin)),
          m_form(std::move(form)),
          m_target(std::move(target)),
          m_options(std::move(options))
    {
    }

    Result<Outcome> run(const Subject &subject, const Inputs &inputs, const Task &task) override
    {
        return outcomeOf(subject, {}, inputs, task);
    }

    Result<Outcome> runWithValues(const Subject &subject, std::span<const ir::ValueId> values, const Inputs &inputs,
                                  const Task &task) override
    {
        const auto form = formFor(*m_plugin.backend, subject, m_form);
        if (!m_plugin.backend->givesValues || !form || *form == graphForm)
            return Backend::runWithValues(subject, values, inputs, task);
        std::vector<std::string> names;
        for (const ir::ValueId value : values)
            names.emplace_back(ir::ValueRef(subject.model.at(subject.function).graph, value).name());
        return outcomeOf(subject, names, inputs, task);
    }

    Result<protocol::Profile::Result> profile(const Subject &subject, const Inputs &inputs, double seconds,
                                              const Task &task) override
    {
        const std::chrono::milliseconds measuring(static_cast<std::int64_t>(2'000 * seconds));
        CUTAWAY_TRY(const auto reply, ask(subject, inputs, task, measuring, [&](const Load::Result &loaded, Sent all) {
                        return std::pair(protocol::Profile{loaded.model, std::move(all.inputs), 2, seconds},
                                         std::move(all.payload));
                    }));
        return parsed<protocol::Profile::Result>(reply);
    }

private:
    /// Returns the outcome of one run: the outputs, followed by the values of these names.
    Result<Outcome> outcomeOf(const Subject &subject, const std::vector<std::string> &values, const Inputs &inputs,
                              const Task &task)
    {
        Outcome outcome;
        CUTAWAY_TRY(const auto reply, ask(subject, inputs, task, {}, [&](const Load::Result &loaded, Sent all) {
                        outcome.backend = loaded.backend;
                        return std::pair(protocol::Run{loaded.model, std::move(all.inputs), {}, values},
                                         std::move(all.payload));
                    }));
        CUTAWAY_TRY(const auto result, parsed<protocol::Run::Result>(reply));
        outcome.seconds = result.seconds;
        for (const protocol::ModelOutput &output : result.outputs) {
            CUTAWAY_TRY(auto each, received(output, reply.payload));
            outcome.outputs.push_back(std::move(each));
        }
        return outcome;
    }

    template <class T>
    Result<T> parsed(const plugin::Reply &reply) const
    {
        auto result = protocol::parse<T>(reply.result);
        if (!result)
            result.error().message = "the plugin '" + m_plugin.name + "' " + result.error().message;
        return result;
    }

    /// Starts the plugin, loads the model and sends the request that `request` makes for the loaded model: a method and
    /// its payload. `work`: the time that the request itself takes.
    template <class MakeRequest>
    Result<plugin::Reply> ask(const Subject &subject, const Inputs &inputs, const Task &task,
                              std::chrono::milliseconds work, MakeRequest makeRequest)
    {
        CUTAWAY_TRY(auto all, sent(inputs));
        CUTAWAY_TRY(auto loading, loadingOf(subject, task));
        plugin::Session session(m_plugin, m_target, loading.folders);
        const std::chrono::milliseconds limit = session.answerLimit(patience);
        const auto reply = session.call(loading.request, std::move(loading.payload), task, limit);
        if (!reply)
            return reply;
        CUTAWAY_TRY(const auto loaded, parsed<Load::Result>(*reply));
        auto [request, payload] = makeRequest(loaded, std::move(all));
        return session.call(decltype(request)::method, protocol::print(request), std::move(payload), task,
                            limit + work);
    }

    Result<Loading> loadingOf(const Subject &subject, const Task &task) const
    {
        const auto form = formFor(*m_plugin.backend, subject, m_form);
        if (!form)
            return fault(ErrorKind::Usage,
                         "the plugin '" + m_plugin.name + "' does not run "
                             + (subject.function == ir::FunctionId{0} ? "models of the format " + subject.model.format
                                                                      : "single functions of this format")
                             + (m_form.empty() ? "" : " as " + m_form));
        auto loading = *form == graphForm ? loadingOfGraph(subject, m_target.isHere())
                                          : loadingOfFile(subject, m_target.isHere(), task);
        if (loading) {
            loading->request.form = *form;
            if (std::ranges::contains(m_plugin.backend->engines, m_form))
                loading->request.engine = m_form;
            loading->request.optimization = m_options.optimization;
            loading->request.threads = m_options.threads;
            if (!m_options.device.empty())
                loading->request.device = m_options.device;
            CUTAWAY_RETURN_IF_ERROR(addLibraries(*loading));
        }
        return loading;
    }

    /// Lets the plugin read the folders of libraries, since a library may need others in its folder.
    Result<void> addLibraries(Loading &loading) const
    {
        for (const std::string &library : m_options.libraries) {
            std::error_code error;
            if (m_target.isHere() && !fs::is_regular_file(library, error))
                return usageError("there is no such library of operators", library);
            const fs::path path = m_target.isHere() ? whole(library) : fs::path(library);
            loading.folders.push_back(path.parent_path());
            loading.request.libraries.push_back(path.string());
        }
        return {};
    }

    plugin::Manifest m_plugin;
    std::string m_form; ///< the requested form or engine; "": the first form that fits the model
    plugin::Target m_target;
    BackendOptions m_options;
};

} // namespace

std::optional<std::string> formFor(const plugin::BackendOffer &offer, const Subject &subject, std::string_view wanted)
{
    const std::string &format = subject.model.format;
    const bool isMain = subject.function == ir::FunctionId{0};
    const bool isAnyForm = wanted.empty() || std::ranges::contains(offer.engines, wanted);
    for (const std::string &form : offer.runs) {
        if (!isAnyForm && form != wanted)
            continue;
        // A changed ONNX model can be written to a file, a changed TorchScript model cannot. Backends of graphs do not
        // support ONNX operators.
        const bool isFile = form == format && isMain && (subject.file || format == onnxFormat);
        if (isFile || (form == graphForm && format != onnxFormat))
            return form;
    }
    return std::nullopt;
}

std::unique_ptr<Backend> pluginBackend(plugin::Manifest plugin, std::string form, plugin::Target target,
                                       BackendOptions options)
{
    return std::make_unique<PluginBackend>(std::move(plugin), std::move(form), std::move(target), std::move(options));
}

} // namespace cutaway::run
