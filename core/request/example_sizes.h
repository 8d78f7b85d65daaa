// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"

#include <set>
#include <string>

namespace cutaway::request {

/// Values for the symbols that a function's costs still have in them, where a picture or an order of rows needs
/// numbers: those of the exporter's example, and where there is none 16, as near as the symbol's range allows.
struct ExampleSizes {
    symbolic::Bindings bindings;
    std::string note; ///< which symbols have which value, for a person; "" if there are none

    std::optional<double> of(const ir::Dim &dim) const;
};

ExampleSizes exampleSizes(const ir::Model &model, const std::set<std::string> &symbols);
/// For those that the costs of the nodes and their memory have in them.
ExampleSizes exampleSizes(const ir::Model &model, const analysis::Analysis &analysis);

} // namespace cutaway::request
