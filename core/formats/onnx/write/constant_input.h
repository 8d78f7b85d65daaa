// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/onnx/write/message_writer.h"
#include "core/formats/onnx/write/writing.h"

#include <optional>
#include <string_view>

namespace cutaway::formats::onnx {

/// A Constant node that makes a tensor under this name.
MessageWriter constantNode(Writing &writing, ir::TensorId tensor, std::string_view name);

/// The same for a number, a text or a list of numbers; nothing for what is not a constant in ONNX. Whole numbers become
/// int64, others float32.
std::optional<MessageWriter> constantNode(Writing &writing, const ir::Operand &operand, std::string_view name);

/// TensorAnnotation of the text "KEY=tensor, KEY=tensor".
MessageWriter quantizationMessage(std::string_view value, std::string_view text);

} // namespace cutaway::formats::onnx
