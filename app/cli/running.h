// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/opened.h"
#include "core/request/run_inputs.h"
#include "core/run/backend.h"

namespace CLI {
class App;
}

namespace cutaway::cli {

/// The command-line arguments of `run`, `compare` and `profile` about a model.
struct RunArguments {
    std::vector<std::string> backends;
    std::vector<std::string> devices; ///< by backend; the last one is also that of all further backends
    std::string target = "local";
    std::string function;
    std::vector<std::string> bindings, inputs;
    std::uint32_t seed = 1;
    run::BackendOptions options; ///< all but the device
};
void declareRun(CLI::App &command, RunArguments &arguments);
void declareLibraries(CLI::App &command, std::vector<std::string> &libraries);

/// A model to run and its inputs.
struct Running {
    Opened opened;
    request::RunInputs with;
    std::vector<std::string> guessed;          ///< names of inputs whose sizes are guessed
    std::optional<std::filesystem::path> file; ///< that has the same model: none where sizes of it are replaced

    run::Subject subject() const { return {opened.model, opened.function, file}; }
    /// Adds the guessed sizes to a backend's error: they may be its cause.
    Error explained(const Error &error) const;
};

/// Gives the model the sizes that replace those of its file, and records the types that follow from them. Returns the
/// path of the file if no size is replaced.
std::optional<std::filesystem::path> replaceSizes(Opened &opened, const ir::Model &asRead,
                                                  const analysis::Given &given);

/// Errors: those of openModel(), request::readGiven() and request::runInputs().
Result<Running> readRunning(const std::string &file, const RunArguments &arguments);

/// Returns the backend on the device that were requested at index `place`, or the last ones before it. If none was
/// requested, this is the default backend for the model's format, on the processor. Errors: those of
/// run::findBackend().
Result<std::unique_ptr<run::Backend>> backendFor(const ir::Model &model, const RunArguments &arguments,
                                                 std::size_t place = 0);

/// A model and its backend, with which `run` and `profile` begin.
struct Begun {
    Running running;
    std::unique_ptr<run::Backend> backend;
};
/// Errors: those of readRunning() and backendFor(); Usage: more than one backend or device.
Result<Begun> begin(const std::string &file, const RunArguments &arguments);

} // namespace cutaway::cli
