// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/archive/torch_save.h"

#include <cstdint>
#include <cstdlib>

namespace archive = cutaway::formats::archive;

/// A pickle makes at most a value per byte, and every value can be asked whether it is a tensor.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto pickle = archive::Pickle::read(std::as_bytes(std::span(data, size)));
    if (!pickle)
        return 0;
    if (pickle->size() > size || pickle->length() > size)
        std::abort();
    for (std::uint32_t i = 0; i < pickle->size(); ++i)
        (void)archive::pickledTensor(*pickle, archive::Pickle::ValueId{i});
    return 0;
}
