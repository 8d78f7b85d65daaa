// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace cutaway::test {

/// The bytes of an ONNX model: y = Relu(x) where x is float32["N", 3].
std::string smallOnnx();

} // namespace cutaway::test
