// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/onnxruntime/library.h"
#include "plugins/onnxruntime/loaded_model.h"
#include "plugins/onnxruntime/profile.h"
#include "plugins/onnxruntime/values.h"
#include "plugins/server/server.h"

#include <chrono>
#include <cstdio>
#include <thread>
#include <unistd.h>

namespace cutaway::plugins {

namespace {

using namespace protocol;
using Clock = std::chrono::steady_clock;

Result<Answer> listDevices()
{
    const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
    const auto pageSize = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const std::string name = std::to_string(std::thread::hardware_concurrency()) + " processors";
    return Answer{print(Devices::Result{{{"cpu", name, pages * pageSize}}})};
}

/// The models that the other side has loaded.
class Models {
public:
    explicit Models(std::string version) : m_version(std::move(version)) { }

    Result<Answer> load(Load wishes, std::string bytes)
    {
        auto model = LoadedModel::load(std::move(wishes), std::move(bytes));
        if (!model)
            return std::unexpected(model.error());
        const LoadedId id{++m_loads};
        Load::Result result{id, "ONNX Runtime " + m_version, model->inputNames(), model->outputNames()};
        m_models.emplace(id, std::move(*model));
        return Answer{print(result)};
    }

    Result<Answer> run(const Run &wishes, const std::string &payload, std::stop_token stop)
    {
        auto model = find(wishes.model);
        if (!model)
            return std::unexpected(model.error());
        auto inputs = inputsOf(wishes.inputs, payload);
        if (!inputs)
            return std::unexpected(inputs.error());
        const auto start = Clock::now();
        const auto values = (*model)->run(*inputs, wishes.outputs, std::move(stop));
        if (!values)
            return std::unexpected(values.error());
        Answer answer;
        Run::Result result{{}, std::chrono::duration<double>(Clock::now() - start).count()};
        const auto names = wishes.outputs.empty() ? (*model)->outputNames() : wishes.outputs;
        for (std::size_t i = 0; i < values->size(); ++i)
            result.outputs.push_back(outputOf(names[i], (*values)[i], answer.payload));
        answer.result = print(result);
        return answer;
    }

    Result<Answer> profile(const Profile &wishes, const std::string &payload, std::stop_token stop)
    {
        auto model = find(wishes.model);
        if (!model)
            return std::unexpected(model.error());
        auto inputs = inputsOf(wishes.inputs, payload);
        if (!inputs)
            return std::unexpected(inputs.error());
        const auto result = plugins::profile(**model, *inputs, wishes, std::move(stop));
        return result ? Result<Answer>(Answer{print(*result)}) : std::unexpected(result.error());
    }

    Result<Answer> unload(const Unload &wishes)
    {
        if (const auto model = find(wishes.model); !model)
            return std::unexpected(model.error());
        m_models.erase(wishes.model);
        return Answer{print(Unload::Result())};
    }

private:
    Result<LoadedModel *> find(LoadedId id)
    {
        const auto found = m_models.find(id);
        if (found == m_models.end())
            return std::unexpected(
                Error{ErrorKind::Usage, "there is no model " + std::to_string(id.number) + " loaded", {}});
        return &found->second;
    }

    static ModelOutput outputOf(const std::string &name, const Ort::Value &value, std::string &payload)
    {
        const auto content = contentOf(value);
        if (const auto *tensor = std::get_if<Tensor>(&content))
            return send(name, *tensor, payload);
        return OpaqueResult{name, std::get<std::string>(content)};
    }

    std::string m_version; ///< of ONNX Runtime
    std::map<LoadedId, LoadedModel> m_models;
    std::uint64_t m_loads = 0;
};

int serve(const std::string &version, int output)
{
    Models models(version);
    Server server({protocol::version, "onnxruntime", version});
    server.on(Devices::method, [](const Call &) { return listDevices(); });
    server.on<Load>([&](Load wishes, std::string bytes, std::stop_token) {
        return models.load(std::move(wishes), std::move(bytes));
    });
    server.on<Run>([&](const Run &wishes, const std::string &payload, std::stop_token stop) {
        return models.run(wishes, payload, std::move(stop));
    });
    server.on<Profile>([&](const Profile &wishes, const std::string &payload, std::stop_token stop) {
        return models.profile(wishes, payload, std::move(stop));
    });
    server.on<Unload>(
        [&](const Unload &wishes, const std::string &, std::stop_token) { return models.unload(wishes); });
    return server.serve(STDIN_FILENO, output);
}

} // namespace

} // namespace cutaway::plugins

int main()
{
    // What a library prints must not get among the messages.
    const int output = dup(STDOUT_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    const auto version = cutaway::plugins::loadLibrary();
    if (version)
        return cutaway::plugins::serve(*version, output);
    std::fprintf(stderr, "%s\n", version.error().text().c_str());
    return 1;
}
