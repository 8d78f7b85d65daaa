// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/layout.h"

#include <vector>

namespace cutaway::layout {

/// The contents of one part of a function by themselves, with the parts in it closed. A value that comes from outside
/// has an Input, one that is read outside an Output; the subject of either is an InputSubject with the value.
struct PartPlane {
    std::uint32_t part = 0; ///< index of the part in the outline; 0 is the body
    Diagram diagram;
};

/// Lays out the contents of every part that can be opened. The body comes first, and a part before the parts in it.
/// Boxes are closed and have `canOpen` set where there is a plane for them. Takes about as long as a picture with all
/// parts open. Errors: only Cancelled.
Result<std::vector<PartPlane>> layOutPlanes(const ir::Model &model, ir::FunctionId function, const Outline &outline,
                                            const TextMeasure &measure = approximateTextWidth,
                                            const Options &options = {}, std::stop_token stop = {});

} // namespace cutaway::layout
