// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/call.h"
#include "core/ops/network/window.h"

#include <array>

/// Windows that move over at most three spatial dimensions; missing dimensions have size 1.
namespace cutaway::compute {

using Triple = std::array<std::int64_t, 3>;

/// The size, steps and padding of a window, in elements.
struct Window {
    Triple kernel{1, 1, 1};
    Triple stride{1, 1, 1};
    Triple dilation{1, 1, 1};
    Triple before{0, 0, 0}; ///< the padding
    Triple after{0, 0, 0};
};

/// The number of images and channels and the spatial sizes of a tensor.
struct Images {
    std::int64_t count = 1, channels = 1;
    Triple size{1, 1, 1};
};

/// Reads a tensor's shape, whose last `spatial` dimensions are spatial; the channels come before these, and perhaps the
/// images before the channels.
std::optional<Images> imagesOf(const Sizes &shape, std::size_t spatial);

/// Returns the windows as numbers, for an input and a result of these sizes. Nothing if a number is not known or
/// outside of the range that occurs in models.
std::optional<Window> windowOf(const ops::Windows &windows, const Triple &input, const Triple &output);

/// Calls visit(position) for each position of a box, row by row.
template <class Visit>
void forEachPosition(const Triple &size, Visit &&visit)
{
    for (std::int64_t z = 0; z < size[0]; ++z)
        for (std::int64_t y = 0; y < size[1]; ++y)
            for (std::int64_t x = 0; x < size[2]; ++x)
                visit(Triple{z, y, x});
}

inline bool isInside(const Triple &position, const Triple &size)
{
    for (std::size_t d = 0; d < 3; ++d)
        if (position[d] < 0 || position[d] >= size[d])
            return false;
    return true;
}

/// Returns the position's row-major index in a box.
inline std::int64_t placeOf(const Triple &position, const Triple &size)
{
    return (position[0] * size[1] + position[1]) * size[2] + position[2];
}

inline std::int64_t countOf(const Triple &size) { return size[0] * size[1] * size[2]; }

} // namespace cutaway::compute
