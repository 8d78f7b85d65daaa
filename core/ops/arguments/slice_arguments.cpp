// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/arguments/slice_arguments.h"

#include "core/base/result.h"
#include "core/ops/facts/moved_elements.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace cutaway::ops {

using ir::Dim;

OrDoubt<std::vector<SlicedAxis>> slicedAxes(const Call &call, std::size_t rank)
{
    const bool areInputs = call.isOnnx() && !call.has("starts"); // before opset 10 starts, ends and axes are attributes
    const auto given = [&](std::size_t position, std::initializer_list<std::string_view> names) -> const Fact & {
        return areInputs ? call[position] : call.any(names);
    };
    const Fact &named = given(3, {"axes"}), &strides = given(4, {"strides"});
    const auto starts = asInts(given(1, {"starts", "start_indices"})),
               ends = asInts(given(2, {"ends", "limit_indices"})), steps = asInts(strides);
    std::vector<std::size_t> which(starts ? starts->size() : 0);
    std::iota(which.begin(), which.end(), std::size_t{0}); // without a list of axes, the first axes are sliced
    if (!named.as<NoneFact>()) {
        CUTAWAY_TRY(which, axes(named, rank));
    } else if (!starts) {
        return unknown("starts unknown");
    }
    const auto at = [](const std::optional<std::vector<Dim>> &list, std::size_t i) {
        return list ? (*list)[i] : Dim(ir::UnknownDim{});
    };
    std::vector<SlicedAxis> made;
    for (std::size_t i = 0; i < which.size(); ++i) {
        const bool reach = std::ranges::all_of(std::array{&starts, &ends, &steps},
                                               [&](const auto *list) { return !*list || i < (*list)->size(); });
        if (which[i] >= rank || !reach)
            return wrong("starts, ends, axes and steps do not fit together");
        const auto step = strides.as<NoneFact>() ? std::optional<std::int64_t>(1) : number(at(steps, i));
        if (step == 0)
            return wrong("a step of 0");
        made.push_back({which[i], at(starts, i), at(ends, i), step});
    }
    return made;
}

} // namespace cutaway::ops
