// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/blame.h"
#include "core/sequence/mapping.h"

#include <string>

namespace cutaway::report {

/// How much of a sequence is listed.
struct SequenceOptions {
    bool useProvenance = true; ///< use what the source says of where nodes come from
    bool isWhole = false;      ///< list steps that change nothing, too
    bool hasPatterns = false;  ///< read all graphs, and tell what each step did
};

/// The graphs that other compilers wrote down: JSON, schema "cutaway.steps/1".
std::string sequencesJson(const sequence::Document &document, const SequenceOptions &options);
/// A list of them for a terminal; steps that change nothing are counted.
std::string sequencesText(const sequence::Document &document, const SequenceOptions &options);

/// Tells in full what the kernels of a sequence move and save, and the memory of a forward with its backward; "" if the
/// sequence has no kernels and no backward.
std::string figuresText(const sequence::Document &document, const sequence::Sequence &each, const Task &task = {});

/// Where the nodes of one graph came from in another, both by their addresses: JSON, schema "cutaway.mapping/1".
std::string mappingJson(const std::string &a, const std::string &b, const sequence::Mapping &mapping);
std::string mappingText(const sequence::Mapping &mapping);

/// The history of a node: JSON, schema "cutaway.blame/1".
std::string blameJson(const std::string &step, const std::string &node,
                      const std::vector<sequence::BlameEntry> &history);
std::string blameText(const std::vector<sequence::BlameEntry> &history);

} // namespace cutaway::report
