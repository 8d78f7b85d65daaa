// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/trace/limits.h"
#include "core/trace/read/json_text.h"
#include "core/trace/read/unpacked_file.h"
#include "core/trace/trace.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

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
    if (isSmall && *point == '.' && end - point <= 4) {
        std::int64_t decimals = 0;
        for (int i = 1; i <= 3; ++i)
            decimals = decimals * 10 + (point + i < end && point[i] >= '0' && point[i] <= '9' ? point[i] - '0' : 0);
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
            return unreadable("it holds no events: expected a trace of torch.profiler, ONNX Runtime or Chrome");
        finish();
        return std::move(m_trace);
    }

private:
    enum class Next : std::uint8_t { Value, End, Cut };

    /// Goes to the next value of a list or object whose opening bracket is behind.
    Next next()
    {
        for (;;) {
            const std::string_view ahead = m_file.ahead(1);
            const std::size_t at = std::min(ahead.find_first_not_of(", \t\r\n"), ahead.size());
            m_file.skip(at);
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
                break;
        }
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
            } else if (bracket == '[' || bracket == '{' ? !skipContainer() : !value()) {
                break;
            }
        }
        return {};
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
            const auto text = m_trace.events.size() < limits::maxEvents ? value() : std::nullopt;
            if (!text) {
                noteEnd();
                return {};
            }
            addEvent(writtenIn(*text), position);
        }
        m_file.skip(at == Next::End ? 1 : 0);
        if (at == Next::Cut)
            note("trace.cut", "the file ends before its list of events does; what is whole is shown");
        return {};
    }

    /// Says why the next event is not read.
    void noteEnd()
    {
        if (m_trace.events.size() >= limits::maxEvents)
            note("trace.long", formatted("the trace has more than {} events; the rest is left out", limits::maxEvents));
        else
            note("trace.cut", "the file ends inside an event, or one is too long; what stands before it is shown");
    }

    void note(std::string code, std::string message)
    {
        m_trace.diagnostics.push_back({ir::Severity::Warning, std::move(code), std::move(message), {}, {}});
    }

    void addEvent(const Written &written, std::uint64_t position)
    {
        m_hasEvents |= !written.phase.empty();
        m_damaged += written.phase.empty() || !written.isWhole;
        const std::string phase = plainText(written.phase), category = plainText(written.category);
        const auto *const known = std::ranges::find(knownCategories, category, &KnownCategory::name);
        m_isKineto |= category == "cpu_op";
        m_isOnnxRuntime |= category == "Node" || category == "Session";
        if (phase != "X" || (known == knownCategories.end() && isOfKnownWriter()))
            return;
        Event event;
        event.position = position;
        event.category = known == knownCategories.end() ? Category::Operator : known->category;
        const auto start = nanoseconds(written.start), duration = nanoseconds(written.duration);
        if (!start || !duration || *duration < 0) {
            m_damaged += written.isWhole;
            return;
        }
        event.start = *start;
        event.duration = *duration;
        std::string name = plainText(written.name);
        if (category == "Node") {
            if (!name.ends_with(kernelTime))
                return;
            name = withoutSuffix(std::move(name));
        }
        if (event.category == Category::Run && name != "model_run")
            return;
        event.name = m_trace.texts.add(name);
        event.lane = m_trace.texts.add(plainText(written.process) + "/" + plainText(written.thread));
        event.details = detailsIn(written.arguments);
        m_trace.events.push_back(event);
    }

    bool isOfKnownWriter() const { return m_isKineto || m_isOnnxRuntime; }

    std::uint32_t detailsIn(std::string_view arguments)
    {
        if (arguments.empty())
            return 0;
        Details details;
        bool isAny = false;
        const auto text = [&](std::string_view value) { return m_trace.texts.add(plainText(value)); };
        for (Members member(arguments); member.next();) {
            const std::string_view key = member.key(), value = member.value();
            isAny = true;
            if (key == "External id")
                details.externalId = integer(value);
            else if (key == "correlation")
                details.correlation = integer(value);
            else if (key == "Sequence number")
                details.sequence = integer(value);
            else if (key == "device")
                details.device = integer(value);
            else if (key == "stream")
                details.stream = text(value);
            else if (key == "Input Dims")
                details.dims = m_trace.texts.add(withoutSpace(value));
            else if (key == "Module Hierarchy")
                details.hierarchy = m_trace.texts.add(modulePath(plainText(value)));
            else if (key == "op_name")
                details.opName = text(value);
            else if (key == "parent_name")
                details.parent = m_trace.texts.add(withoutSuffix(plainText(value)));
            else if (key == "graph node id")
                details.isOfCudaGraph = integer(value).value_or(0) != 0;
        }
        if (!isAny)
            return 0;
        m_trace.details.push_back(details);
        return static_cast<std::uint32_t>(m_trace.details.size() - 1);
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
        std::ranges::sort(m_trace.events, [](const Event &a, const Event &b) {
            return std::tuple(a.start, -a.duration, a.position) < std::tuple(b.start, -b.duration, b.position);
        });
        if (m_damaged > 0)
            note("trace.damaged",
                 formatted("events are damaged, or have no start or no duration; what cannot be read of them is "
                           "left out: {}",
                           m_damaged));
        if (m_file.isTooLong())
            note("trace.long", "the trace is longer than is read; the rest is left out");
        else if (m_file.isDamaged())
            note("trace.cut", "the packed file is cut off or damaged; what is whole is shown");
    }

    UnpackedFile m_file;
    const Task &m_task;
    Trace m_trace;
    std::uint64_t m_damaged = 0;
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
