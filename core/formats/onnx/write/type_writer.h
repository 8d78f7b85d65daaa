// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/onnx/write/message_writer.h"
#include "core/ir/model.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace cutaway::formats::onnx {

/// TensorProto.DataType; nothing for a type that ONNX does not have.
std::optional<std::uint64_t> dataTypeOf(ir::DType dtype);

/// TypeProto, without anything for an unknown type. `denotations` as ValueType has them.
MessageWriter typeMessage(const ir::Model &model, ir::TypeId type, std::string_view denotations = {});

} // namespace cutaway::formats::onnx
