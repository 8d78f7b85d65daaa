// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/activations.h"

namespace cutaway::views {

/// The statistics of all values in a run, of the model of the run's origin.
struct RunStatistics {
    tensor::Activations activations; ///< without the outcome
    std::vector<tensor::NotFinite> notFinite;
    std::vector<node_data::Column> columns; ///< see tensor::columnsOf()
};

} // namespace cutaway::views
