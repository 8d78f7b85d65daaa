// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/machine.h"
#include "core/protocol/methods.h"
#include "core/protocol/tensor.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

/// The methods of plugins that run models, declared as those of methods.h are. Tensors lie in the payload of the
/// message that has them.
namespace cutaway::protocol {

/// A model that is loaded, as the plugin numbers it.
struct LoadedId {
    std::uint64_t number = 0;
    auto operator<=>(const LoadedId &) const = default;
};

/// A tensor whose elements are `length` bytes of the payload, from `offset` on.
struct SentTensor {
    std::string name = {};
    ir::DType dtype = ir::DType::Float32;
    std::vector<std::int64_t> shape = {};
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
};

/// A tensor that the plugin makes itself: randomTensor of this seed.
struct DrawnTensor {
    std::string name = {};
    ir::DType dtype = ir::DType::Float32;
    std::vector<std::int64_t> shape = {};
    std::uint32_t seed = 0;
};
/// A number, truth value, text or null.
struct PlainInput {
    std::string name = {};
    Json value = {};
};
struct InputItems;
using ModelInput = std::variant<SentTensor, DrawnTensor, PlainInput, InputItems>;
/// A list, tuple or dictionary; the names of what is in it are empty. Items of a dictionary are key, value, key, value,
/// …
struct InputItems {
    enum class Kind : std::uint8_t { List, Tuple, Dict };
    std::string name = {};
    Kind kind = Kind::List;
    std::vector<ModelInput> items = {};
};
const std::string &nameOf(const ModelInput &input);

/// A result that is no tensor: a sequence, a map, an optional without a value.
struct OpaqueResult {
    std::string name = {};
    std::string type = {}; ///< "seq(tensor(float))"
};
using ModelOutput = std::variant<SentTensor, OpaqueResult>;

/// Adds the elements of a tensor to the payload.
SentTensor send(std::string name, const Tensor &tensor, std::string &payload);
/// Errors (Backend): the tensor lies outside of the payload, or its bytes are too many or too few.
Result<Tensor> receive(const SentTensor &tensor, std::string_view payload);

/// (optional) Makes a model ready to run.
struct Load {
    static constexpr std::string_view method = "load";
    std::string path = {};            ///< of the model's file; "": the payload is the file
    std::string optimization = "all"; ///< what the backend may change: none, basic, extended, all
    std::string device = "cpu";       ///< of Devices
    std::uint64_t threads = 0;        ///< 0: as many as the backend wants
    std::string form = {};            ///< what the file is, of those that the backend `runs`; "": the first
    std::string function = {};        ///< of an "ir": which to run; "": the main one
    /// Of an "ir" in the payload: how long the files are that its weights lie in, which come behind it; none: they are
    /// where it says.
    std::vector<std::uint64_t> files = {};
    struct Result {
        LoadedId model = {};
        std::string backend = {}; ///< "ONNX Runtime 1.21.0"
        std::vector<std::string> inputs = {}, outputs = {};
    };
};

/// (optional) Runs it once.
struct Run {
    static constexpr std::string_view method = "run";
    LoadedId model = {};
    std::vector<ModelInput> inputs = {};
    std::vector<std::string> outputs = {}; ///< those wanted; none: all
    struct Result {
        std::vector<ModelOutput> outputs = {};
        double seconds = 0;
    };
};

/// Times of many runs.
struct Spread {
    double median = 0, p5 = 0, p95 = 0; ///< seconds
    std::uint64_t count = 0;
};

/// (optional) Runs it until the median is stable or the time is over: as it is and with a clock at each node, in turns.
struct Profile {
    static constexpr std::string_view method = "profile";
    LoadedId model = {};
    std::vector<ModelInput> inputs = {};
    std::uint64_t warmUp = 2; ///< runs that do not count
    double seconds = 5;       ///< at most for each of the two, but for one run that takes longer
    struct NodeTime {
        std::string name = {};     ///< as the backend calls it
        std::string op = {};       ///< "Conv"
        std::uint64_t index = 0;   ///< among the nodes that the backend has made of the file's
        std::string provider = {}; ///< "CPUExecutionProvider"
        double start = 0;          ///< seconds from the start of a run, the median
        Spread time = {};          ///< without nodes inside of it, which have times of their own
        std::uint64_t memory = 0;  ///< most bytes of activations that were there while it ran; 0: not known
        std::optional<std::uint64_t> node = {}; ///< of an "ir": its id
    };
    struct Result {
        Spread whole = {};        ///< without clocks
        Spread instrumented = {}; ///< with them
        Spread inNodes = {}; ///< of that, what passes in nodes: more than without clocks, which take time there, too
        Spread between = {}; ///< and what passes between them
        std::uint64_t peakBytes = 0;      ///< most memory that the process has had; 0: not known
        std::uint64_t peakActivation = 0; ///< most bytes of activations at once; 0: not known
        std::vector<NodeTime> nodes = {};
        Conditions conditions = {};
    };
};

/// (optional) Forgets a model.
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
