// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"
#include "core/ir/json/json.h"
#include "core/protocol/supports.h"
#include "plugins/server/cuda.h"
#include "plugins/server/loaded.h"
#include "plugins/server/machine.h"
#include "plugins/server/server.h"
#include "plugins/torch/jit/passes.h"
#include "plugins/torch/operators.h"
#include "plugins/torch/profile.h"
#include "plugins/torch/quantized_decomposed.h"
#include "plugins/torch/values.h"

#include <ATen/Context.h>
#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <torch/version.h>
#include <unistd.h>

namespace cutaway::plugins {

namespace {

using protocol::Devices;
using protocol::Load;
using protocol::ModelInput;
using protocol::Profile;
using protocol::Supports;
using protocol::Transform;
using protocol::Unload;
using Clock = std::chrono::steady_clock;

Result<Answer> listDevices()
{
    Devices::Result result{{processor()}};
    if (at::hasCUDA())
        std::ranges::copy(asBackendDevices(cudaDevices()), std::back_inserter(result.devices));
    return Answer{print(result)};
}

/// Returns whether torch's registry, or the plugin itself, has the operators of a graph.
Supports::Verdict verdictOn(std::string_view text)
{
    const auto model = ir::parseJson(text);
    if (!model || model->functions.empty())
        return {{}, model ? "the model has no function" : model.error().message};
    for (const ir::NodeRef node : ir::nodesOf(model->functions.front().graph))
        if (!findTorchOperator(node) && !findLanguageOperator(node) && !findExportedOperator(node))
            return {false, "torch " TORCH_VERSION " has no operator " + node.fullName()};
    return {true};
}

Result<Answer> answerSupports(const Supports &request, std::string_view payload)
{
    CUTAWAY_TRY(const auto models, modelsOf(request, payload));
    Supports::Result result;
    std::ranges::transform(models, std::back_inserter(result.verdicts), verdictOn);
    return Answer{print(result)};
}

/// The models that the client has loaded.
class Models {
public:
    Result<Answer> load(const Load &request, const std::string &payload)
    {
        CUTAWAY_TRY(auto model, LoadedModel::load(request, payload));
        Load::Result result{{}, model->program() ? "torch " TORCH_VERSION : "TorchScript, torch " TORCH_VERSION};
        for (const NamedType &input : model->inputs())
            result.inputs.push_back(input.name);
        result.outputs.assign(model->outputs().begin(), model->outputs().end());
        result.model = m_models.add(std::move(model));
        return Answer{print(result)};
    }

    Result<Answer> run(const protocol::Run &request, const std::string &payload, const std::stop_token &stop)
    {
        CUTAWAY_TRY(const auto found, m_models.find(request.model));
        LoadedModel &model = **found;
        CUTAWAY_TRY(auto inputs, inputsOf(model, request.inputs, payload));
        at::manual_seed(0); // makes random operators give the same numbers in each run
        const auto start = Clock::now();
        CUTAWAY_TRY(auto values, model.run(std::move(inputs), stop, nullptr));
        synchronize(model.device());
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        Answer answer;
        protocol::Run::Result result{{}, seconds};
        for (std::size_t i = 0; i < values.size(); ++i)
            send(model.outputs()[i], values[i], result.outputs, answer.payload);
        answer.result = print(result);
        return answer;
    }

    Result<Answer> profile(const Profile &request, const std::string &payload, const std::stop_token &stop)
    {
        CUTAWAY_TRY(const auto found, m_models.find(request.model));
        LoadedModel &model = **found;
        CUTAWAY_TRY(const auto inputs, inputsOf(model, request.inputs, payload));
        const std::string time = timeNow();
        CUTAWAY_TRY(auto result, plugins::profile(model, inputs, request, stop));
        result.conditions = {thisMachine(),
                             {"torch " TORCH_VERSION, systemLibrary()},
                             static_cast<std::uint64_t>(at::get_num_threads()),
                             "none",
                             model.device().str(),
                             time,
                             acceleratorOf(model.device().str())};
        return Answer{print(result)};
    }

    Result<Answer> unload(const Unload &request)
    {
        return m_models.unload(request).transform([](const Unload::Result &result) { return Answer{print(result)}; });
    }

private:
    /// Returns the inputs by name if the names are the model's, else in order.
    static Result<Values> inputsOf(const LoadedModel &model, const std::vector<ModelInput> &given,
                                   std::string_view payload)
    {
        if (given.size() != model.inputs().size())
            return std::unexpected(Error{ErrorKind::Usage,
                                         "the model has " + std::to_string(model.inputs().size()) + " inputs, and "
                                             + std::to_string(given.size()) + " were given",
                                         {}});
        Values values;
        for (std::size_t i = 0; i < given.size(); ++i) {
            const NamedType &wanted = model.inputs()[i];
            const auto named =
                std::ranges::find(given, wanted.name, [](const ModelInput &input) { return nameOf(input); });
            auto value = valueOf(named == given.end() ? given[i] : *named, payload, wanted.type, model.device());
            if (!value)
                return std::unexpected(
                    Error{ErrorKind::Usage, "input '" + wanted.name + "': " + value.error().message, {}});
            values.push_back(std::move(*value));
        }
        return values;
    }

    Loaded<std::unique_ptr<LoadedModel>> m_models;
};

int serve(int output)
{
    registerQuantizedDecomposed();
    Models models;
    Server server({protocol::version, "torch", TORCH_VERSION});
    server.on(Devices::method, [](const Call &) { return listDevices(); });
    server.on<Load>([&](const Load &request, const std::string &payload, const std::stop_token &) {
        return models.load(request, payload);
    });
    server.on<protocol::Run>([&](const protocol::Run &request, const std::string &payload,
                                 const std::stop_token &stop) { return models.run(request, payload, stop); });
    server.on<Profile>([&](const Profile &request, const std::string &payload, const std::stop_token &stop) {
        return models.profile(request, payload, stop);
    });
    server.on<Transform>(
        [](const Transform &request, const std::string &payload, const std::stop_token &) -> Result<Answer> {
            CUTAWAY_TRY(auto model, transform(request, payload));
            return Answer{print(Transform::Result()), std::move(model)};
        });
    server.on<Supports>([](const Supports &request, const std::string &payload, const std::stop_token &) {
        return answerSupports(request, payload);
    });
    server.on<Unload>(
        [&](const Unload &request, const std::string &, const std::stop_token &) { return models.unload(request); });
    return server.serve(STDIN_FILENO, output);
}

} // namespace

} // namespace cutaway::plugins

// Libraries that torch loads write to standard output before main() is called. So messages use another descriptor,
// whose number is in the manifest's command. "--version" prints the version of torch, which shows that torch can be
// loaded.
int main(int count, char **arguments)
{
    if (count > 1 && std::string_view(arguments[1]) == "--version") {
        std::printf("torch %s%s\n", TORCH_VERSION, at::hasCUDA() ? ", with CUDA" : "");
        return 0;
    }
    return cutaway::plugins::serve(count > 1 ? static_cast<int>(std::strtol(arguments[1], nullptr, 10))
                                             : STDOUT_FILENO);
}
