// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/trace/limits.h"
#include "core/trace/read/json_text.h"
#include "core/trace/read/unpacked_file.h"
#include "core/trace/trace.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_set>

// A trace is a list of events, or an object with one in "traceEvents". Events are read one after the other from a part
// of the file, so that a trace of gigabytes takes as much memory as its events that count.

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

/// Calls of modules from Python.
constexpr std::string_view moduleCall = "nn.Module: ";

/// Events of ONNX Runtime's nodes; older versions wrote "_fence_before" and "_fence_after", too.
constexpr std::string_view kernelTime = "_kernel_time";

/// Microseconds with decimals as nanoseconds.
std::optional<std::int64_t> nanoseconds(std::string_view text)
{
    double microseconds = 0;
    std::int64_t whole = 0;
    const char *const end = text.data() + text.size();
    const auto [point, error] = std::from_chars(text.data(), end, whole);
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 4000;
    const bool isSmall = error == std::errc() && whole >= 0 && whole < most;
    if (isSmall && point == end)
        return whole * 1000;
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    if (isSmall && *point == '.' && end - point <= 4 && std::all_of(point + 1, end, isDigit)) {
        std::int64_t decimals = 0;
        for (int i = 1; i <= 3; ++i)
            decimals = decimals * 10 + (point + i < end ? point[i] - '0' : 0);
        return whole * 1000 + decimals;
    }
    const auto [behind, fault] = std::from_chars(text.data(), end, microseconds);
    if (fault != std::errc() || behind != end || !(std::abs(microseconds) < double(most)))
        return std::nullopt;
    return std::llround(microseconds * 1000);
}

