// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/onnx/write/message_writer.h"
#include "core/formats/onnx/write/writing.h"

#include <optional>
#include <string_view>

namespace cutaway::formats::onnx {

/// Makes a Constant node whose result has this name and is the tensor.
MessageWriter constantNode(Writing &writing, ir::TensorId tensor, std::string_view name);

/// Makes a Constant node whose result is a number, a text, a list of them or a tensor; nothing for an operand that is
/// no constant in ONNX. An integer becomes int64, a float float32, a Boolean bool.
std::optional<MessageWriter> constantNode(Writing &writing, const ir::Operand &operand, std::string_view name);

/// Makes a TensorAnnotation from the text "KEY=tensor, KEY=tensor".
MessageWriter quantizationMessage(std::string_view value, std::string_view text);

} // namespace cutaway::formats::onnx
