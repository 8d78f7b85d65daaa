// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

#include <string>

namespace cutaway::report {

struct SequenceOptions {
    bool useProvenance = true; ///< use what the source says of where nodes come from
    bool isWhole = false;      ///< list steps that change nothing, too
};

/// The graphs that other compilers wrote down: JSON, schema "cutaway.steps/1".
std::string sequencesJson(const sequence::Document &document, const SequenceOptions &options);
/// A list of them for a terminal; steps that change nothing are counted.
std::string sequencesText(const sequence::Document &document, const SequenceOptions &options);

} // namespace cutaway::report
