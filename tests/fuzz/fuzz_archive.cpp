// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/archive/torch_save.h"
#include "core/formats/archive/zip.h"

#include <cstdint>
#include <cstdlib>

namespace archive = cutaway::formats::archive;

/// Every member of an archive that opens lies inside of it and has the size its entry says.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto bytes = std::as_bytes(std::span(data, size));
    (void)archive::TorchSave::open(bytes);
    const auto zip = archive::Zip::open(bytes);
    if (!zip)
        return 0;
    for (const archive::Member &member : zip->members()) {
        const auto extent = zip->extent(member);
        if (extent && (extent->offset > size || extent->length > size - extent->offset))
            std::abort();
        const auto content = zip->read(member);
        if (content && content->bytes().size() != member.size)
            std::abort();
    }
    return 0;
}
