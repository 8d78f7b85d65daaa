// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

namespace cutaway::sequence {

/// A line of a user's program, with the lines around it if the recorder could read them.
struct ProgramLine {
    std::string file, function, code;
    std::uint64_t line = 0;
    std::uint64_t firstAround = 0; ///< the number of the first line in `around`
    std::vector<std::string> around = {};
};

/// A way to export a module, and how it ended.
struct ExportAttempt {
    std::string how;                 ///< "torch.export, strict"
    std::string outcome;             ///< "after 4 nodes: Dynamic control flow is not supported"
    std::string message;             ///< torch's entire message
    std::optional<std::size_t> step; ///< the index of the step with the unfinished graph; nothing if there is none
};

/// A module that torch could not export, as the Python module records it with the graphs of the attempts.
struct ExportFailure {
    std::string model, reason;
    std::optional<ProgramLine> place;
    std::vector<std::string> advice;
    std::vector<ExportAttempt> attempts;
};

/// Returns the failed export that a recording describes; nothing if there is none, or if the record is damaged.
std::optional<ExportFailure> exportFailureOf(const Sequence &sequence);

/// The name of the record that describes a failed export.
inline constexpr std::string_view exportFailureRecord = "cutaway_export_failure";

} // namespace cutaway::sequence
