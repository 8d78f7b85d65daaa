// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/facts/fact.h"
#include "core/protocol/tensor.h"

#include <optional>
#include <string_view>

namespace cutaway::request {

/// Whether the text names a file: "@x.npy", or without "@" by a suffix that run::isTensorFile() knows.
bool namesFile(std::string_view text);

/// Reads a tensor's elements: nested lists "[[0, 1], [2, 3]]", perhaps followed by a dtype; a number by itself; or a
/// file (see run::readTensor()). `declared`: the default dtype. Errors: Usage: a malformed list, a number that the
/// dtype does not have, a file of an unknown suffix; Unreadable: those of run::readTensor().
Result<protocol::Tensor> readElements(std::string_view text, std::optional<ir::DType> declared);

/// Returns the fact of a tensor. Its elements are known if they are few, numbers, and finite.
ops::TensorFact factOf(const protocol::Tensor &tensor);

} // namespace cutaway::request
