// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

namespace cutaway::query {

/// Whether a node is what was asked for. Both of two is the smaller of their values, one of two the larger.
enum class Match : std::uint8_t { No, Unknown, Yes };

constexpr Match matchIf(bool isSo) { return isSo ? Match::Yes : Match::No; }
constexpr Match both(Match a, Match b) { return std::min(a, b); }
constexpr Match either(Match a, Match b) { return std::max(a, b); }
constexpr Match opposite(Match a) { return static_cast<Match>(static_cast<int>(Match::Yes) - static_cast<int>(a)); }

} // namespace cutaway::query
