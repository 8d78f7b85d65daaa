// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/python/raised.h"
#include "app/python/shared_model.h"
#include "core/node_data/table.h"

#include <optional>

namespace cutaway::python {

/// Declares the class Drawing.
void bindDrawing(nb::module_ &module);

/// The options of `draw`.
struct DrawRequest {
    std::string function;
    std::optional<int> depth;
    bool flat = false;
    bool all = false;
    bool dark = false;
    std::optional<node_data::Table> data = {}; ///< the user's node data
    std::string colourBy = {};                 ///< "data.latency": a column of the node data; "": by category
};

/// Lays out a function of the model, and returns a Drawing. Raises an error for options that exclude each other.
nb::object drawn(const SharedModel &model, const DrawRequest &asked);

} // namespace cutaway::python
