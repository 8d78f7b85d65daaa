// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/onnx/write/message_writer.h"
#include "core/formats/onnx/write/writing.h"

#include <string_view>

namespace cutaway::formats::onnx {

/// TensorProto under this name, with what the file said about it. Throws Unusable where its elements are missing.
MessageWriter tensorMessage(Writing &writing, ir::TensorId tensor, std::string_view name);
/// The same with what torch's exporter would say about an initializer, where its element type does not tell.
MessageWriter initializerMessage(Writing &writing, ir::TensorId tensor, std::string_view name);
/// SparseTensorProto
MessageWriter sparseMessage(Writing &writing, ir::TensorId tensor, std::string_view name);

/// AttributeProto, but not of a graph. `where` is the node, for messages.
MessageWriter attributeMessage(Writing &writing, std::string_view name, const ir::Operand &value,
                               const std::string &where);

} // namespace cutaway::formats::onnx
