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
    /// The file with the same model, if there is one: then none needs to be written for a backend.
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
    std::uint64_t threads = 0;               ///< 0: its default
    std::string device = {};                 ///< an id that the backend lists: "cuda:0"; "": the processor
    std::vector<std::string> libraries = {}; ///< operator libraries to load before the model, where the backend runs
};

/// A value that is to be seen in a run: a result of a node, and its bytes as far as they are known.
struct Watched {
    ir::ValueId value;
    std::optional<std::uint64_t> bytes;
};
/// Gets a value of a run as soon as it is there; one in a loop in each iteration.
using Seen = std::function<void(ir::ValueId, const protocol::Tensor &)>;

/// The bytes of a tensor, as far as they are derived.
std::optional<std::uint64_t> knownBytes(const analysis::Shapes &shapes, ir::ValueId value);

/// Counts the bytes of values that are kept together while a model runs; for those that are too many it runs again.
class KeptBytes {
public:
    /// Counts a value, unless it is too much beside the others. `bytes`: nothing if they are not known.
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

    /// Runs the function and returns all the outputs of `subject`. Errors: Usage: a model that the backend does not
    /// support; Backend: it failed; Cancelled.
    virtual Result<Outcome> run(const Subject &subject, const Inputs &inputs, const Task &task) = 0;
    /// Runs the function; the outcome has its outputs, followed by these values of the body. Errors: as run().
    virtual Result<Outcome> runWithValues(const Subject &subject, std::span<const ir::ValueId> values,
                                          const Inputs &inputs, const Task &task);
    /// Runs the function and shows these values, if they are tensors, without keeping them all: as this backend runs
    /// the function several times for that, a value that is drawn at random is of another run than the next one. Values
    /// of regions are left out, unless the evaluator runs it. Errors: as run().
    virtual Result<Outcome> watch(const Subject &subject, const Inputs &inputs, std::span<const Watched> values,
                                  const Seen &seen, const Task &task);
    /// Errors: as run(); also Usage if the backend does not support profiling.
    virtual Result<protocol::Profile::Result> profile(const Subject &subject, const Inputs &inputs, double seconds,
                                                      const Task &task) = 0;
};

inline constexpr const char *evaluatorName = "evaluator";

/// Cutaway's own evaluator, for all formats: exact, and slow.
std::unique_ptr<Backend> evaluatorBackend();
/// The backend of a plugin. `form`: the model form that it gets, one of those it accepts, or one of its engines; "":
/// the first form that fits the model.
std::unique_ptr<Backend> pluginBackend(plugin::Manifest plugin, std::string form = {}, plugin::Target target = {},
                                       BackendOptions options = {});
/// The form in which a plugin's backend would get the model: `wanted` if possible, or without it, or if it is an
/// engine, the first possible one; nullopt if it cannot run the model.
std::optional<std::string> formFor(const plugin::BackendOffer &offer, const Subject &subject,
                                   std::string_view wanted = {});

/// The backend of this name: the evaluator, or a plugin on a target; "torch/torchscript" is the plugin torch, given
/// TorchScript, "torch-python/compile" an engine of a plugin. Errors: Usage: an unknown backend, form or target, or
/// options that the evaluator does not have; those of plugin::readTargets().
Result<std::unique_ptr<Backend>> findBackend(const std::string &name, const std::string &target = "local",
                                             const BackendOptions &options = {});

/// Appends these values, results of nodes of the body, to the function's outputs, so that backends return them: as they
/// are when they are made, also where something writes to them later.
ir::Model withOutputs(ir::Model model, ir::FunctionId function, std::span<const ir::ValueId> values);

} // namespace cutaway::run
