// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>

namespace cutaway::sequence {

/// The rank that a log's name tells, "dedicated_log_torch_trace_rank_3_abcdefgh.log", or else its folder's, "rank_3".
std::optional<int> rankIn(const std::filesystem::path &log);

} // namespace cutaway::sequence
