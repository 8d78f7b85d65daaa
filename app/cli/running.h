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

/// What `run`, `compare` and `profile` may be told, as it stands on the command line.
struct RunArguments {
    std::vector<std::string> backends;
    std::string target = "local";
    std::string function;
    std::vector<std::string> bindings, inputs;
    std::uint32_t seed = 1;
    run::Effort effort;
};
void declareRun(CLI::App &command, RunArguments &arguments);

/// A model that is to run, and what with.
struct Running {
    Opened opened;
    request::RunInputs with;
    std::vector<std::string> guessed; ///< inputs of whose sizes nobody has said anything

    run::Subject subject() const { return {opened.model, opened.function, opened.model.path}; }
    /// What a backend says, with the sizes that were chosen: it may be they that it cannot run with.
    Error explained(Error error) const;
};

/// Errors: of openModel(), and of arguments that do not fit the model.
Result<Running> readRunning(const std::string &file, const RunArguments &arguments);

/// The backend that was asked for in this place, or, without one, that for the model's format.
Result<std::unique_ptr<run::Backend>> backendFor(const ir::Model &model, const RunArguments &arguments,
                                                 std::size_t place = 0);

/// What `run` and `profile` begin with: a model, and the one backend for it.
struct Begun {
    Running running;
    std::unique_ptr<run::Backend> backend;
};
Result<Begun> begin(const std::string &file, const RunArguments &arguments);

} // namespace cutaway::cli
