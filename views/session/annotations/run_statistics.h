// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/values/activations.h"

#include <string>
#include <vector>

namespace cutaway::views {

/// The statistics of all values in a run, of the model of the run's origin.
struct RunStatistics {
    run::Activations activations; ///< the outcome without its outputs
    std::vector<run::NotFinite> notFinite;
    std::vector<node_data::Column> columns; ///< see run::columnsOf() and run::errorColumns()
    std::string json;                       ///< the statistics as they are saved, see run::parseActivations()
    std::string errors = {};                ///< the columns of errors as a table in CSV, or ""
};

} // namespace cutaway::views
