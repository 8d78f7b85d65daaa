// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/machine.h"
#include "core/protocol/methods.h"
#include "core/protocol/spread.h"
#include "core/protocol/tensor.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

/// The methods of plugins that run models, declared in the style of methods.h. Tensors are in the payload of their
/// message.
namespace cutaway::protocol {

/// The number that the plugin has given a loaded model.
struct LoadedId {
    std::uint64_t number = 0;
    auto operator<=>(const LoadedId &) const = default;
};

/// A tensor whose elements are at `offset` of the payload, `length` bytes long.
struct SentTensor {
    std::string name = {};
    ir::DType dtype = ir::DType::Float32;
    std::vector<std::int64_t> shape = {};
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
};

/// A tensor that the plugin generates itself: the one that randomTensor() returns for this seed and range.
struct DrawnTensor {
    std::string name = {};
    ir::DType dtype = ir::DType::Float32;
    std::vector<std::int64_t> shape = {};
    std::uint32_t seed = 0;
    std::optional<ir::NumberRange> range = {};
};
/// A number, Boolean, text or null.
struct PlainInput {
    std::string name = {};
    Json value = {};
};
struct InputItems;
using ModelInput = std::variant<SentTensor, DrawnTensor, PlainInput, InputItems>;
/// A list, tuple or dictionary. The names of its items are empty; the items of a dictionary are key, value, key, value,
/// …
struct InputItems {
    enum class Kind : std::uint8_t { List, Tuple, Dict };
    std::string name = {};
    Kind kind = Kind::List;
    std::vector<ModelInput> items = {};
};
const std::string &nameOf(const ModelInput &input);

/// A result that is neither a tensor nor a list or dictionary of tensors. Two such results are equal if their types
/// are: a "None" and another "None", an empty list and another one.
struct OpaqueResult {
    std::string name = {};
    std::string type = {}; ///< "None", "empty list", "empty dictionary", "sparse tensor"
};
using ModelOutput = std::variant<SentTensor, OpaqueResult>;

/// Appends the tensor's elements to the payload, and returns the description to send.
SentTensor send(std::string name, const Tensor &tensor, std::string &payload);
/// Returns the tensor. Errors (Backend): the range is outside of the payload, or does not fit dtype and shape.
Result<Tensor> receive(const SentTensor &tensor, std::string_view payload);

/// (optional) Loads a model, so that it can be run.
struct Load {
    static constexpr std::string_view method = "load";
    std::string path = {};            ///< the model's file; "": the file is in the payload
    std::string optimization = "all"; ///< graph optimizations of the backend: none, basic, extended, all
    std::string device = "cpu";       ///< an id that Devices returns
    std::uint64_t threads = 0;        ///< 0: the backend's default
    std::string form = {};            ///< the form of the model, one of the backend's `runs`; "": the first one
    std::string function = {};        ///< for the form "ir": the function to run; "" for the main one
    /// For the form "ir" in the payload: the lengths of the weight files that follow it. Empty: the weights are read
    /// from the files that the model names.
    std::vector<std::uint64_t> files = {};
    std::vector<std::string> libraries = {}; ///< operator libraries to load before the model: absolute paths
    std::string engine = {};                 ///< one of the backend's `engines`; "": the default engine
    struct Result {
        LoadedId model = {};
        std::string backend = {}; ///< "ONNX Runtime 1.21.0"
        std::vector<std::string> inputs = {}, outputs = {};
    };
};

/// (optional) Runs a loaded model once.
struct Run {
    static constexpr std::string_view method = "run";
    LoadedId model = {};
    std::vector<ModelInput> inputs = {};
    std::vector<std::string> outputs = {}; ///< the outputs to return; empty: all
    std::vector<std::string> values = {};  ///< (optional) results of nodes to return after the outputs, by name
    struct Result {
        std::vector<ModelOutput> outputs = {};
        double seconds = 0;
    };
};

/// (optional) Times a loaded model until the median is stable or the time is over. Runs without clocks and runs with a
/// clock at each node alternate.
struct Profile {
    static constexpr std::string_view method = "profile";
    LoadedId model = {};
    std::vector<ModelInput> inputs = {};
    std::uint64_t warmUp = 2; ///< the number of runs at the beginning that do not count
    double seconds = 5;       ///< the limit for each of the two kinds of runs; a single run may take longer
    struct NodeTime {
        std::string name = {};                  ///< the backend's name for the node
        std::string op = {};                    ///< "Conv"
        std::uint64_t index = 0;                ///< the node's index in the backend's graph
        std::string provider = {};              ///< "CPUExecutionProvider"
        double start = 0;                       ///< seconds from the start of a run, the median
        Spread time = {};                       ///< the time without nested nodes, which have entries of their own
        std::uint64_t memory = 0;               ///< the peak memory of activations while it ran, in bytes; 0: unknown
        std::optional<std::uint64_t> node = {}; ///< for the form "ir": the node's id
        /// For a call of an operator that belongs to no known node: the sizes of its inputs as JSON,
        /// "[[4,16],[],[32]]". Entries with sizes are in the order in which they ran.
        std::optional<std::string> dims = {};
    };
    struct Result {
        Spread whole = {};                ///< runs without clocks at the nodes
        Spread instrumented = {};         ///< runs with clocks at the nodes
        Spread inNodes = {};              ///< the part of `instrumented` within nodes, with the cost of clocks
        Spread between = {};              ///< the part of `instrumented` between nodes
        std::uint64_t peakBytes = 0;      ///< peak memory of the process; 0: unknown
        std::uint64_t peakActivation = 0; ///< peak bytes of activations; 0: unknown
        std::vector<NodeTime> nodes = {};
        Conditions conditions = {};
    };
};

/// (optional) Frees a loaded model.
struct Unload {
    static constexpr std::string_view method = "unload";
    LoadedId model = {};
    struct Result { };
};

template <>
Json print(const Load &);
template <>
Json print(const Load::Result &);
template <>
Json print(const Run &);
template <>
Json print(const Run::Result &);
template <>
Json print(const Profile &);
template <>
Json print(const Profile::Result &);
template <>
Json print(const Unload &);
template <>
Json print(const Unload::Result &);
template <>
Result<Load> parse(const Json &);
template <>
Result<Load::Result> parse(const Json &);
template <>
Result<Run> parse(const Json &);
template <>
Result<Run::Result> parse(const Json &);
template <>
Result<Profile> parse(const Json &);
template <>
Result<Profile::Result> parse(const Json &);
template <>
Result<Unload> parse(const Json &);
template <>
Result<Unload::Result> parse(const Json &);

} // namespace cutaway::protocol
