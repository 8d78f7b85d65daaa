// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/ir/model.h"
#include "core/trace/event.h"

#include <deque>
#include <vector>

namespace cutaway::trace {

/// The program that wrote a trace.
enum class Kind : std::uint8_t { Kineto, OnnxRuntime, Chrome };
std::string_view name(Kind kind); ///< "kineto", "onnxruntime", "chrome"

/// An allocation of memory, or a release if `bytes` is negative.
struct MemoryEvent {
    std::int64_t time = 0; ///< in nanoseconds
    std::int64_t bytes = 0;
    std::uint64_t address = 0;
    TextId lane{};
    TextId device{}; ///< "cpu", "cuda:0"
};

/// A recorded run: the events of operators, of ranges around them and of work on devices. Calls of Python are left out,
/// but for those of modules.
struct Trace {
    Kind kind = Kind::Chrome;
    Texts texts;
    std::vector<Event> events;              ///< by start; if events start together, the longer one is first
    std::deque<Details> details{Details()}; ///< a deque, which does not move its millions when it grows
    std::vector<Event> modules;             ///< calls of torch.nn modules from Python, by start: "nn.Module: Linear_0"
    std::vector<MemoryEvent> memory;        ///< by time
    std::vector<std::string> devices;       ///< names of the accelerators: "NVIDIA H100 80GB HBM3"
    std::vector<ir::Diagnostic> diagnostics;

    std::string_view nameOf(const Event &event) const { return texts.at(event.name); }
    const Details &detailsOf(const Event &event) const { return details[event.details]; }
};

/// Reads a trace, packed by gzip or not. It may be written by torch.profiler (Kineto), by ONNX Runtime, or by another
/// program in Chrome's format: events with a duration ("X"), and pairs of a beginning and an end ("B", "E"). Events out
/// of order are sorted; damaged ones, beginnings without an end and a cut end are diagnostics. Errors (Unreadable): the
/// file is missing, or holds no events of such a trace.
Result<Trace> read(const std::string &path, const Task &task = {});

} // namespace cutaway::trace
