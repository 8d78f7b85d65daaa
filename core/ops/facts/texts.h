// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/facts/fact.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cutaway::ops {

/// The length of the longest text that is followed: a loop could double a text for ever.
inline constexpr std::size_t maxTextLength = 4096;

// The results of TorchScript's operators on texts.
/// The parts between separators, or between spaces where there is none; `most` separations at most, -1: all.
SequenceFact splitText(std::string_view text, const std::optional<std::string> &separator, std::int64_t most);
/// text[start:end:step]; the borders may be negative or outside. Nothing: the step is not positive.
std::optional<std::string> sliceText(std::string_view text, std::optional<std::int64_t> start,
                                     std::optional<std::int64_t> end, std::int64_t step);
/// The text without these letters in front, at the end or at both.
std::string stripText(std::string_view text, std::string_view letters, bool inFront, bool atTheEnd);
/// The text with every `part` replaced, `most` times at most, -1: all. Nothing: `part` is empty, or the text becomes
/// too long.
std::optional<std::string> replaceText(std::string_view text, std::string_view part, std::string_view by,
                                       std::int64_t most);

} // namespace cutaway::ops
