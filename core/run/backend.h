// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/plugin/manifest.h"
#include "core/plugin/target.h"
#include "core/run/inputs.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace cutaway::run {

/// A function of a model to run.
struct Subject {
    const ir::Model &model;
    ir::FunctionId function;
    /// The file with the same model, if there is one, so that no file needs to be written for a backend.
    std::optional<std::filesystem::path> file;
};

/// A result that is not a tensor, described in words: "None", "empty list", "sparse tensor".
struct Opaque {
    std::string what;
};
struct Output {
    std::string name;
    std::variant<protocol::Tensor, Opaque> content;
};
struct Outcome {
    std::string backend; ///< "ONNX Runtime 1.21.0"
    double seconds = 0;  ///< the time of the run alone, without loading
    std::vector<Output> outputs;
};

/// Settings of a backend.
struct BackendOptions {
    std::string optimization = "all";        ///< see protocol::Load
    std::uint64_t threads = 0;               ///< 0: the backend's default
    std::string device = {};                 ///< an id that the backend lists: "cuda:0"; "": the processor
    std::vector<std::string> libraries = {}; ///< operator libraries to load before the model, where the backend runs
};

/// A value that is to be shown during a run: a result of a node, with its number of bytes if that is known.
struct Watched {
    ir::ValueId value;
    std::optional<std::uint64_t> bytes;
};
/// Receives a value of a run as soon as it is computed; a value in a loop once in each iteration.
using Seen = std::function<void(ir::ValueId, const protocol::Tensor &)>;

/// Returns the known number of bytes of a tensor.
std::optional<std::uint64_t> knownBytes(const analysis::Shapes &shapes, ir::ValueId value);

/// Counts the bytes of values that are kept while a model runs. If they are too many, the model runs again for the
/// rest.
class KeptBytes {
public:
    /// Counts a value of `bytes` bytes (nothing: not known) and returns true. If it is too large beside the values that
    /// were counted before, does not count it and returns false.
    bool add(std::optional<std::uint64_t> bytes);

private:
    std::uint64_t m_bytes = 0;
    bool m_hasValues = false;
};

/// Runs and profiles models.
class Backend {
public:
    Backend() = default;
    Backend(const Backend &) = delete;
    Backend &operator=(const Backend &) = delete;
    virtual ~Backend() = default;

    /// Runs the function and returns all outputs of `subject`. Errors: Usage: the backend does not support the model;
    /// Backend: it failed; Cancelled.
    virtual Result<Outcome> run(const Subject &subject, const Inputs &inputs, const Task &task) = 0;
    /// Runs the function. The outcome has its outputs, followed by these values of the body. Errors: those of run().
    virtual Result<Outcome> runWithValues(const Subject &subject, std::span<const ir::ValueId> values,
                                          const Inputs &inputs, const Task &task);
    /// Runs the function and passes these values, if they are tensors, to `seen`, without keeping them all. This
    /// implementation runs the function several times for that, so values that are drawn at random come from different
    /// runs. Values in regions are left out; only the evaluator has them. Errors: those of run().
    virtual Result<Outcome> watch(const Subject &subject, const Inputs &inputs, std::span<const Watched> values,
                                  const Seen &seen, const Task &task);
    /// Profiles the function. Errors: those of run(); Usage if the backend does not support profiling.
    virtual Result<protocol::Profile::Result> profile(const Subject &subject, const Inputs &inputs, double seconds,
                                                      const Task &task) = 0;
};

inline constexpr const char *evaluatorName = "evaluator";

/// Returns Cutaway's own evaluator, for all formats: exact, and slow.
std::unique_ptr<Backend> evaluatorBackend();
/// Returns the backend of a plugin. `form`: the model form that it gets, one of those it accepts, or one of its
/// engines; "": the first form that fits the model.
std::unique_ptr<Backend> pluginBackend(plugin::Manifest plugin, std::string form = {}, plugin::Target target = {},
                                       BackendOptions options = {});
/// Returns the form in which a plugin's backend would get the model. It is `wanted` if that is a form and possible; if
/// it is "" or an engine, the first possible form. nullopt if the backend cannot run the model.
std::optional<std::string> formFor(const plugin::BackendOffer &offer, const Subject &subject,
                                   std::string_view wanted = {});

/// Returns the backend of this name: the evaluator, or a plugin on a target. "torch/torchscript" is the plugin torch
/// that gets TorchScript, "torch-python/compile" an engine of a plugin. Errors: Usage: an unknown backend, form or
/// target, or options that the evaluator does not have; those of plugin::readTargets().
Result<std::unique_ptr<Backend>> findBackend(const std::string &name, const std::string &target = "local",
                                             const BackendOptions &options = {});

/// Appends these values, results of nodes of the body, to the function's outputs, so that backends return them. They
/// are returned as they are when they are made, even if something writes to them later.
ir::Model withOutputs(ir::Model model, ir::FunctionId function, std::span<const ir::ValueId> values);

} // namespace cutaway::run
