// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/read/written_event.h"
#include "core/trace/trace.h"

#include <map>

namespace cutaway::trace {

/// Reads texts, lanes and details of events into a trace, once where events share them: profilers write few, over and
/// over again.
class EventDetails {
public:
    explicit EventDetails(Trace &trace) : m_trace(trace) { }

    /// The plain text of a value.
    TextId textOf(std::string_view value);
    TextId laneOf(const WrittenEvent &written);
    /// Reads the arguments of an event; the result is its Event::details. The id of an operator, which is the next
    /// event of the trace, is kept for giveIds().
    std::uint32_t read(std::string_view arguments, bool isOperator);
    /// Gives those operators their ids back that work on devices names; others need none.
    void giveIds();

private:
    struct Spelling {
        Texts written;
        std::vector<TextId> plain{TextId::None}; ///< by the id of what is written
    };
    using Shared = std::tuple<TextId, TextId, TextId, TextId, TextId, std::optional<std::int64_t>, bool>;

    TextId plain(Spelling &spelling, std::string_view value, std::string (*plainOf)(std::string_view));
    void add(std::string_view key, std::string_view value, Details &details);
    void takeId(Details &details);
    std::uint32_t kept(const Details &details);

    Trace &m_trace;
    Spelling m_written, m_writtenDims;
    std::string m_process, m_thread; ///< the previous event's process and thread, as they are written
    TextId m_lane{};
    std::map<Shared, std::uint32_t> m_shared;                           ///< details that have no number of their own
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_operatorIds; ///< and the event in Trace::events
};

/// The name of a node of ONNX Runtime in that of its event: "conv" in "conv_kernel_time". Nothing: it is another event.
std::optional<std::string> nodeOfEvent(std::string name);

} // namespace cutaway::trace
