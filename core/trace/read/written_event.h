// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cutaway::trace {

/// An event as it is written: the values of its members, as they stand in the text.
struct WrittenEvent {
    std::string_view phase, category, name, process, thread, start, duration, arguments;
    bool isWhole = true;
};

/// The event in the text of a JSON object, which the event refers to.
WrittenEvent writtenIn(std::string_view object);

/// A value without its quotes.
std::string_view unquoted(std::string_view value);
/// Microseconds with decimals as nanoseconds; nothing where the text is no such number.
std::optional<std::int64_t> nanoseconds(std::string_view text);
std::optional<std::int64_t> integer(std::string_view value);

/// The fault of a damaged event, as a predicate: "has no \"ts\"".
std::string faultOf(const WrittenEvent &written);

} // namespace cutaway::trace
