// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cutaway::trace {

/// An event as the file has it: the texts of its members.
struct WrittenEvent {
    std::string_view phase, category, name, process, thread, start, duration, arguments;
    bool isWhole = true;
};

/// Returns the event in the text of a JSON object; its members refer to that text.
WrittenEvent writtenIn(std::string_view object);

/// Returns a value without its quotes.
std::string_view unquoted(std::string_view value);
/// Returns microseconds with decimals as nanoseconds; nothing if the text is no such number.
std::optional<std::int64_t> nanoseconds(std::string_view text);
std::optional<std::int64_t> integer(std::string_view value);

/// Returns the fault of a damaged event as a predicate: "has no \"ts\"".
std::string faultOf(const WrittenEvent &written);

} // namespace cutaway::trace
