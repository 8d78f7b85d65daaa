// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cow.h"
#include "core/ir/dim.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>

namespace cutaway::ops {

/// A pool of shapes: equal shapes share one object, because a network has few different ones.
class ShapePool {
public:
    Cow<ir::Shape> shared(Cow<ir::Shape> shape);

private:
    boost::unordered_flat_map<std::size_t, Cow<ir::Shape>> m_byHash; ///< by hash: the first shape with that hash
};

} // namespace cutaway::ops
