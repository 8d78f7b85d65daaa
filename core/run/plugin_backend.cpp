// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/overloaded.h"
#include "core/formats/format.h"
#include "core/plugin/session.h"
#include "core/run/backend.h"
#include "core/run/elements.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace cutaway::run {

namespace {

namespace fs = std::filesystem;
using protocol::Load;

constexpr std::chrono::milliseconds patience = std::chrono::minutes(10); ///< with what takes no time of its own

std::unexpected<Error> fault(ErrorKind kind, std::string message)
{
    return std::unexpected(Error{kind, std::move(message), {}});
}

/// A folder that is gone with the object.
class TemporaryFolder {
public:
    static Result<TemporaryFolder> make()
    {
        std::string name = (fs::temp_directory_path() / "cutaway-run-XXXXXX").string();
        if (!mkdtemp(name.data()))
            return fault(ErrorKind::Backend, "there is no folder for temporary files");
        return TemporaryFolder(name);
    }
    ~TemporaryFolder()
    {
        std::error_code ignored;
        if (!m_path.empty())
            fs::remove_all(m_path, ignored);
    }
    TemporaryFolder(TemporaryFolder &&other) noexcept : m_path(std::exchange(other.m_path, {})) { }
    TemporaryFolder &operator=(TemporaryFolder &&) = delete;
    const fs::path &path() const { return m_path; }

private:
    explicit TemporaryFolder(fs::path path) : m_path(std::move(path)) { }
    fs::path m_path;
};

/// A file that a plugin can read, and that stays as long as it works.
struct ModelFile {
    fs::path path;
    std::optional<TemporaryFolder> folder;
};

Result<ModelFile> fileOf(const Subject &subject, const Task &task)
{
    std::error_code error;
    if (subject.file)
        return ModelFile{fs::canonical(*subject.file, error), std::nullopt};
    auto folder = TemporaryFolder::make();
    if (!folder)
        return std::unexpected(folder.error());
    fs::path path = folder->path() / "model.onnx";
    if (auto written = formats::write(subject.model, path, task); !written)
        return std::unexpected(written.error());
    return ModelFile{std::move(path), std::move(*folder)};
}

struct Sent {
    std::vector<protocol::ModelInput> inputs;
    std::string payload;
};

Result<Sent> sent(const Inputs &inputs)
{
    Sent all;
    for (const Input &input : inputs) {
        if (std::holds_alternative<evaluate::Value>(input.content))
            return fault(ErrorKind::Usage, "the input '" + input.name + "' is no tensor");
        if (const auto *drawn = std::get_if<protocol::DrawnTensor>(&input.content))
            all.inputs.emplace_back(*drawn);
        else
            all.inputs.emplace_back(send(input.name, std::get<protocol::Tensor>(input.content), all.payload));
    }
    return all;
}

Result<Output> received(const protocol::ModelOutput &output, std::string_view payload)
{
    if (const auto *opaque = std::get_if<protocol::OpaqueResult>(&output))
        return Output{opaque->name, Opaque{opaque->type}};
    const auto &tensor = std::get<protocol::SentTensor>(output);
    auto elements = receive(tensor, payload);
    return elements ? Result<Output>(Output{tensor.name, std::move(*elements)}) : std::unexpected(elements.error());
}

class PluginBackend : public Backend {
public:
    PluginBackend(plugin::Manifest plugin, plugin::Target target, Effort effort)
        : m_plugin(std::move(plugin)),
          m_target(std::move(target)),
          m_effort(std::move(effort))
    {
    }

    Result<Outcome> run(const Subject &subject, const Inputs &inputs, const Task &task) override
    {
        Outcome outcome;
        const auto reply = ask(subject, inputs, task, patience, [&](const Load::Result &loaded, Sent all) {
            outcome.backend = loaded.backend;
            return std::pair(protocol::Run{loaded.model, std::move(all.inputs), {}}, std::move(all.payload));
        });
        if (!reply)
            return std::unexpected(reply.error());
        const auto result = parsed<protocol::Run::Result>(*reply);
        if (!result)
            return std::unexpected(result.error());
        outcome.seconds = result->seconds;
        for (const protocol::ModelOutput &output : result->outputs) {
            auto each = received(output, reply->payload);
            if (!each)
                return std::unexpected(each.error());
            outcome.outputs.push_back(std::move(*each));
        }
        return outcome;
    }

    Result<protocol::Profile::Result> profile(const Subject &subject, const Inputs &inputs, double seconds,
                                              const Task &task) override
    {
        const auto limit = patience + std::chrono::milliseconds(static_cast<std::int64_t>(2'000 * seconds));
        const auto reply = ask(subject, inputs, task, limit, [&](const Load::Result &loaded, Sent all) {
            return std::pair(protocol::Profile{loaded.model, std::move(all.inputs), 2, seconds},
                             std::move(all.payload));
        });
        if (!reply)
            return std::unexpected(reply.error());
        return parsed<protocol::Profile::Result>(*reply);
    }

private:
    template <class T>
    Result<T> parsed(const plugin::Reply &reply) const
    {
        auto result = protocol::parse<T>(reply.result);
        if (!result)
            result.error().message = "the plugin '" + m_plugin.name + "' " + result.error().message;
        return result;
    }

    /// Starts the plugin, lets it load the model and asks what `request` makes of that: a method and its payload.
    template <class MakeRequest>
    Result<plugin::Reply> ask(const Subject &subject, const Inputs &inputs, const Task &task,
                              std::chrono::milliseconds limit, MakeRequest makeRequest)
    {
        if (subject.model.format != "onnx")
            return fault(ErrorKind::Usage,
                         "the plugin '" + m_plugin.name + "' runs ONNX models; the evaluator runs others, too");
        if (subject.function != ir::FunctionId{0})
            return fault(ErrorKind::Usage, "the plugin '" + m_plugin.name + "' runs a model's main function alone");
        auto all = sent(inputs);
        if (!all)
            return std::unexpected(all.error());
        const auto file = fileOf(subject, task);
        if (!file)
            return std::unexpected(file.error());
        plugin::Session session(m_plugin, m_target, {file->path.parent_path()});
        const auto loaded = load(session, file->path, task);
        if (!loaded)
            return std::unexpected(loaded.error());
        auto [request, payload] = makeRequest(*loaded, std::move(*all));
        return session.call(decltype(request)::method, protocol::print(request), std::move(payload), task, limit);
    }

    /// Elsewhere the file is not to be seen: its bytes are sent.
    Result<Load::Result> load(plugin::Session &session, const fs::path &path, const Task &task) const
    {
        Load request{path.string(), m_effort.optimization, "cpu", m_effort.threads};
        std::string bytes;
        if (!m_target.isHere()) {
            std::ifstream file(path, std::ios::binary);
            bytes.assign(std::istreambuf_iterator<char>(file), {});
            request.path.clear();
        }
        const auto reply = session.call(request, std::move(bytes), task);
        return reply ? parsed<Load::Result>(*reply) : std::unexpected(reply.error());
    }

    plugin::Manifest m_plugin;
    plugin::Target m_target;
    Effort m_effort;
};

} // namespace

std::unique_ptr<Backend> pluginBackend(plugin::Manifest plugin, plugin::Target target, Effort effort)
{
    return std::make_unique<PluginBackend>(std::move(plugin), std::move(target), std::move(effort));
}

} // namespace cutaway::run
