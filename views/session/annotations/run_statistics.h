// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/values/activations.h"

namespace cutaway::views {

/// The statistics of all values in a run, of the model of the run's origin.
struct RunStatistics {
    run::Activations activations; ///< without the outcome
    std::vector<run::NotFinite> notFinite;
    std::vector<node_data::Column> columns; ///< see run::columnsOf()
};

} // namespace cutaway::views
