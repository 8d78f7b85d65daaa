// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/output_file.h"
#include "core/base/result.h"
#include "core/ir/model.h"

#include <span>
#include <string>

namespace cutaway::formats::archive {

/// An entry of the dict that is written.
struct NamedTensor {
    std::string name;
    ir::TensorId tensor;
    std::string location = "cpu"; ///< the device to which torch.load moves the tensor: "cuda:0"
};

/// Writes a dict of tensors as torch.save does; tensors of the kind Parameter become nn.Parameter. Tensors that share
/// a storage still share it in the file. Errors: bytes that cannot be read; sparse and quantized tensors, and dtypes
/// for which torch has no class of storages. The file's close() reports errors of the file.
Result<void> writeTorchSave(OutputFile &file, const ir::Model &model, std::span<const NamedTensor> tensors);

} // namespace cutaway::formats::archive
