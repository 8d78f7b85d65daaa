// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/opened.h"
#include "core/analysis/sweep.h"

namespace CLI {
class App;
}

namespace cutaway::cli {

/// What `inspect` and `report` may be told about a model, as it stands on the command line.
struct RequestArguments {
    std::string function;
    std::vector<std::string> bindings;
    std::vector<std::string> inputs;
    std::string device;
    std::string sweep;
};

/// Declares FILE and the options for these.
void declareRequest(CLI::App &command, std::string &file, RequestArguments &arguments);

/// The opened model and what is asked about it.
struct Request {
    Opened opened;
    std::optional<ir::FunctionId> function; ///< the one that is named
    analysis::Given given;
    std::optional<analysis::Device> device;
    std::optional<analysis::Sweep> sweep;

    const analysis::Device *devicePlace() const { return device ? &*device : nullptr; }
    const analysis::Sweep *sweepPlace() const { return sweep ? &*sweep : nullptr; }
};

/// Errors: of openModel(), and of arguments that do not fit the model.
Result<Request> readRequest(const std::string &file, const RequestArguments &arguments);

} // namespace cutaway::cli
