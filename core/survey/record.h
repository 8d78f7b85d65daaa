// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cutaway::ir {
struct Model;
}

namespace cutaway::survey {

/// Everything that a record has but its measurement and its nodes found.
struct Look {
    std::vector<std::string> checks = {}; ///< "convert:onnx", see checks.h
};

/// The time of a run, see measuring.h; the record has nothing but the measurement.
struct Profile {
    std::string backend = {}; ///< "torch@cuda:0"
    double seconds = 1;       ///< see `profile --seconds`
};

/// The parts of a query about models that ask for nodes, which the file answers; the record has nothing but the nodes
/// found.
struct NodeQuery {
    std::string text = {};
};

/// The request that a survey makes of every model, in the texts of the command line. A binding of a symbol that a model
/// does not have is left out for that model.
struct Request {
    std::vector<std::string> bindings = {}; ///< "s0=8"
    std::vector<std::string> inputs = {};   ///< "x=8x3x224x224"; models without such an input are as they are
    std::string device = {};                ///< adds a lower bound of the time on it
    double limit = 60;                      ///< seconds that a check, or a profile, may take
    std::variant<Look, Profile, NodeQuery> asked = Look();
    /// Returns "s0=8 x=8x3x224x224 device=h100-sxm"; "" if nothing is given. It names the row of `costs`.
    std::string name() const;
};

/// The outcome for one model.
enum class State : std::uint8_t {
    Read,
    Unreadable, ///< it is damaged or not a model
    Crashed,
    TimedOut,
    OutOfMemory,
};
std::string_view name(State state); ///< "read", "timed out"
std::optional<State> stateOf(std::string_view name);

/// How often a function has an operator.
struct OperatorUse {
    std::string dialect = {}, name = {}, overload = {};
    std::int64_t count = 0;
    std::optional<std::int64_t> flops = 0; ///< the sum over all uses; nothing: not known
    std::int64_t function = 0;             ///< its index among the model's
};

/// A module of the exported model.
struct ModuleUse {
    std::string path = {}, className = {};
    std::int64_t parameters = 0; ///< elements in this module and its children
};

/// A function of the model.
struct FunctionUse {
    std::string name = {};
    std::int64_t nodes = 0;
};

/// A symbol of the model with its range.
struct SymbolUse {
    std::string name = {};
    std::optional<std::int64_t> min = {}, max = {};
};

/// The version of an operator set that the model asks for.
struct OpsetUse {
    std::string domain = {};
    std::int64_t version = 0;
};

inline constexpr std::size_t maxFindings = 100; ///< kinds of them that a record has at most

/// Findings of one kind; `message` is that of the first.
struct Findings {
    std::string severity = {}, code = {}, message = {};
    std::int64_t count = 0;
};

/// A number, or a formula over symbols as text; the text is "" if nothing is known.
struct Figure {
    std::optional<std::int64_t> value = {};
    std::string formula = {};
    std::optional<std::int64_t> atLeast = {};
};

/// The costs of a model for the sizes of the request.
struct Costs {
    Figure flops = {}, otherFlops = {}, peakBytes = {};
    std::int64_t flopsUnknown = 0;      ///< nodes
    std::int64_t shapesUnknown = 0;     ///< results
    std::optional<double> seconds = {}; ///< at least, on the device that was asked for
};

/// The answer of a check, see checks.h.
struct CheckAnswer {
    std::string check = {};
    std::optional<bool> passed = {}; ///< nothing: there is no answer
    std::string message = {};        ///< why not, in a line
};

/// The outcome for a model on a backend of a machine.
struct Measurement {
    enum class State : std::uint8_t {
        Measured,
        Refused, ///< the backend does not take the model, or failed with it
        Absent,  ///< there is no such backend, or no such device
        TimedOut,
        Crashed,
        Lost, ///< the machine is gone
    };
    std::string machine = {};   ///< its host name
    std::string backend = {};   ///< Profile::backend
    std::string request = {};   ///< Request::name()
    std::string processor = {}; ///< "AMD EPYC 9554 64-Core Processor"
    State state = State::Absent;
    std::string message = {};                              ///< why it was not measured
    std::optional<double> seconds = {}, p5 = {}, p95 = {}; ///< a run's median time, and its 5th and 95th percentile
    std::int64_t runs = 0;                                 ///< that were timed
    std::optional<std::int64_t> peakBytes = {};            ///< the most memory of the backend's process
    std::optional<double> predicted = {};                  ///< seconds at least, on the device of the request
    bool isFinal() const; ///< whether another try would find the same: the model was there, and so was the machine
};
std::string_view name(Measurement::State state); ///< "measured", "timed out"
std::optional<Measurement::State> measurementStateOf(std::string_view name);

/// The number of a model's nodes that fulfil a part of the query.
struct NodesFound {
    std::int64_t found = 0;
    std::vector<std::string> notKnown = {}; ///< properties that could make more of them
};

/// The data that a survey keeps of one model.
struct Record {
    State state = State::Unreadable;
    std::string message = {}; ///< why it was not read
    std::string graph = {};   ///< SHA-256 of the text of the main graph, with its names and source lines
    std::string format = {}, formatVersion = {}, producer = {}, producerVersion = {};
    std::string inputs = {}, outputs = {}; ///< "x: float32[1, 3, 224, 224], n: int"
    std::int64_t nodes = 0, parameters = 0, weightBytes = 0;
    std::vector<OpsetUse> opsets = {};
    std::vector<FunctionUse> functions = {};
    std::vector<OperatorUse> operators = {};       ///< the first function's
    std::vector<OperatorUse> calledOperators = {}; ///< the called functions', and other main functions'
    std::vector<ModuleUse> modules = {};
    std::vector<SymbolUse> symbols = {};
    std::vector<Findings> findings = {};
    Costs costs = {};
    std::vector<CheckAnswer> checks = {};
    std::vector<NodesFound> nodesFound = {};     ///< for each Has of the NodeQuery, in their order
    std::optional<Measurement> measurement = {}; ///< for the Profile; its machine is the survey's to say
    double seconds = 0;                          ///< that it took to read and to analyse it
    std::int64_t memory = 0;                     ///< bytes, the most that the worker has had by then
    std::optional<std::int64_t> bytesRead = {};  ///< bytes downloaded of a model at a URL
};

/// Opens and analyses a model file. The record holds its errors.
Record surveyed(const std::string &path, const Request &request);
using OpenModel = std::function<Result<ir::Model>(const std::string &path)>;
/// Analyses the model that `open` returns for the path.
Record surveyed(const std::string &path, const Request &request, const OpenModel &open);

/// One line of JSON, between a worker and the survey.
std::string print(const Record &record);
/// Errors (Unreadable): it is not what print() writes.
Result<Record> parseRecord(std::string_view line);
std::string print(const Request &request);
/// Errors: as above.
Result<Request> parseRequest(std::string_view line);

} // namespace cutaway::survey
