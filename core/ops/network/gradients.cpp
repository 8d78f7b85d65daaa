// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/network/gradients.h"

namespace cutaway::ops {

Answer wantedGradients(const Call &call, Facts all)
{
    const auto mask = call.sizes("output_mask");
    for (std::size_t i = 0; mask && i < std::min(all.size(), mask->size()); ++i)
        if (number((*mask)[i]) == 0)
            all[i] = NoneFact{};
    return all;
}

} // namespace cutaway::ops
