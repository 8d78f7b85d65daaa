// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/opened.h"
#include "core/analysis/sweep.h"

namespace CLI {
class App;
}

namespace cutaway::cli {

/// The command-line arguments of `inspect` and `report` about a model.
struct RequestArguments {
    std::string function;
    std::vector<std::string> bindings;
    std::vector<std::string> inputs;
    std::string device;
    std::string sweep;
    bool inKernels = false; ///< whether a graph that Inductor has compiled is divided into kernels
};

/// Declares --input; see request::giveInputs().
void declareInputs(CLI::App &command, std::vector<std::string> &inputs);

/// Declares FILE and the options of RequestArguments.
void declareRequest(CLI::App &command, std::string &file, RequestArguments &arguments);

/// The opened model and the parsed arguments.
struct Request {
    Opened opened;
    std::optional<ir::FunctionId> function; ///< the function that the user names; nothing for the main one
    analysis::Given given;
    std::optional<analysis::Device> device;
    std::optional<analysis::Sweep> sweep;

    const analysis::Device *devicePlace() const { return device ? &*device : nullptr; }
    const analysis::Sweep *sweepPlace() const { return sweep ? &*sweep : nullptr; }
};

/// Opens the model and parses the arguments. Errors: those of openModel(); arguments that do not fit the model.
Result<Request> readRequest(const std::string &file, const RequestArguments &arguments);

} // namespace cutaway::cli
