// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/plugin/manifest.h"
#include "core/plugin/target.h"
#include "core/run/inputs.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace cutaway::run {

/// A function of a model to be computed.
struct Subject {
    const ir::Model &model;
    ir::FunctionId function;
    /// The file that says the same, if there is one: it need not be written for a backend then.
    std::optional<std::filesystem::path> file;
};

/// A result that is no tensor, and what it is instead: "sequence of 2"; "None" if there is none.
struct Opaque {
    std::string what;
};
struct Output {
    std::string name;
    std::variant<protocol::Tensor, Opaque> content;
};
struct Outcome {
    std::string backend; ///< "ONNX Runtime 1.21.0"
    double seconds = 0;  ///< of the run alone
    std::vector<Output> outputs;
};

/// How a backend is to work.
struct Effort {
    std::string optimization = "all"; ///< see protocol::Load
    std::uint64_t threads = 0;        ///< 0: as many as it wants
};

/// Something that computes models.
class Backend {
public:
    Backend() = default;
    Backend(const Backend &) = delete;
    Backend &operator=(const Backend &) = delete;
    virtual ~Backend() = default;

    /// The results of the function, all that `subject` says are its outputs. Errors: Usage for a model that it is not
    /// for; Backend for what it cannot compute; Cancelled.
    virtual Result<Outcome> run(const Subject &subject, const Inputs &inputs, const Task &task) = 0;
    /// Errors: Usage, too, where the backend takes no times.
    virtual Result<protocol::Profile::Result> profile(const Subject &subject, const Inputs &inputs, double seconds,
                                                      const Task &task) = 0;
};

inline constexpr const char *evaluatorName = "evaluator";

/// Cutaway's own evaluator, for all formats: exact, and slow.
std::unique_ptr<Backend> evaluatorBackend();
/// A plugin that has a backend. `form`: what it is to be given, of what it runs; "": the first that the model can be.
std::unique_ptr<Backend> pluginBackend(plugin::Manifest plugin, std::string form = {}, plugin::Target target = {},
                                       Effort effort = {});
/// What such a backend would be given: the first form that the model can be, or `wanted` if it can be that; nothing if
/// it cannot run it.
std::optional<std::string> formFor(const plugin::BackendOffer &offer, const Subject &subject,
                                   std::string_view wanted = {});

/// The backend of this name: the evaluator, or a plugin on a target; "torch/torchscript" is the plugin torch, given
/// TorchScript. Errors (Usage): there is none such, or no such target.
Result<std::unique_ptr<Backend>> findBackend(const std::string &name, const std::string &target = "local",
                                             const Effort &effort = {});

/// The model with these values behind the outputs of the function, so that backends give them too.
ir::Model withOutputs(ir::Model model, ir::FunctionId function, std::span<const ir::ValueId> values);

} // namespace cutaway::run
