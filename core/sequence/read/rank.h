// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>

namespace cutaway::sequence {

/// Returns the rank in a log's name, "dedicated_log_torch_trace_rank_3_abcdefgh.log", or else in the name of the log's
/// folder, "rank_3".
std::optional<int> rankIn(const std::filesystem::path &log);

} // namespace cutaway::sequence
