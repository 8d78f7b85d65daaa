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
    std::vector<std::string> devices; ///< the device of each backend; the last one also applies to further backends
    std::string target = "local";
    std::string function;
    std::vector<std::string> bindings, inputs;
    std::uint32_t seed = 1;
    run::BackendOptions options; ///< all options of the backend but its device
};
void declareRun(CLI::App &command, RunArguments &arguments);
void declareLibraries(CLI::App &command, std::vector<std::string> &libraries);

/// A model to run and its inputs.
struct Running {
    Opened opened;
    request::RunInputs with;
    std::vector<std::string> guessed; ///< the names of inputs whose sizes were guessed
    /// A file with the same model; nothing if sizes that the file fixes are replaced.
    std::optional<std::filesystem::path> file;

    run::Subject subject() const { return {opened.model, opened.function, file}; }
};

/// Sets the sizes that replace those of the file, and records the types that follow from them in the model. Returns the
/// path of the file if no size is replaced.
std::optional<std::filesystem::path> replaceSizes(Opened &opened, const ir::Model &asRead,
                                                  const analysis::Given &given);

/// Opens the model and reads its inputs. Errors: those of openModel(), request::readGiven() and request::runInputs().
Result<Running> readRunning(const std::string &file, const RunArguments &arguments);

/// Returns the backend and device that were requested at index `place`, or the last requested ones if there are fewer.
/// Without a request it is the default backend for the model's format, on the processor. Errors: those of
/// run::findBackend().
Result<std::unique_ptr<run::Backend>> backendFor(const ir::Model &model, const RunArguments &arguments,
                                                 std::size_t place = 0);

/// A model to run and its backend, as `run` and `profile` read them from the command line.
struct Begun {
    Running running;
    std::unique_ptr<run::Backend> backend;
};
/// Reads the model, its inputs and its backend. Errors: those of readRunning() and backendFor(); Usage if there is more
/// than one backend or device.
Result<Begun> begin(const std::string &file, const RunArguments &arguments);

} // namespace cutaway::cli
