// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/onnx/write/message_writer.h"
#include "core/formats/onnx/write/writing.h"

#include <string_view>

namespace cutaway::formats::onnx {

/// Makes a TensorProto with this name and the texts that the file has about the tensor. Throws Unusable if its
/// elements are missing.
MessageWriter tensorMessage(Writing &writing, ir::TensorId tensor, std::string_view name);
/// Makes a tensorMessage() with the metadata by which the reader recognizes the initializer's kind and persistence.
MessageWriter initializerMessage(Writing &writing, ir::TensorId tensor, std::string_view name);
/// Makes a SparseTensorProto with this name.
MessageWriter sparseMessage(Writing &writing, ir::TensorId tensor, std::string_view name);

/// Makes an AttributeProto; attributes with graphs are made elsewhere. `where` is the node, for messages.
MessageWriter attributeMessage(Writing &writing, std::string_view name, const ir::Operand &value,
                               const std::string &where);

} // namespace cutaway::formats::onnx
