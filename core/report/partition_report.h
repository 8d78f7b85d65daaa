// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/support.h"

#include <string>
#include <vector>

namespace cutaway::report {

/// A part of a model that a backend runs as a whole.
struct PartitionPart {
    struct Input {
        std::string name;
        std::string file; ///< the file with the values of the input in a run; "" if it was not written
    };
    std::string name = {}; ///< "partition_0"
    std::size_t nodes = 0;
    std::vector<Input> inputs = {};
    std::vector<std::string> results = {};
    std::string file = {}; ///< the file with the part as a model; "" if it was not written
};

/// A model divided into the parts that a backend supports.
struct PartitionedModel {
    std::string backend;
    const ir::Graph &graph; ///< the graph whose nodes the backend was asked about
    const run::Support &support;
    std::vector<PartitionPart> parts;
    std::string inputFault; ///< why the inputs of the parts are not written; "" if they are, or are not wanted
};

/// Returns a row per part, the nodes that the backend does not support with the reasons, and how a written part is run.
std::string partitionText(const PartitionedModel &partitioned);
/// Returns the document of `partition --json`, schema "cutaway.partition/1".
std::string partitionJson(const PartitionedModel &partitioned);

} // namespace cutaway::report
