// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/read/written_event.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/trace/read/json_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace cutaway::trace {

std::string_view unquoted(std::string_view value)
{
    return value.size() >= 2 && value.starts_with('"') ? value.substr(1, value.size() - 2) : value;
}

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

WrittenEvent writtenIn(std::string_view object)
{
    WrittenEvent event;
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

std::string faultOf(const WrittenEvent &written)
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

} // namespace cutaway::trace
