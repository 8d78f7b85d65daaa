// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::survey {

/// The outcome of surveying a model.
enum class State : std::uint8_t {
    Read,
    Unreadable, ///< the file is damaged or not a model
    Crashed,
    TimedOut,
    OutOfMemory,
};
std::string_view name(State state); ///< "read", "timed out"
std::optional<State> stateOf(std::string_view name);

/// The number of nodes of an operator in a function.
struct OperatorUse {
    std::string dialect = {}, name = {}, overload = {};
    std::int64_t count = 0;
    std::optional<std::int64_t> flops = 0; ///< the sum over all of these nodes; nothing: not known
    std::int64_t function = 0;             ///< the index of the function in the model
};

/// A module of the exported model.
struct ModuleUse {
    std::string path = {}, className = {};
    std::int64_t parameters = 0; ///< number of parameters in this module and its children
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

/// The version of an operator set that the model needs.
struct OpsetUse {
    std::string domain = {};
    std::int64_t version = 0;
};

inline constexpr std::size_t maxFindings = 100; ///< limit of the kinds of findings in a record

/// The number of findings of one kind, with the message of the first.
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
    std::int64_t flopsUnknown = 0;      ///< number of nodes whose FLOPs are unknown
    std::int64_t shapesUnknown = 0;     ///< number of results whose shapes are unknown
    std::optional<double> seconds = {}; ///< a lower bound of the time on the requested device
};

/// The answer of a check, see checks.h.
struct CheckAnswer {
    std::string check = {};
    std::optional<bool> passed = {}; ///< nothing if there is no answer
    std::string message = {};        ///< a line on why the check failed; "" if it passed
};

/// The outcome of measuring a model with a backend on a machine.
struct Measurement {
    enum class State : std::uint8_t {
        Measured,
        Refused, ///< the backend does not support the model, or failed with it
        Absent,  ///< the backend or its device is missing
        TimedOut,
        Crashed,
        Lost, ///< the machine was lost
    };
    std::string machine = {};   ///< the host name of the machine
    std::string backend = {};   ///< Profile::backend
    std::string request = {};   ///< Request::name()
    std::string processor = {}; ///< "AMD EPYC 9554 64-Core Processor"
    State state = State::Absent;
    std::string message = {};                              ///< why there is no measurement
    std::optional<double> seconds = {}, p5 = {}, p95 = {}; ///< a run's median time, and its 5th and 95th percentile
    std::int64_t runs = 0;                                 ///< the number of timed runs
    std::optional<std::int64_t> peakBytes = {};            ///< the peak memory of the backend's process, in bytes
    std::optional<double> predicted = {};                  ///< the least time in seconds on the device of the request
    bool isFinal() const; ///< whether another try would give the same: neither the backend nor the machine was missing
};
std::string_view name(Measurement::State state); ///< "measured", "timed out"
std::optional<Measurement::State> measurementStateOf(std::string_view name);

/// The number of a model's nodes that match a part of the query.
struct NodesFound {
    std::int64_t found = 0;
    std::vector<std::string> notKnown = {}; ///< properties whose values are unknown for some nodes
};

/// The data that a survey keeps of one model.
struct Record {
    State state = State::Unreadable;
    std::string message = {}; ///< why the model was not read
    std::string graph = {};   ///< the SHA-256 of the main graph's text, with names and source lines
    std::string format = {}, formatVersion = {}, producer = {}, producerVersion = {};
    std::string inputs = {}, outputs = {}; ///< "x: float32[1, 3, 224, 224], n: int"
    std::int64_t nodes = 0, parameters = 0, weightBytes = 0;
    std::vector<OpsetUse> opsets = {};
    std::vector<FunctionUse> functions = {};
    std::vector<OperatorUse> operators = {};       ///< the operators of the first function
    std::vector<OperatorUse> calledOperators = {}; ///< the operators of called functions, and of other main functions
    std::vector<ModuleUse> modules = {};
    std::vector<SymbolUse> symbols = {};
    std::vector<Findings> findings = {};
    Costs costs = {};
    std::vector<CheckAnswer> checks = {};
    std::vector<NodesFound> nodesFound = {};     ///< one for each Has of the NodeQuery
    std::optional<Measurement> measurement = {}; ///< the result for a Profile; the survey adds the machine
    double seconds = 0;                          ///< the seconds of reading and analysing
    std::int64_t memory = 0;                     ///< the peak memory of the worker so far, in bytes
    std::optional<std::int64_t> bytesRead = {};  ///< the number of bytes downloaded for a model at a URL
};

/// Prints a record as a line of JSON, which a worker sends to the survey.
std::string print(const Record &record);
/// Parses a record. Errors (Unreadable): the line is not one that print() writes.
Result<Record> parseRecord(std::string_view line);

} // namespace cutaway::survey
