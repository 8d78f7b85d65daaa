// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/texts.h"

#include <optional>

namespace cutaway::trace {

enum class Category : std::uint8_t {
    Operator,   ///< a call of an operator on the host; for ONNX Runtime a node
    Annotation, ///< a range that the program named: record_function(), a step of the profiler
    Run,        ///< a run of an ONNX Runtime session
    Launch,     ///< a call of CUDA's runtime or driver
    Device,     ///< a kernel, a copy or a fill on a device
};

/// Facts that only some events have. Several events may share them.
struct Details {
    std::optional<std::int64_t> externalId;  ///< the id that launches and kernels share with their operator
    std::optional<std::int64_t> correlation; ///< the id that a launch and its kernel share
    std::optional<std::int64_t> sequence;    ///< the id that an operator and its gradient share
    std::optional<std::int64_t> device;
    TextId stream{};
    TextId dims{};      ///< the dimensions of all inputs, as JSON without blanks: "[[4,16],[],[32]]"
    TextId hierarchy{}; ///< module path of a TorchScript operator: "stem.0"
    TextId opName{};    ///< the operator of ONNX Runtime's node: "Conv"
    TextId parent{};    ///< for a kernel of ONNX Runtime: the name of its node's event
    bool isOfCudaGraph = false;

    bool operator==(const Details &) const = default;
};

struct Event {
    std::int64_t start = 0;         ///< in nanoseconds
    std::int64_t duration = 0;      ///< in nanoseconds
    std::uint32_t position = 0;     ///< the index among the events of the file
    TextId name{};                  ///< the name in the file; for ONNX Runtime's nodes without "_kernel_time"
    TextId lane{};                  ///< the process and thread in the file: "2/2"
    std::uint32_t details : 28 = 0; ///< the index in Trace::details
    Category category : 4 = Category::Operator;

    std::int64_t end() const { return start + duration; }
};
static_assert(sizeof(Event) == 32, "a trace has millions of events");

} // namespace cutaway::trace
