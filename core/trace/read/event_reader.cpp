// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/trace/limits.h"
#include "core/trace/read/event_details.h"
#include "core/trace/read/json_entries.h"
#include "core/trace/read/json_text.h"
#include "core/trace/trace.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

// A trace is a list of events, or an object with one in "traceEvents". Events are read one after the other from a part
// of the file, so that a trace of gigabytes takes only the memory of the events that are kept.

namespace cutaway::trace {

namespace {

struct KnownCategory {
    std::string_view name;
    Category category;
};
constexpr std::array knownCategories{
    KnownCategory{"cpu_op", Category::Operator},
    KnownCategory{"Node", Category::Operator},
    KnownCategory{"user_annotation", Category::Annotation},
    KnownCategory{"cuda_runtime", Category::Launch},
    KnownCategory{"cuda_driver", Category::Launch},
    KnownCategory{"kernel", Category::Device},
    KnownCategory{"gpu_memcpy", Category::Device},
    KnownCategory{"gpu_memset", Category::Device},
    KnownCategory{"Kernel", Category::Device},
    KnownCategory{"Session", Category::Run},
};

/// The prefix of events that are calls of modules from Python.
constexpr std::string_view moduleCall = "nn.Module: ";

/// Returns the name of a device, from its type, which torch numbers, and its index.
std::string deviceName(std::int64_t type, std::int64_t index)
{
    constexpr std::int64_t cpu = 0, cuda = 1;
    return type == cpu ? "cpu" : type == cuda ? formatted("cuda:{}", index) : formatted("device {}:{}", type, index);
}

class EventReader {
public:
    EventReader(UnpackedFile file, const Task &task) : m_entries(std::move(file)), m_task(task) { }

    Result<Trace> read()
    {
        const std::string_view start = m_entries.file().ahead(1);
        const std::size_t first = skipSpace(start, 0);
        const char bracket = first < start.size() ? start[first] : '\0';
        m_entries.file().skip(first);
        if (bracket == '[') {
            CUTAWAY_RETURN_IF_ERROR(readEvents());
        } else if (bracket == '{') {
            CUTAWAY_RETURN_IF_ERROR(readDocument());
        }
        if (!m_hasEvents)
            return withoutEvents();
        finish();
        return std::move(m_trace);
    }

private:
    using Next = JsonEntries::Next;

    std::unexpected<Error> withoutEvents() const
    {
        if (m_entries.isValueTooLong())
            return unreadable(formatted("no event of a trace has more than {} MiB, and this file has an entry of more",
                                        limits::maxValue >> 20));
        if (m_entries.file().isDamaged())
            return unreadable("the packed file is cut off or damaged before its first event");
        return unreadable("it holds no events: expected a trace of torch.profiler, ONNX Runtime or Chrome");
    }

    Result<void> readDocument()
    {
        m_entries.file().skip(1);
        while (m_entries.next() == Next::Value) {
            const auto written = m_entries.value();
            const std::string key = plainText(written.value_or(""));
            const std::string_view ahead = m_entries.file().ahead(64);
            const std::size_t colon = skipSpace(ahead, 0), at = skipSpace(ahead, colon + 1);
            if (!written || colon >= ahead.size() || ahead[colon] != ':' || at >= ahead.size())
                break;
            m_entries.file().skip(at);
            m_isKineto |= key == "schemaVersion" || key == "deviceProperties";
            const char bracket = ahead[at];
            if (key == "traceEvents" && bracket == '[') {
                CUTAWAY_RETURN_IF_ERROR(readEvents());
            } else if (key == "deviceProperties") {
                noteDevices(m_entries.value().value_or(""));
            } else if (bracket == '[' || bracket == '{' ? !m_entries.skipContainer() : !m_entries.value()) {
                break;
            }
        }
        return {};
    }

    void noteDevices(std::string_view properties)
    {
        for (Members device(properties); device.next();)
            for (Members member(device.value()); member.next();)
                if (member.key() == "name")
                    m_trace.devices.push_back(plainText(member.value()));
    }

