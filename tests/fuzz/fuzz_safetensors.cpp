// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/safetensors/reader.h"
#include "core/ir/verify.h"

#include <cstdint>
#include <cstdlib>
#include <string>

/// A file that can be read gives a valid model, whose tensors lie in the file. The input is a header; its length and 64
/// bytes of data are put around it, so that the fuzzer gets past the length.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    std::string file;
    for (int byte = 0; byte < 8; ++byte)
        file += static_cast<char>(std::uint64_t{size} >> (8 * byte));
    file.append(reinterpret_cast<const char *>(data), size).append(64, 'w');
    const auto bytes = std::as_bytes(std::span(file));
    const auto model = cutaway::formats::safetensors::readBytes(bytes, {"fuzz.safetensors", nullptr});
    if (!model)
        return 0;
    if (!cutaway::ir::verify(*model).empty())
        std::abort();
    for (const cutaway::ir::Storage &storage : model->storages)
        if (const auto &range = std::get<cutaway::ir::FileRange>(storage.data);
            range.offset > file.size() || range.length > file.size() - range.offset)
            std::abort();
    return 0;
}
