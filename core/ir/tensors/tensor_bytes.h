// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <functional>
#include <span>

namespace cutaway::ir {

/// A run of bytes, and what keeps them where they are.
struct StorageBytes {
    std::span<const std::byte> bytes;
    FileRange::Encoding encoding = FileRange::Encoding::LittleEndian;
    std::shared_ptr<const MappedFile> mapping; ///< of the file they lie in; empty: in memory
};

/// The bytes of a storage in place; a file beside the model is mapped now. Errors: there are none, and why.
Result<StorageBytes> bytesOf(const Model &model, const Storage &storage);

struct DecodedVarints {
    std::vector<std::byte> words; ///< 64-bit, little-endian
    std::size_t used = 0;         ///< bytes that they took
};
/// The first `count` numbers of a protobuf list, or as many as there are.
DecodedVarints decodeVarints(std::span<const std::byte> bytes, std::uint64_t count);

/// Storage index, in elements, of the k-th element in row-major order; nothing if it is negative or overflows.
std::optional<std::uint64_t> storageIndex(const Tensor &tensor, std::uint64_t k);

/// Gives the elements of a tensor to `visit` piece by piece: little-endian, contiguous, in row-major order,
/// byteSize(tensor) bytes in all. Errors: its bytes are not there or too few; a sparse tensor, one of texts.
Result<void> visitElements(const Model &model, TensorId tensor,
                           const std::function<void(std::span<const std::byte>)> &visit);

} // namespace cutaway::ir
