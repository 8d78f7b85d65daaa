// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/facts/fact.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cutaway::ops {

/// The length of the longest text that is followed: a loop could double a text without end.
inline constexpr std::size_t maxTextLength = 4096;

// TorchScript's operators on texts.

/// The parts between separators, or between spaces if `separator` is nothing; at most `most` splits, -1: no limit.
SequenceFact splitText(std::string_view text, const std::optional<std::string> &separator, std::int64_t most);
/// Returns text[start:end:step]; the borders may be negative or out of range. Nothing: the step is not positive.
std::optional<std::string> sliceText(std::string_view text, std::optional<std::int64_t> start,
                                     std::optional<std::int64_t> end, std::int64_t step);
/// Returns the text without these letters at its beginning, its end or both.
std::string stripText(std::string_view text, std::string_view letters, bool inFront, bool atTheEnd);
/// Returns the text in which `part` is replaced, at most `most` times, -1: everywhere. Nothing: `part` is empty, or
/// the text becomes too long.
std::optional<std::string> replaceText(std::string_view text, std::string_view part, std::string_view by,
                                       std::int64_t most);

} // namespace cutaway::ops
