// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"
#include "plugins/onnxruntime/library.h"
#include "plugins/onnxruntime/loaded_model.h"
#include "plugins/onnxruntime/profile.h"
#include "plugins/onnxruntime/providers.h"
#include "plugins/onnxruntime/values.h"
#include "plugins/server/cuda.h"
#include "plugins/server/loaded.h"
#include "plugins/server/machine.h"
#include "plugins/server/server.h"

#include <chrono>
#include <cstdio>
#include <unistd.h>

namespace cutaway::plugins {

namespace {

using protocol::Conditions;
using protocol::Devices;
using protocol::Load;
using protocol::ModelOutput;
using protocol::OpaqueResult;
using protocol::Profile;
using protocol::Run;
using protocol::Supports;
using protocol::Tensor;
using protocol::Transform;
using protocol::Unload;
using Clock = std::chrono::steady_clock;

Result<Answer> listDevices() { return Answer{print(Devices::Result{providerDevices()})}; }

Result<Answer> transform(const Transform &request, const std::string &model)
{
    const auto level = request.options.find("level");
    if (request.pass != "optimize" || level == request.options.end() || !level->is_string())
        return std::unexpected(Error{ErrorKind::Usage, "unknown pass '" + request.pass + "' with these options", {}});
    CUTAWAY_TRY(auto file, optimized(model, level->get<std::string>()));
    return Answer{print(Transform::Result()), std::move(file)};
}

Result<Answer> answerSupports(const Supports &request, std::string_view payload, const std::stop_token &stop)
{
    CUTAWAY_TRY(const auto models, modelsOf(request, payload));
    Supports::Result result;
    for (const std::string_view model : models) {
        if (stop.stop_requested())
            return cancelled();
        result.verdicts.push_back(verdictOn(model, request.device));
    }
    return Answer{print(result)};
}

/// The models that the client has loaded.
class Models {
public:
    explicit Models(std::string version) : m_version(std::move(version)) { }

    Result<Answer> load(Load request, std::string bytes)
    {
        CUTAWAY_TRY(auto model, LoadedModel::load(std::move(request), std::move(bytes)));
        Load::Result result{{}, name(), model.inputNames(), model.outputNames()};
        result.model = m_models.add(std::move(model));
        return Answer{print(result)};
    }

    Result<Answer> run(const Run &request, const std::string &payload, std::stop_token stop)
    {
        CUTAWAY_TRY(auto begun, begin(request, payload));
        const auto start = Clock::now();
        CUTAWAY_TRY(const auto values, begun.model->run(begun.inputs, request.outputs, std::move(stop)));
        Answer answer;
        Run::Result result{{}, std::chrono::duration<double>(Clock::now() - start).count()};
        const auto names = request.outputs.empty() ? begun.model->outputNames() : request.outputs;
        for (std::size_t i = 0; i < values.size(); ++i)
            send(names[i], values[i], result.outputs, answer.payload);
        answer.result = print(result);
        return answer;
    }

    Result<Answer> profile(const Profile &request, const std::string &payload, std::stop_token stop)
    {
        CUTAWAY_TRY(auto begun, begin(request, payload));
        const std::string time = timeNow();
        CUTAWAY_TRY(auto result, plugins::profile(*begun.model, begun.inputs, request, std::move(stop)));
        result.conditions = conditionsOf(*begun.model, time);
        return Answer{print(result)};
    }

    Result<Answer> unload(const Unload &request)
    {
        return m_models.unload(request).transform([](const Unload::Result &result) { return Answer{print(result)}; });
    }

private:
    /// The model and the inputs for a request that runs a model.
    struct Begun {
        LoadedModel *model;
        std::vector<NamedInput> inputs;
    };
    Result<Begun> begin(const auto &request, const std::string &payload)
    {
        CUTAWAY_TRY(const auto model, m_models.find(request.model));
        CUTAWAY_TRY(auto inputs, inputsOf(request.inputs, payload));
        return Begun{model, std::move(inputs)};
    }

    Conditions conditionsOf(const LoadedModel &model, const std::string &time) const
    {
        return {thisMachine(),
                {name(), systemLibrary()},
                model.threads(),
                model.request().optimization,
                model.request().device,
                time,
                acceleratorOf(model.request().device)};
    }

    std::string name() const { return "ONNX Runtime " + m_version; }

    std::string m_version; ///< ONNX Runtime's version
    Loaded<LoadedModel> m_models;
};

int serve(const std::string &version, int output)
{
    Models models(version);
    Server server({protocol::version, "onnxruntime", version});
    server.on(Devices::method, [](const Call &) { return listDevices(); });
    server.on<Load>([&](Load request, std::string bytes, std::stop_token) {
        return models.load(std::move(request), std::move(bytes));
    });
    server.on<Run>([&](const Run &request, const std::string &payload, std::stop_token stop) {
        return models.run(request, payload, std::move(stop));
    });
    server.on<Profile>([&](const Profile &request, const std::string &payload, std::stop_token stop) {
        return models.profile(request, payload, std::move(stop));
    });
    server.on<Transform>(
        [](const Transform &request, const std::string &model, std::stop_token) { return transform(request, model); });
    server.on<Supports>([](const Supports &request, const std::string &payload, const std::stop_token &stop) {
        return answerSupports(request, payload, stop);
    });
    server.on<Unload>(
        [&](const Unload &request, const std::string &, std::stop_token) { return models.unload(request); });
    return server.serve(STDIN_FILENO, output);
}

} // namespace

} // namespace cutaway::plugins

/// Runs as cutaway-onnxruntime [LIBRARY], another build of ONNX Runtime, such as one for graphics processors.
int main(int count, char **arguments)
{
    // Output of libraries must not get between the protocol's messages.
    const int output = dup(STDOUT_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    const auto version = count > 1 ? cutaway::plugins::loadLibrary(arguments[1]) : cutaway::plugins::loadLibrary();
    if (version)
        return cutaway::plugins::serve(*version, output);
    std::fprintf(stderr, "%s\n", version.error().text().c_str());
    return 1;
}
