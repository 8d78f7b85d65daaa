// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

namespace cutaway::query {

/// Whether a node matches a query. The match of two conditions is the smaller value for "and", the larger one for "or".
enum class Match : std::uint8_t { No, Unknown, Yes };

// The three-valued logic of conditions, "and", "or" and "not".
constexpr Match matchIf(bool isSo) { return isSo ? Match::Yes : Match::No; }
constexpr Match both(Match a, Match b) { return std::min(a, b); }
constexpr Match either(Match a, Match b) { return std::max(a, b); }
constexpr Match opposite(Match a) { return static_cast<Match>(static_cast<int>(Match::Yes) - static_cast<int>(a)); }

} // namespace cutaway::query
