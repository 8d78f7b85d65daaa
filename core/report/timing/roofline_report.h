// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/roofline.h"
#include "core/base/json_writer.h"

namespace cutaway::report {

/// Writes the member "roofline" of `inspect --json`: the device, a lower bound of the time of each node and of all with
/// a known time together (`unknown` counts the others), and whether weights and activations fit; in seconds and bytes.
void writeRoofline(JsonWriter &out, const ir::Model &model, const analysis::Analysis &analysis,
                   const analysis::Device &device, std::int64_t weightBytes);

/// Returns the roofline for a terminal, with the slowest nodes.
std::string rooflineText(const ir::Model &model, const analysis::Analysis &analysis, const analysis::Device &device,
                         std::int64_t weightBytes);

/// Returns "compute" or "memory"; "nothing" for a node that takes no time.
std::string_view name(analysis::Attainable::Bound bound);

} // namespace cutaway::report
