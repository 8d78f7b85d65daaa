// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/npy.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace tensor = cutaway::tensor;

/// An array that can be read has as many bytes as its shape needs, and is equal after it was written.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto read = tensor::parseNpy({reinterpret_cast<const char *>(data), size});
    if (!read)
        return 0;
    if (!cutaway::protocol::check(*read))
        std::abort();
    const auto printed = tensor::printNpy(*read);
    if (!printed || tensor::parseNpy(*printed) != *read)
        std::abort();
    return 0;
}
