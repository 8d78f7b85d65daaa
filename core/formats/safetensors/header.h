// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cutaway::formats::safetensors {

/// A tensor as the header describes it; its range was checked against the file's size.
struct Described {
    std::string name, dtype;
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0, end = 0; ///< the range in the file, in bytes
};

/// The header of a .safetensors file.
struct Header {
    std::vector<Described> tensors; ///< in the order of the file
    std::vector<std::pair<std::string, std::string>> metadata;
    std::uint64_t dataStart = 0, dataLength = 0; ///< the range of the data in the file, in bytes
    std::uint64_t unused = 0;                    ///< the number of bytes after the header that belong to no tensor
};

/// Whether the file begins like a .safetensors file: with the length of a header, and then JSON.
bool looksLikeSafetensors(std::span<const std::byte> file);

/// Reads the header. Errors: a header that is too long, truncated or not JSON of the expected form; a tensor that
/// occurs twice, reaches beyond the file, or shares bytes with another. The error's `where` is the tensor.
Result<Header> readHeader(std::span<const std::byte> file);

} // namespace cutaway::formats::safetensors
