// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json_writer.h"
#include "core/protocol/backend.h"

#include <optional>

namespace cutaway::report {

inline constexpr double inMilliseconds = 1e3; ///< factor from seconds to milliseconds

/// Writes "key": {"median", "p5", "p95", "count"}, in milliseconds.
void writeSpread(JsonWriter &out, std::string_view key, const protocol::Spread &spread);

/// Writes "key": milliseconds, or null if the time is unknown.
void writeSeconds(JsonWriter &out, std::string_view key, std::optional<double> seconds);

} // namespace cutaway::report
