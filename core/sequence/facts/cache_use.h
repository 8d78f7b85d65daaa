// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

namespace cutaway::sequence {

/// Whether a compilation was found in a cache of torch.
struct CacheUse {
    std::string cache;   ///< "fx_graph", "aotautograd"
    std::string outcome; ///< "hit", "miss", "bypass"
    bool operator==(const CacheUse &) const = default;
};

/// Returns the caches that were asked, in the order of the log: from records such as fx_graph_cache_miss.
std::vector<CacheUse> cachesOf(const Sequence &sequence);

} // namespace cutaway::sequence
