// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <ATen/core/Tensor.h>
#include <map>
#include <memory>

namespace cutaway::plugins {

class FileObjects;

/// The tensors of a model as tensors of torch. They lie in private mappings of their files, so writes to a buffer stay
/// in this process. On another device they are copies.
class Weights {
public:
    /// `files`: loads quantized tensors.
    Weights(const ir::Model &model, FileObjects &files, c10::Device device);
    ~Weights();
    Weights(const Weights &) = delete;
    Weights &operator=(const Weights &) = delete;

    /// Returns a tensor. Errors: Unreadable: missing or too few bytes; Backend: a dtype or layout that torch lacks.
    Result<at::Tensor> tensor(ir::TensorId id);

private:
    class Mapping;
    struct Bytes {
        std::byte *data = nullptr;
        std::size_t size = 0;
    };
    /// Returns the bytes of a storage. Errors: Unreadable: they are missing; Backend: texts; those of rangeOf().
    Result<Bytes> bytesOf(ir::StorageId id);
    /// Returns the bytes of a range of a file. Errors: Unreadable: the file cannot be mapped, or is too short; Backend:
    /// its numbers are not little-endian.
    Result<Bytes> rangeOf(const ir::FileRange &range);
    /// Makes a tensor. Errors: those of strided() and sparse().
    Result<at::Tensor> make(const ir::Tensor &tensor);
    /// Makes a strided tensor. Errors: Unreadable: elements outside of the storage; Backend: a dtype that torch lacks;
    /// those of bytesOf() and quantized().
    Result<at::Tensor> strided(const ir::Tensor &tensor);
    /// Makes a quantized tensor. Errors (Backend): those of FileObjects::at(); the value there is no tensor.
    Result<at::Tensor> quantized(const ir::Tensor &tensor);
    /// Makes a sparse tensor. Errors: Backend: a layout that is not read; those of tensor() for its parts.
    Result<at::Tensor> sparse(const ir::Tensor &tensor);

    const ir::Model &m_model;
    FileObjects &m_files;
    c10::Device m_device;
    std::map<ir::FileId, std::unique_ptr<Mapping>> m_mappings;
    std::map<ir::StorageId, at::Tensor> m_copies; ///< storages whose bytes are not in a file
    std::map<ir::TensorId, at::Tensor> m_tensors;
};

} // namespace cutaway::plugins
