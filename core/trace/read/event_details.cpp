// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/read/event_details.h"

#include "core/trace/limits.h"
#include "core/trace/read/json_text.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

namespace cutaway::trace {

namespace {

/// The suffix of events of ONNX Runtime's nodes; older versions also wrote "_fence_before" and "_fence_after".
constexpr std::string_view kernelTime = "_kernel_time";

std::string withoutSpace(std::string_view text)
{
    std::string plain;
    std::ranges::copy_if(text, std::back_inserter(plain), [](char c) { return c != ' ' && c != '\n'; });
    return plain;
}

/// Returns the module path in a hierarchy: "stem.0" for
/// "TOP(CNN)::forward.stem(Sequential)::forward.0(Conv2d)::forward.".
std::string modulePath(std::string_view hierarchy)
{
    std::string path;
    while (!hierarchy.empty()) {
        const std::size_t open = hierarchy.find('('), close = hierarchy.find("::", open);
        if (open == std::string_view::npos || close == std::string_view::npos)
            break;
        const std::string_view name = hierarchy.substr(0, open);
        if (name != "TOP" && name != "SELF")
            path.append(path.empty() ? "" : ".").append(name);
        const std::size_t next = hierarchy.find('.', close);
        hierarchy.remove_prefix(next == std::string_view::npos ? hierarchy.size() : next + 1);
    }
    return path;
}

/// Whether details belong to one event only, as they have a number.
bool areOfOneEvent(const Details &details) { return details.externalId || details.correlation || details.sequence; }

} // namespace

std::optional<std::string> nodeOfEvent(std::string name)
{
    if (!name.ends_with(kernelTime))
        return std::nullopt;
    name.resize(name.size() - kernelTime.size());
    return name;
}

TextId EventDetails::textOf(std::string_view value) { return plain(m_written, value, &plainText); }

TextId EventDetails::plain(Spelling &spelling, std::string_view value, std::string (*plainOf)(std::string_view))
{
    const auto id = static_cast<std::size_t>(spelling.written.add(value));
    if (id == spelling.plain.size())
        spelling.plain.push_back(m_trace.texts.add(plainOf(value)));
    return spelling.plain[id];
}

TextId EventDetails::laneOf(const WrittenEvent &written)
{
    if (written.process != m_process || written.thread != m_thread) {
        m_process = written.process;
        m_thread = written.thread;
        m_lane = m_trace.texts.add(plainText(written.process) + "/" + plainText(written.thread));
    }
    return m_lane;
}

std::uint32_t EventDetails::read(std::string_view arguments, bool isOperator)
{
    Details details;
    for (Members member(arguments); member.next();)
        add(member.key(), member.value(), details);
    if (isOperator)
        takeId(details);
    return kept(details);
}

void EventDetails::takeId(Details &details)
{
    constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
    if (!details.externalId || *details.externalId < 0 || *details.externalId > most)
        return;
    m_operatorIds.emplace_back(static_cast<std::uint32_t>(*details.externalId), m_trace.events.size());
    details.externalId.reset();
}

void EventDetails::add(std::string_view key, std::string_view value, Details &details)
{
    if (key == "External id")
        details.externalId = integer(value);
    else if (key == "correlation")
        details.correlation = integer(value);
    else if (key == "Sequence number")
        details.sequence = integer(value);
    else if (key == "device")
        details.device = integer(value);
    else if (key == "stream")
        details.stream = textOf(value);
    else if (key == "Input Dims")
        details.dims = plain(m_writtenDims, value, &withoutSpace);
    else if (key == "Module Hierarchy")
        details.hierarchy = m_trace.texts.add(modulePath(plainText(value)));
    else if (key == "op_name")
        details.opName = textOf(value);
    else if (key == "parent_name")
        details.parent = m_trace.texts.add(nodeOfEvent(plainText(value)).value_or(plainText(value)));
    else if (key == "graph node id")
        details.isOfCudaGraph = integer(value).value_or(0) != 0;
}

/// Stores details and returns their index. Details that events may share are stored once.
std::uint32_t EventDetails::kept(const Details &details)
{
    if (details == Details())
        return 0;
    // An event adds details when it is read, and perhaps again when its id is restored.
    static_assert(2 * limits::maxEvents < (1u << 28), "the number of details is written in 28 bits");
    const auto next = static_cast<std::uint32_t>(m_trace.details.size());
    if (!areOfOneEvent(details)) {
        const std::tuple shared(details.dims, details.hierarchy, details.opName, details.parent, details.stream,
                                details.device, details.isOfCudaGraph);
        if (const auto [known, isNew] = m_shared.emplace(shared, next); !isNew)
            return known->second;
    }
    m_trace.details.push_back(details);
    return next;
}

void EventDetails::giveIds()
{
    std::unordered_set<std::int64_t> named;
    for (const Event &event : m_trace.events)
        if (const auto id = m_trace.detailsOf(event).externalId; id && event.category != Category::Operator)
            named.insert(*id);
    for (const auto &[id, index] : m_operatorIds)
        if (index < m_trace.events.size() && named.contains(id)) {
            Event &event = m_trace.events[index];
            Details details = m_trace.detailsOf(event);
            const bool isOwn = areOfOneEvent(details);
            details.externalId = id;
            if (isOwn)
                m_trace.details[event.details] = details;
            else
                event.details = kept(details);
        }
    m_operatorIds = {};
}

} // namespace cutaway::trace
