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
    std::optional<ir::DType> dtype; ///< empty: untyped, `elements` counts bytes
    std::int64_t elements = 0;
    std::string device; ///< "cpu", "cuda:0", "meta"
};

/// The quantization parameters of a tensor that is quantized as a whole: an integer q stands for (q - zero point) *
/// scale.
struct PickledScale {
    double scale = 1;
    std::int64_t zeroPoint = 0;
};

/// A tensor as PyTorch pickles it; nothing is checked against the storage.
struct PickledTensor {
    ir::DType dtype = ir::DType::Float32;
    ir::Layout layout = ir::Layout::Strided;
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides; ///< Strided: in elements
    std::int64_t offset = 0;           ///< Strided: in elements
    bool requiresGrad = false;
    bool isParameter = false;
    std::optional<PickledStorage> storage; ///< empty: a sparse tensor (see parts), or one without bytes
    std::optional<PickledScale> scale;     ///< quantized as a whole
    std::vector<PickledTensor> parts;      ///< sparse: indices, values; quantized by channel: scales, zero points
};

/// The tensor that a pickled value is, or nothing: a plain, quantized, sparse or meta tensor, or a parameter of one.
std::optional<PickledTensor> pickledTensor(const Pickle &pickle, Pickle::ValueId value);

/// The list or dict in a call of torch.jit._pickle, which gives its type: build_intlist([1, 2]), restore_type_tag({},
/// "Dict[str, int]"). Returns any other value as it is.
Pickle::ValueId withoutTag(const Pickle &pickle, Pickle::ValueId value);

/// The byte order of the numbers in an archive of PyTorch, by its member "byteorder".
ir::FileRange::Encoding encodingOf(const Zip &zip);

/// A file written by torch.save since 1.6: a zip archive with a pickle and a member per storage.
class TorchSave {
public:
    /// `bytes` must outlive the result; they may be a part of a mapped file (a torch.save file inside another archive).
    /// Errors: those of Zip::open(), Zip::read() and Pickle::read(); there is no data.pkl.
    static Result<TorchSave> open(std::span<const std::byte> bytes);
    /// Reads the pickle of an archive whose directory is read. Errors: as open().
    static Result<TorchSave> of(Zip zip);

    const Pickle &pickle() const { return m_pickle; }
    const Zip &zip() const { return m_zip; }
    std::string storageFolder() const { return std::string(m_zip.root()) + "data/"; }
    /// The storage's bytes. Errors: there is no such storage; those of Zip::read().
    Result<Content> storage(std::string_view key) const;
    ir::FileRange::Encoding encoding() const { return m_encoding; }

private:
    TorchSave(Zip zip, Content content, Pickle pickle);

    Zip m_zip;
    Content m_content; // the pickle's texts lie in it
    Pickle m_pickle;
    ir::FileRange::Encoding m_encoding = ir::FileRange::Encoding::LittleEndian;
};

} // namespace cutaway::formats::archive
