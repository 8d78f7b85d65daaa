// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/formats/archive/pickle.h"
#include "core/formats/archive/zip.h"
#include "core/ir/tensor.h"

#include <optional>
#include <vector>

namespace cutaway::formats::archive {

/// The storage that a pickled tensor is a view of.
struct PickledStorage {
    std::string key;                ///< the member "data/<key>"
    std::optional<ir::DType> dtype; ///< empty: an untyped storage, whose `elements` are bytes
    std::int64_t elements = 0;
    std::string device; ///< "cpu", "cuda:0", "meta"
};

/// The quantization parameters of a tensor that is quantized as a whole: an integer q represents (q - zero point) *
/// scale.
struct PickledScale {
    double scale = 1;
    std::int64_t zeroPoint = 0;
};

/// A tensor as PyTorch pickles it; it was not compared with its storage.
struct PickledTensor {
    ir::DType dtype = ir::DType::Float32;
    ir::Layout layout = ir::Layout::Strided;
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides; ///< Strided: the strides, in elements
    std::int64_t offset = 0;           ///< Strided: the offset, in elements
    bool requiresGrad = false;
    bool isParameter = false;
    std::optional<PickledStorage> storage; ///< nothing for a sparse tensor, see `parts`, and for a tensor without bytes
    std::optional<PickledScale> scale;     ///< the scale of a tensor that is quantized as a whole
    std::vector<PickledTensor> parts;      ///< sparse: indices and values; quantized by channel: scales and zero points
};

/// Returns the tensor that a pickled value is: plain, quantized, sparse, meta, or a parameter that holds such a tensor;
/// nothing for another value.
std::optional<PickledTensor> pickledTensor(const Pickle &pickle, Pickle::ValueId value);

/// Returns the list or dict in a call of torch.jit._pickle, which gives its type: build_intlist([1, 2]),
/// restore_type_tag({}, "Dict[str, int]"). Returns any other value as it is.
Pickle::ValueId withoutTag(const Pickle &pickle, Pickle::ValueId value);

/// Returns the byte order of the numbers in an archive of PyTorch, as its member "byteorder" says; little-endian
/// without it.
ir::FileRange::Encoding encodingOf(const Zip &zip);

/// A file written by torch.save since 1.6: a zip archive with a pickle and a member per storage.
class TorchSave {
public:
    /// `bytes` must outlive the result; they may be a part of a mapped file (a torch.save file inside another archive).
    /// Errors: those of Zip::open(), Zip::read() and Pickle::read(); there is no data.pkl.
    static Result<TorchSave> open(std::span<const std::byte> bytes);
    /// Reads the pickle of an archive whose directory was already read. Errors: those of open().
    static Result<TorchSave> of(Zip zip);

    const Pickle &pickle() const { return m_pickle; }
    const Zip &zip() const { return m_zip; }
    std::string storageFolder() const { return std::string(m_zip.root()) + "data/"; }
    /// Returns the storage's bytes. Errors: there is no such storage; those of Zip::read().
    Result<Content> storage(std::string_view key) const;
    ir::FileRange::Encoding encoding() const { return m_encoding; }

private:
    TorchSave(Zip zip, Content content, Pickle pickle);

    Zip m_zip;
    Content m_content; // the content of the member that the pickle's texts are views of
    Pickle m_pickle;
    ir::FileRange::Encoding m_encoding = ir::FileRange::Encoding::LittleEndian;
};

} // namespace cutaway::formats::archive
