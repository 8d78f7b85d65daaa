// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

#include <map>

namespace cutaway::sequence {

/// The names of the nodes of a graph that each node of a later graph came from, as a file records them; by the name of
/// the later node.
using RecordedOrigins = std::map<std::string, std::vector<std::string>>;

/// The record that Inductor makes of one compiled graph: names of nodes and of kernel calls ("cpp_fused_relu_0:2").
struct Provenance {
    RecordedOrigins postToPre; ///< a node of the last post-grad graph → nodes of the first pre-grad one
    std::vector<std::pair<std::string, std::vector<std::string>>> kernelToPost; ///< in the order of the record
    bool isEmpty() const { return postToPre.empty() && kernelToPost.empty(); }
};

/// The name of such a record in a log, and of the file in a debug folder.
inline constexpr std::string_view provenanceRecord = "inductor_provenance_tracking_node_mappings";

/// Reads what the recorder of the Python module writes of the nodes of a step. Nothing if the text is no such thing.
RecordedOrigins readOrigins(const Excerpt &text);

/// Reads the record; nothing of it if it is no such thing.
Provenance readProvenance(const Record &record);

} // namespace cutaway::sequence
