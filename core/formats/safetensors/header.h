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

/// A tensor as the header describes it, checked against the file's size.
struct Described {
    std::string name, dtype;
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0, end = 0; ///< bytes of the file
};

/// The header of a .safetensors file.
struct Header {
    std::vector<Described> tensors; ///< in the order of the file
    std::vector<std::pair<std::string, std::string>> metadata;
    std::uint64_t dataStart = 0, dataLength = 0; ///< bytes of the file
    std::uint64_t unused = 0;                    ///< bytes after the header that are of no tensor
};

/// Whether the file begins as a .safetensors file does: the length of a header, then JSON.
bool looksLikeSafetensors(std::span<const std::byte> file);

/// Errors: a header that is too long, cut short or no such JSON; a tensor that is there twice, that reaches beyond the
/// file, or has bytes in common with another. An error's `where` is the tensor.
Result<Header> readHeader(std::span<const std::byte> file);

} // namespace cutaway::formats::safetensors
