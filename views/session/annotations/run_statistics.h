// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/values/activations.h"

#include <string>
#include <vector>

namespace cutaway::views {

/// The statistics of all values in a run. The values are those of RunOrigin::model.
struct RunStatistics {
    run::Activations activations; ///< the statistics, in which the run's outputs are left empty
    std::vector<run::NotFinite> notFinite;
    std::vector<node_data::Column> columns; ///< see run::columnsOf() and run::errorColumns()
    std::string json;                       ///< the statistics in the format of run::parseActivations()
    std::string errors = {};                ///< the columns of errors as a table in CSV, or ""
};

} // namespace cutaway::views