    Result<void> readEvents()
    {
        m_entries.file().skip(1);
        Next at = Next::Value;
        for (std::uint64_t position = 0; (at = m_entries.next()) == Next::Value; ++position) {
            if (!m_entries.file().ahead(1).starts_with('{') && !m_hasEvents)
                return unreadable("expected an event, found another entry of the list");
            if ((position & 0xffff) == 0) {
                if (m_task.stopRequested())
                    return cancelled();
                m_task.report("reading the trace", m_entries.file().position());
            }
            const auto text = hasRoom(position) ? m_entries.value() : std::nullopt;
            if (!text) {
                noteEnd(position);
                return {};
            }
            addEvent(writtenIn(*text), static_cast<std::uint32_t>(position));
        }
        m_entries.file().skip(at == Next::End ? 1 : 0);
        if (at == Next::Cut)
            noteEnd(m_position);
        return {};
    }

    bool hasRoom(std::uint64_t position) const
    {
        return m_trace.events.size() + m_begunCount < limits::maxEvents && m_trace.memory.size() < limits::maxEvents
            && m_trace.modules.size() < limits::maxEvents && position <= std::numeric_limits<std::uint32_t>::max();
    }

    /// Notes why reading ends before the next event.
    void noteEnd(std::uint64_t position)
    {
        if (!hasRoom(position))
            note("trace.long", formatted("the trace has more than {} events; the rest is left out", limits::maxEvents));
        else if (m_entries.isValueTooLong())
            note("trace.long",
                 formatted("an entry has more than {} MiB, as no event has; what stands before it is shown",
                           limits::maxValue >> 20));
        else
            note("trace.cut", "the file ends before its list of events does; what stands before the end is shown");
    }

    void note(std::string code, std::string message)
    {
        m_trace.diagnostics.push_back({ir::Severity::Warning, std::move(code), std::move(message), {}, {}});
    }

    /// Counts a damaged event, and keeps the message about the first one.
    void countDamaged(const WrittenEvent &written)
    {
        if (m_damaged++ == 0)
            m_firstFault = formatted("event {} {}", m_position, faultOf(written));
    }

    void addEvent(const WrittenEvent &written, std::uint32_t position)
    {
        m_hasEvents |= !written.phase.empty();
        m_position = position;
        if (written.phase.empty() || !written.isWhole)
            countDamaged(written);
        const auto *const known = std::ranges::find(knownCategories, unquoted(written.category), &KnownCategory::name);
        const bool isKnown = known != knownCategories.end();
        if (isKnown)
            noteWriter(known->name);
        const std::string_view phase = unquoted(written.phase), name = unquoted(written.name);
        if (phase == "i" && name == "[memory]")
            return addMemory(written);
        const bool isModule = name.starts_with(moduleCall) && unquoted(written.category) == "python_function";
        if (!isKnown && !isModule && isOfKnownWriter())
            return;
        Event event;
        event.position = position;
        event.category = isKnown ? known->category : Category::Operator;
        if (phase == "B" || phase == "E")
            addHalf(written, event, phase == "B");
        else if (phase == "X")
            addWhole(written, event, isModule);
    }

    void noteWriter(std::string_view category)
    {
        m_isKineto |= category == "cpu_op";
        m_isOnnxRuntime |= category == "Node" || category == "Session";
    }

    /// Adds an event with a duration. Calls of modules are collected separately.
    void addWhole(const WrittenEvent &written, Event &event, bool isModule)
    {
        const auto start = nanoseconds(written.start), duration = nanoseconds(written.duration);
        if (!start || !duration || *duration < 0) {
            if (written.isWhole)
                countDamaged(written);
            return;
        }
        event.start = *start;
        event.duration = *duration;
        if (isModule) {
            event.name = m_details.textOf(written.name);
            event.lane = m_details.laneOf(written);
            m_trace.modules.push_back(event);
        } else if (describe(written, event)) {
            m_trace.events.push_back(event);
        }
    }

    /// Sets the name, the lane and the details. Returns false if the event is of a kind that is left out.
    bool describe(const WrittenEvent &written, Event &event)
    {
        if (unquoted(written.category) == "Node") {
            const auto node = nodeOfEvent(plainText(written.name));
            if (!node)
                return false;
            event.name = m_trace.texts.add(*node);
        } else {
            event.name = m_details.textOf(written.name);
        }
        if (event.category == Category::Run && m_trace.nameOf(event) != "model_run")
            return false;
        event.lane = m_details.laneOf(written);
        const bool isOperator = event.category == Category::Operator && unquoted(written.phase) == "X";
        event.details = m_details.read(written.arguments, isOperator);
        return true;
    }

