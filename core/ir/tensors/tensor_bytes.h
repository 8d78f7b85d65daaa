// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <functional>
#include <span>

namespace cutaway::ir {

/// A storage's bytes, and the mapped file that keeps them alive.
struct StorageBytes {
    std::span<const std::byte> bytes;
    FileRange::Encoding encoding = FileRange::Encoding::LittleEndian;
    std::shared_ptr<const MappedFile> mapping; ///< the mapped file; empty: the bytes are in memory
};

/// Returns the bytes of a storage without copying them; a file beside the model is mapped if it is not yet. Errors:
/// the bytes are missing, with the reason.
Result<StorageBytes> bytesOf(const Model &model, const Storage &storage);

struct DecodedVarints {
    std::vector<std::byte> words; ///< 64-bit, little-endian
    std::size_t used = 0;         ///< the number of encoded bytes that were decoded
};
/// Decodes the first `count` varints of a protobuf list, or all if there are fewer.
DecodedVarints decodeVarints(std::span<const std::byte> bytes, std::uint64_t count);

/// Returns the storage index, in elements, of the k-th element in row-major order; nullopt if negative or on overflow.
std::optional<std::uint64_t> storageIndex(const Tensor &tensor, std::uint64_t k);

/// Passes a tensor's elements to `visit` in pieces: little-endian, contiguous, row-major, byteSize(tensor) bytes in
/// total; for a sparse tensor those of denseBytes(). Errors: its bytes are missing or too few; the tensor is of
/// strings.
Result<void> visitElements(const Model &model, TensorId tensor,
                           const std::function<void(std::span<const std::byte>)> &visit);

} // namespace cutaway::ir
