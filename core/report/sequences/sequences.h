// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/blame.h"
#include "core/sequence/mapping.h"

#include <string>

namespace cutaway::report {

/// How much of a sequence is listed.
struct SequenceOptions {
    bool useProvenance = true; ///< whether to use what the source records about the origins of nodes
    bool isWhole = false;      ///< whether steps that change nothing are listed, too
    bool hasPatterns = false;  ///< whether all graphs are read, to describe the change by each step
};

/// Returns the graphs that other compilers wrote as JSON, schema "cutaway.steps/1".
std::string sequencesJson(const sequence::Document &document, const SequenceOptions &options);
/// Returns a list of the graphs for a terminal; steps that change nothing are only counted.
std::string sequencesText(const sequence::Document &document, const SequenceOptions &options);

/// Describes in full what the kernels of a sequence read and write and what fusion saves, and the memory of a forward
/// with its backward; "" if the sequence has no kernels and no backward.
std::string figuresText(const sequence::Document &document, const sequence::Sequence &each, const Task &task = {});

/// Returns the origins of one graph's nodes in another, both given by address: JSON, schema "cutaway.mapping/1".
std::string mappingJson(const std::string &a, const std::string &b, const sequence::Mapping &mapping);
std::string mappingText(const sequence::Mapping &mapping);

/// Returns the history of a node as JSON, schema "cutaway.blame/1".
std::string blameJson(const std::string &step, const std::string &node,
                      const std::vector<sequence::BlameEntry> &history);
std::string blameText(const std::vector<sequence::BlameEntry> &history);

} // namespace cutaway::report
