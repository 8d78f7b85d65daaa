// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/onnx/write/message_writer.h"
#include "core/ir/model.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace cutaway::formats::onnx {

/// Returns the TensorProto.DataType of a dtype; nothing if ONNX does not have it.
std::optional<std::uint64_t> dataTypeOf(ir::DType dtype);

/// Makes a TypeProto, which is empty for an unknown type. `denotations` have the form of those in ValueType.
MessageWriter typeMessage(const ir::Model &model, ir::TypeId type, std::string_view denotations = {});

} // namespace cutaway::formats::onnx