    /// Adds the beginning of an event, or the end of the event that began last in its lane.
    void addHalf(const WrittenEvent &written, Event &event, bool begins)
    {
        const auto time = nanoseconds(written.start);
        if (!time) {
            if (written.isWhole)
                countDamaged(written);
            return;
        }
        std::vector<Event> &begun = m_begun[m_details.laneOf(written)];
        if (begins) {
            event.start = *time;
            if (describe(written, event)) {
                begun.push_back(event);
                ++m_begunCount;
            }
            return;
        }
        if (begun.empty() || *time < begun.back().start) {
            ++m_halves;
            return;
        }
        begun.back().duration = *time - begun.back().start;
        m_trace.events.push_back(begun.back());
        begun.pop_back();
        --m_begunCount;
    }

    void addMemory(const WrittenEvent &written)
    {
        MemoryEvent event;
        const auto time = nanoseconds(written.start);
        std::optional<std::int64_t> bytes, type, index;
        for (Members member(written.arguments); member.next();) {
            if (member.key() == "Bytes")
                bytes = integer(member.value());
            else if (member.key() == "Addr")
                event.address = static_cast<std::uint64_t>(integer(member.value()).value_or(0));
            else if (member.key() == "Device Type")
                type = integer(member.value());
            else if (member.key() == "Device Id")
                index = integer(member.value());
        }
        if (!time || !bytes) {
            if (written.isWhole)
                countDamaged(written);
            return;
        }
        event.time = *time;
        event.bytes = *bytes;
        event.lane = m_details.laneOf(written);
        event.device = m_trace.texts.add(deviceName(type.value_or(0), index.value_or(-1)));
        m_trace.memory.push_back(event);
    }

    bool isOfKnownWriter() const { return m_isKineto || m_isOnnxRuntime; }

    void finish()
    {
        m_trace.kind = m_isOnnxRuntime ? Kind::OnnxRuntime : m_isKineto ? Kind::Kineto : Kind::Chrome;
        m_details.giveIds();
        sortByStart(m_trace.events);
        sortByStart(m_trace.modules);
        std::ranges::stable_sort(m_trace.memory, {}, &MemoryEvent::time);
        m_halves += m_begunCount;
        if (m_halves > 0)
            note("trace.halves",
                 formatted("events have a beginning and no end, or an end and no beginning; they are left out: {}",
                           m_halves));
        if (m_damaged > 0)
            note("trace.damaged",
                 formatted("events are damaged, and what cannot be read of them is left out: {}; the "
                           "first, {}",
                           m_damaged, m_firstFault));
        if (m_entries.file().isTooLong())
            note("trace.long", "the trace is longer than is read; the rest is left out");
        else if (m_entries.file().isDamaged())
            note("trace.cut", "the packed file is cut off or damaged; what is whole is shown");
    }

    static void sortByStart(std::vector<Event> &events)
    {
        const auto isBefore = [](const Event &a, const Event &b) {
            return std::tuple(a.start, -a.duration, a.position) < std::tuple(b.start, -b.duration, b.position);
        };
        if (!std::ranges::is_sorted(events, isBefore))
            std::ranges::sort(events, isBefore);
    }

    JsonEntries m_entries;
    const Task &m_task;
    Trace m_trace;
    EventDetails m_details{m_trace};
    std::map<TextId, std::vector<Event>> m_begun; ///< by lane: events that have begun, the innermost last
    std::size_t m_begunCount = 0;                 ///< the number of such events in all lanes
    std::uint64_t m_damaged = 0, m_halves = 0;
    std::string m_firstFault;     ///< the message about the first damaged event
    std::uint32_t m_position = 0; ///< the index of the current event in the file
    bool m_hasEvents = false, m_isKineto = false, m_isOnnxRuntime = false;
};

} // namespace

Result<Trace> read(const std::string &path, const Task &task)
{
    auto file = UnpackedFile::open(path);
    if (!file)
        return withSubject(path, Result<Trace>(std::unexpected(file.error())));
    return withSubject(path, EventReader(std::move(*file), task).read());
}

} // namespace cutaway::trace
