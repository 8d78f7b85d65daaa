// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

#include <map>

namespace cutaway::sequence {

/// For each node of a later graph, by name, the names of the nodes of an earlier graph that it came from, as a file
/// records them.
using RecordedOrigins = std::map<std::string, std::vector<std::string>>;

/// The record that Inductor makes of a compiled graph: names of nodes and of kernel calls ("cpp_fused_relu_0:2").
struct Provenance {
    RecordedOrigins postToPre; ///< by node of the last post-grad graph: nodes of the first pre-grad graph
    /// By kernel call, in the order of the record: nodes of the last post-grad graph.
    std::vector<std::pair<std::string, std::vector<std::string>>> kernelToPost;
    bool isEmpty() const { return postToPre.empty() && kernelToPost.empty(); }
};

/// The name of the record of provenance in a log, and of its file in a debug folder.
inline constexpr std::string_view provenanceRecord = "inductor_provenance_tracking_node_mappings";

/// Reads the origins of a step's nodes that the recorder of the Python module writes; empty if the text is no JSON
/// object.
RecordedOrigins readOrigins(const Excerpt &text);

/// Reads a record of provenance; the result is empty if `record` is another one.
Provenance readProvenance(const Record &record);

} // namespace cutaway::sequence
