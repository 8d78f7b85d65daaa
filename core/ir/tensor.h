// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cow.h"
#include "core/base/mapped_file.h"
#include "core/ir/dtype.h"
#include "core/ir/ids.h"
#include "core/ir/lists.h"

#include <filesystem>
#include <string>
#include <variant>

namespace cutaway::ir {

/// A file that contains weights: the model's own (already mapped) or one beside it (mapped when first read).
struct DataFile {
    std::filesystem::path path;
    std::shared_ptr<const MappedFile> mapping;
};

/// A byte range of a file. Varints: a typed list of integers in protobuf, which is decoded when it is read.
struct FileRange {
    enum class Encoding : std::uint8_t { LittleEndian, BigEndian, Varints };
    FileId file;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    Encoding encoding = Encoding::LittleEndian;
    bool operator==(const FileRange &) const = default;
};

/// Bytes that the importer decoded itself (small typed lists), little-endian.
struct InlineBytes {
    std::shared_ptr<const std::vector<std::byte>> bytes;
    bool operator==(const InlineBytes &other) const { return bytes == other.bytes || *bytes == *other.bytes; }
};

/// The elements of a string tensor.
struct InlineStrings {
    std::vector<std::string> strings;
    bool operator==(const InlineStrings &) const = default;
};

/// The bytes are missing, for this reason: "meta tensor", "external file missing".
struct NoBytes {
    std::string reason;
    bool operator==(const NoBytes &) const = default;
};

/// A contiguous run of bytes that one or more tensors are views of.
struct Storage {
    std::variant<NoBytes, FileRange, InlineBytes, InlineStrings> data;
    std::uint64_t byteLength = 0; ///< if the bytes are missing, the declared or needed length; 0 for strings
};

/// A parameter, buffer or constant, which is a view of a storage. Its bytes are read on demand (tensor_data.h).
struct Tensor {
    /// Packed: a parameter that is no plain tensor: an object of the file holds it, or it is sparse.
    enum class Kind : std::uint8_t { Parameter, Buffer, Constant, Packed };
    NameId name; ///< the name in the file: "layer1.0.conv1.weight"
    Kind kind = Kind::Constant;
    DType dtype = DType::Float32;
    std::vector<std::int64_t> shape;
    Cow<std::vector<std::int64_t>> strides; ///< in elements; empty: contiguous
    StorageId storage;
    std::int64_t offset = 0; ///< in elements from the storage's start
    bool requiresGrad = false;
    bool persistent = true;          ///< for buffers: whether it is part of the state dict
    Layout layout = Layout::Strided; ///< for a sparse layout, `storage` is empty and `parts` has the data
    RareList<TensorId> parts;        ///< sparse: the values and indices; quantized: the scales and zero points
};

/// Whether the tensor is a parameter, plain or packed.
inline bool isParameter(const Tensor &tensor)
{
    return tensor.kind == Tensor::Kind::Parameter || tensor.kind == Tensor::Kind::Packed;
}

} // namespace cutaway::ir
