// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/support.h"

#include <string>
#include <vector>

namespace cutaway::report {

/// A part of a model that a backend takes as a whole.
struct PartitionPart {
    struct Input {
        std::string name;
        std::string file; ///< with the values that it has in a run; "": not written
    };
    std::string name = {}; ///< "partition_0"
    std::size_t nodes = 0;
    std::vector<Input> inputs = {};
    std::vector<std::string> results = {};
    std::string file = {}; ///< with the part as a model; "": not written
};

/// A model in the parts that a backend takes.
struct PartitionedModel {
    std::string backend;
    const ir::Graph &graph; ///< the graph that was asked about
    const run::Support &support;
    std::vector<PartitionPart> parts;
    std::string inputFault; ///< why the inputs of the parts are not written; "": they are, or are not wanted
};

/// A row per part, what the backend does not take and why, and how a written part is run.
std::string partitionText(const PartitionedModel &partitioned);
/// The document of `partition --json`, schema "cutaway.partition/1".
std::string partitionJson(const PartitionedModel &partitioned);

} // namespace cutaway::report
