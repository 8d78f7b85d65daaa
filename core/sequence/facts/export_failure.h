// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

namespace cutaway::sequence {

/// A line of a user's program, with the lines around it where the recorder could read them.
struct ProgramLine {
    std::string file, function, code;
    std::uint64_t line = 0;
    std::uint64_t firstAround = 0; ///< the number of the first of `around`
    std::vector<std::string> around = {};
};

/// A way to export a module, and how it ended.
struct ExportAttempt {
    std::string how;                 ///< "torch.export, strict"
    std::string outcome;             ///< "after 4 nodes: Dynamic control flow is not supported"
    std::string message;             ///< all that torch said
    std::optional<std::size_t> step; ///< the step of the sequence with the graph so far; nothing: there is none
};

/// A module that torch could not export, as the Python module records it beside the graphs so far.
struct ExportFailure {
    std::string model, reason;
    std::optional<ProgramLine> place;
    std::vector<std::string> advice;
    std::vector<ExportAttempt> attempts;
};

/// Reads what a recording says of an export that failed; nothing if it says of none, or the record is damaged.
std::optional<ExportFailure> exportFailureOf(const Sequence &sequence);

/// The name of the record.
inline constexpr std::string_view exportFailureRecord = "cutaway_export_failure";

} // namespace cutaway::sequence
