// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/layout.h"

#include <vector>

namespace cutaway::layout {

/// The contents of one part of a function by themselves, the parts in it closed. A value that comes from outside has an
/// Input, one that is read outside an Output; the subject of either is an InputSubject with the value.
struct PartPlane {
    std::uint32_t part = 0; ///< index in the outline; 0: the body
    Diagram diagram;
};

/// Lays out the contents of every part that can be opened, the body first, a part before those in it. Boxes are closed
/// and have `canOpen` set where there is a plane for them. Takes about as long as a picture with all parts open.
/// Errors: only Cancelled.
Result<std::vector<PartPlane>> layOutPlanes(const ir::Model &model, ir::FunctionId function, const Outline &outline,
                                            const TextMeasure &measure = approximateTextWidth,
                                            const Options &options = {}, std::stop_token stop = {});

} // namespace cutaway::layout
