// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/read/written_event.h"
#include "core/trace/trace.h"

#include <map>

namespace cutaway::trace {

/// Reads texts, lanes and details of events into a trace. Shared ones are stored once: profilers write few, over and
/// over again.
class EventDetails {
public:
    explicit EventDetails(Trace &trace) : m_trace(trace) { }

    /// Returns the id of a value's plain text.
    TextId textOf(std::string_view value);
    TextId laneOf(const WrittenEvent &written);
    /// Reads the arguments of an event; the result is its Event::details. The id of an operator, which is the next
    /// event of the trace, is kept for giveIds().
    std::uint32_t read(std::string_view arguments, bool isOperator);
    /// Restores the ids of operators to which work on devices refers; other operators need none.
    void giveIds();

private:
    struct Spelling {
        Texts written;
        std::vector<TextId> plain{TextId::None}; ///< by TextId of the text in the file
    };
    using Shared = std::tuple<TextId, TextId, TextId, TextId, TextId, std::optional<std::int64_t>, bool>;

    TextId plain(Spelling &spelling, std::string_view value, std::string (*plainOf)(std::string_view));
    void add(std::string_view key, std::string_view value, Details &details);
    void takeId(Details &details);
    std::uint32_t kept(const Details &details);

    Trace &m_trace;
    Spelling m_written, m_writtenDims;
    std::string m_process, m_thread; ///< the process and thread of the previous event, as in the file
    TextId m_lane{};
    /// The index in Trace::details, by the members that several events may share.
    std::map<Shared, std::uint32_t> m_shared;
    /// Ids of operators, each with the index of the operator's event in Trace::events.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_operatorIds;
};

/// Returns the name of ONNX Runtime's node in that of an event: "conv" for "conv_kernel_time"; nothing for other
/// events.
std::optional<std::string> nodeOfEvent(std::string name);

} // namespace cutaway::trace
