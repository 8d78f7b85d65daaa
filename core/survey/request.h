// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cutaway::ir {
struct Model;
}

namespace cutaway::survey {

struct Record;

/// Asks for everything that a record has but its measurement and its nodes found.
struct Look {
    std::vector<std::string> checks = {}; ///< "convert:onnx", see checks.h
};

/// Asks for the time of a run, see measuring.h; the record then has only the measurement.
struct Profile {
    std::string backend = {}; ///< "torch@cuda:0"
    double seconds = 1;       ///< see `profile --seconds`
};

/// Asks the file for the parts of a query about models that concern nodes; the record then has only the nodes found.
struct NodeQuery {
    std::string text = {};
};

/// The request that a survey makes for every model, in the texts of the command line. A binding of a symbol that a
/// model does not have is left out for that model.
struct Request {
    std::vector<std::string> bindings = {}; ///< "s0=8"
    std::vector<std::string> inputs = {};   ///< "x=8x3x224x224"; applied to models that have such an input
    std::string device = {};                ///< a device for a lower bound of the time; "" for none
    double limit = 60;                      ///< seconds that a check, or a profile, may take
    std::variant<Look, Profile, NodeQuery> asked = Look();
    /// Returns "s0=8 x=8x3x224x224 device=h100-sxm"; "" if nothing is given. It is the key of the rows of `costs`.
    std::string name() const;
};

/// Opens and analyses a model file. Errors are in the record.
Record surveyed(const std::string &path, const Request &request);
using OpenModel = std::function<Result<ir::Model>(const std::string &path)>;
/// Analyses the model that `open` returns for the path.
Record surveyed(const std::string &path, const Request &request, const OpenModel &open);

/// Prints a request as a line of JSON, which the survey sends to a worker.
std::string print(const Request &request);
/// Parses a request. Errors (Unreadable): the line is not one that print() writes.
Result<Request> parseRequest(std::string_view line);

} // namespace cutaway::survey