std::optional<std::int64_t> integer(std::string_view value)
{
    const std::string text = plainText(value);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// The device of a kind that torch numbers.
std::string deviceName(std::int64_t type, std::int64_t index)
{
    constexpr std::int64_t cpu = 0, cuda = 1;
    return type == cpu ? "cpu" : type == cuda ? formatted("cuda:{}", index) : formatted("device {}:{}", type, index);
}

std::string withoutSpace(std::string_view text)
{
    std::string plain;
    std::ranges::copy_if(text, std::back_inserter(plain), [](char c) { return c != ' ' && c != '\n'; });
    return plain;
}

/// The module path in "TOP(CNN)::forward.stem(Sequential)::forward.0(Conv2d)::forward.": "stem.0".
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

/// An event as it is written: parts of its text.
struct Written {
    std::string_view phase, category, name, process, thread, start, duration, arguments;
    bool isWhole = true;
};

Written writtenIn(std::string_view object)
{
    Written event;
    Members member(object);
    while (member.next()) {
        const std::string_view key = member.key(), value = member.value();
        if (key == "ph")
            event.phase = value;
        else if (key == "cat")
            event.category = value;
        else if (key == "name")
            event.name = value;
        else if (key == "pid")
            event.process = value;
        else if (key == "tid")
            event.thread = value;
        else if (key == "ts")
            event.start = value;
        else if (key == "dur")
            event.duration = value;
        else if (key == "args" && value.starts_with('{'))
            event.arguments = value;
    }
    event.isWhole = member.isAtEnd();
    return event;
}

/// The fault of a damaged event, as a predicate: "has no \"ts\"".
std::string faultOf(const Written &written)
{
    if (!written.isWhole)
        return "is not whole";
    if (written.phase.empty())
        return "has no \"ph\", its phase";
    constexpr std::size_t shown = 40;
    const auto faultIn = [](std::string_view key, std::string_view value) -> std::string {
        const auto time = nanoseconds(value);
        if (value.empty())
            return formatted("has no \"{}\"", key);
        if (!time)
            return formatted("has {} as its \"{}\", where microseconds with a decimal point were expected",
                             sanitized(value.substr(0, shown)), key);
        return *time < 0 && key == "dur" ? formatted("lasts {} µs, less than nothing", value) : "";
    };
    std::string fault = faultIn("ts", written.start);
    if (fault.empty() && written.phase == "\"X\"")
        fault = faultIn("dur", written.duration);
    return fault.empty() ? "has no number of \"Bytes\"" : fault;
}

class EventReader {
public:
    EventReader(UnpackedFile file, const Task &task) : m_file(std::move(file)), m_task(task) { }

    Result<Trace> read()
    {
        const std::string_view start = m_file.ahead(1);
        const std::size_t first = skipSpace(start, 0);
        const char bracket = first < start.size() ? start[first] : '\0';
        m_file.skip(first);
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
    enum class Next : std::uint8_t { Value, End, Cut };

    std::unexpected<Error> withoutEvents() const
    {
        if (m_isValueTooLong)
            return unreadable(formatted("no event of a trace has more than {} MiB, and this file has an entry of more",
                                        limits::maxValue >> 20));
        if (m_file.isDamaged())
            return unreadable("the packed file is cut off or damaged before its first event");
        return unreadable("it holds no events: expected a trace of torch.profiler, ONNX Runtime or Chrome");
    }

    /// Goes to the next value of a list or object whose opening bracket is behind.
    Next next()
    {
        for (std::size_t blanks = 0;;) {
            const std::string_view ahead = m_file.ahead(1);
            std::size_t at = skipSpace(ahead, 0);
            while (at < ahead.size() && ahead[at] == ',')
                at = skipSpace(ahead, at + 1);
            m_file.skip(at);
            blanks += at;
            m_isValueTooLong |= blanks > limits::maxValue;
            if (m_isValueTooLong)
                return Next::Cut;
            if (at < ahead.size())
                return ahead[at] == ']' || ahead[at] == '}' ? Next::End : Next::Value;
            if (ahead.empty())
                return Next::Cut;
        }
    }

    /// The text of the value at the position, which is passed; nothing if the file ends in it, or it is too long.
    std::optional<std::string_view> value()
    {
        for (std::size_t size = 1u << 16; size <= limits::maxValue; size *= 4) {
            const std::string_view ahead = m_file.ahead(size);
            std::size_t end = valueEnd(ahead, 0);
            if (end != std::string_view::npos) {
                end = std::max<std::size_t>(end, 1); // a mark where no value begins is passed as one
                m_file.skip(end);
                return ahead.substr(0, end);
            }
            if (ahead.size() < size)
                return std::nullopt;
        }
        m_isValueTooLong = true;
        return std::nullopt;
    }

    /// Passes over a list or an object that is no event, entry by entry: it may be long. False: it does not end.
    bool skipContainer()
    {
        m_file.skip(1);
        Next at = Next::Value;
        while ((at = next()) == Next::Value) {
            if (m_file.ahead(1).starts_with(':'))
                m_file.skip(1);
            if (!value())
                return false;
        }
        m_file.skip(at == Next::End ? 1 : 0);
        return at == Next::End;
    }

    Result<void> readDocument()
    {
        m_file.skip(1);
        while (next() == Next::Value) {
            const auto written = value();
            const std::string key = plainText(written.value_or(""));
            const std::string_view ahead = m_file.ahead(64);
            const std::size_t colon = skipSpace(ahead, 0), at = skipSpace(ahead, colon + 1);
            if (!written || colon >= ahead.size() || ahead[colon] != ':' || at >= ahead.size())
                break;
            m_file.skip(at);
            m_isKineto |= key == "schemaVersion" || key == "deviceProperties";
            const char bracket = ahead[at];
            if (key == "traceEvents" && bracket == '[') {
                CUTAWAY_RETURN_IF_ERROR(readEvents());
            } else if (key == "deviceProperties") {
                noteDevices(value().value_or(""));
            } else if (bracket == '[' || bracket == '{' ? !skipContainer() : !value()) {
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
        m_file.skip(1);
        Next at = Next::Value;
        for (std::uint64_t position = 0; (at = next()) == Next::Value; ++position) {
            if (!m_file.ahead(1).starts_with('{') && !m_hasEvents)
                return unreadable("expected an event, found another entry of the list");
            if ((position & 0xffff) == 0) {
                if (m_task.stopRequested())
                    return cancelled();
                m_task.report("reading the trace", m_file.position());
            }
            const auto text = hasRoom(position) ? value() : std::nullopt;
            if (!text) {
                noteEnd(position);
                return {};
            }
            addEvent(writtenIn(*text), static_cast<std::uint32_t>(position));
        }
        m_file.skip(at == Next::End ? 1 : 0);
        if (at == Next::Cut)
            noteEnd(m_position);
        return {};
    }

    bool hasRoom(std::uint64_t position) const
    {
        return m_trace.events.size() + m_begunCount < limits::maxEvents && m_trace.memory.size() < limits::maxEvents
            && m_trace.modules.size() < limits::maxEvents && position <= std::numeric_limits<std::uint32_t>::max();
    }

    /// Says why the next event is not read.
    void noteEnd(std::uint64_t position)
    {
        if (!hasRoom(position))
            note("trace.long", formatted("the trace has more than {} events; the rest is left out", limits::maxEvents));
        else if (m_isValueTooLong)
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

    /// Counts a damaged event, and notes what is wrong with the first one.
    void countDamaged(const Written &written)
    {
        if (m_damaged++ == 0)
            m_firstFault = formatted("event {} {}", m_position, faultOf(written));
    }

    void addEvent(const Written &written, std::uint32_t position)
    {
        m_hasEvents |= !written.phase.empty();
        m_position = position;
        if (written.phase.empty() || !written.isWhole)
            countDamaged(written);
        const auto *const known = std::ranges::find(knownCategories, unquoted(written.category), &KnownCategory::name);
        const bool isKnown = known != knownCategories.end();
        m_isKineto |= isKnown && known->name == "cpu_op";
        m_isOnnxRuntime |= isKnown && (known->name == "Node" || known->name == "Session");
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
            return addHalf(written, event, phase == "B");
        if (phase != "X")
            return;
        const auto start = nanoseconds(written.start), duration = nanoseconds(written.duration);
        if (!start || !duration || *duration < 0) {
            if (written.isWhole)
                countDamaged(written);
            return;
        }
        event.start = *start;
        event.duration = *duration;
        if (isModule) {
            event.name = textOf(written.name);
            event.lane = laneOf(written);
            m_trace.modules.push_back(event);
        } else if (describe(written, event)) {
            m_trace.events.push_back(event);
        }
    }

    /// Adds the name, the lane and the details; false: the event is one of those that are left out.
    bool describe(const Written &written, Event &event)
    {
        if (unquoted(written.category) == "Node") {
            std::string name = plainText(written.name);
            if (!name.ends_with(kernelTime))
                return false;
            event.name = m_trace.texts.add(withoutSuffix(std::move(name)));
        } else {
            event.name = textOf(written.name);
        }
        if (event.category == Category::Run && m_trace.nameOf(event) != "model_run")
            return false;
        event.lane = laneOf(written);
        Details details = detailsIn(written.arguments);
        if (event.category == Category::Operator && unquoted(written.phase) == "X")
            takeId(details);
        event.details = kept(details);
        return true;
    }

    /// Adds the beginning of an event, or ends the one that began last in its lane.
    void addHalf(const Written &written, Event &event, bool begins)
    {
        const auto time = nanoseconds(written.start);
        if (!time) {
            if (written.isWhole)
                countDamaged(written);
            return;
        }
        std::vector<Event> &begun = m_begun[laneOf(written)];
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

    void addMemory(const Written &written)
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
        event.lane = laneOf(written);
        event.device = m_trace.texts.add(deviceName(type.value_or(0), index.value_or(-1)));
        m_trace.memory.push_back(event);
    }

    bool isOfKnownWriter() const { return m_isKineto || m_isOnnxRuntime; }

    static std::string_view unquoted(std::string_view value)
    {
        return value.size() >= 2 && value.starts_with('"') ? value.substr(1, value.size() - 2) : value;
    }

    /// The plain text of a value. Profilers write few texts, over and over again.
    TextId textOf(std::string_view value) { return plain(m_written, value, &plainText); }
    TextId dimsOf(std::string_view value) { return plain(m_writtenDims, value, &withoutSpace); }

    struct Spelling {
        Texts written;
        std::vector<TextId> plain{TextId::None}; ///< by the id of what is written
    };
    TextId plain(Spelling &spelling, std::string_view value, std::string (*plainOf)(std::string_view))
    {
        const auto id = static_cast<std::size_t>(spelling.written.add(value));
        if (id == spelling.plain.size())
            spelling.plain.push_back(m_trace.texts.add(plainOf(value)));
        return spelling.plain[id];
    }

    TextId laneOf(const Written &written)
    {
        if (written.process != m_process || written.thread != m_thread) {
            m_process = written.process;
            m_thread = written.thread;
            m_lane = m_trace.texts.add(plainText(written.process) + "/" + plainText(written.thread));
        }
        return m_lane;
    }

    Details detailsIn(std::string_view arguments)
    {
        Details details;
        for (Members member(arguments); member.next();)
            addDetail(member.key(), member.value(), details);
        return details;
    }

    /// Takes the id from the details of an operator that is the next event; giveIds() gives it back.
    void takeId(Details &details)
    {
        constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
        if (!details.externalId || *details.externalId < 0 || *details.externalId > most)
            return;
        m_operatorIds.emplace_back(static_cast<std::uint32_t>(*details.externalId), m_trace.events.size());
        details.externalId.reset();
    }

    void addDetail(std::string_view key, std::string_view value, Details &details)
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
            details.dims = dimsOf(value);
        else if (key == "Module Hierarchy")
            details.hierarchy = m_trace.texts.add(modulePath(plainText(value)));
        else if (key == "op_name")
            details.opName = textOf(value);
        else if (key == "parent_name")
            details.parent = m_trace.texts.add(withoutSuffix(plainText(value)));
        else if (key == "graph node id")
            details.isOfCudaGraph = integer(value).value_or(0) != 0;
    }

    /// Details with a number are of one event alone.
    static bool areOfOneEvent(const Details &details)
    {
        return details.externalId || details.correlation || details.sequence;
    }

    /// Stores details, once where events share them.
    std::uint32_t kept(const Details &details)
    {
        if (details == Details())
            return 0;
        // An event adds details when it is read, and perhaps again where it gets its id back.
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

    /// Operators get their ids back that work on devices names; others need none.
    void giveIds()
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

    static std::string withoutSuffix(std::string name)
    {
        if (name.ends_with(kernelTime))
            name.resize(name.size() - kernelTime.size());
        return name;
    }

    void finish()
    {
        m_trace.kind = m_isOnnxRuntime ? Kind::OnnxRuntime : m_isKineto ? Kind::Kineto : Kind::Chrome;
        giveIds();
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
        if (m_file.isTooLong())
            note("trace.long", "the trace is longer than is read; the rest is left out");
        else if (m_file.isDamaged())
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

    using Shared = std::tuple<TextId, TextId, TextId, TextId, TextId, std::optional<std::int64_t>, bool>;

    UnpackedFile m_file;
    const Task &m_task;
    Trace m_trace;
    Spelling m_written, m_writtenDims;
    std::string m_process, m_thread; ///< of the event before, as they are written
    TextId m_lane{};
    std::map<Shared, std::uint32_t> m_shared;                           ///< details that have no number of their own
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_operatorIds; ///< and the event in Trace::events
    std::map<TextId, std::vector<Event>> m_begun;                       ///< by lane, the innermost last
    std::size_t m_begunCount = 0;                                       ///< in all lanes
    std::uint64_t m_damaged = 0, m_halves = 0;
    std::string m_firstFault;     ///< of the first damaged event
    std::uint32_t m_position = 0; ///< of the present event
    bool m_isValueTooLong = false;
    bool m_hasEvents = false, m_isKineto = false, m_isOnnxRuntime = false;
};

} // namespace

std::string_view name(Kind kind)
{
    constexpr std::array<std::string_view, 3> names{"kineto", "onnxruntime", "chrome"};
    return names[std::to_underlying(kind)];
}

TextId Texts::add(std::string_view text)
{
    const auto known = m_ids.find(text);
    if (known != m_ids.end())
        return known->second;
    const auto id = static_cast<TextId>(m_texts.size());
    m_ids.emplace(m_texts.emplace_back(text), id);
    return id;
}

Result<Trace> read(const std::string &path, const Task &task)
{
    auto file = UnpackedFile::open(path);
    if (!file)
        return withSubject(path, Result<Trace>(std::unexpected(file.error())));
    return withSubject(path, EventReader(std::move(*file), task).read());
}

} // namespace cutaway::trace
