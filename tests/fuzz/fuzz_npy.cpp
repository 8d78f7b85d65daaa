// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/npy.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace run = cutaway::run;

/// What can be read has as many bytes as its shape says, and is the same once it was written.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto tensor = tensor::parseNpy({reinterpret_cast<const char *>(data), size});
    if (!tensor)
        return 0;
    if (!cutaway::protocol::check(*tensor))
        std::abort();
    const auto printed = tensor::printNpy(*tensor);
    if (!printed || tensor::parseNpy(*printed) != *tensor)
        std::abort();
    return 0;
}
