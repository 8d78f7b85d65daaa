// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/reader.h"
#include "core/ir/verify.h"

#include <cstdint>
#include <cstdlib>

/// Whatever reads, reads as a sound model. External data is looked for in a folder that is not there.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto model = cutaway::formats::onnx::readBytes({reinterpret_cast<const std::byte *>(data), size},
                                                         {"/nonexistent/model.onnx", nullptr}, {});
    if (model && !cutaway::ir::verify(*model).empty())
        std::abort();
    return 0;
}
