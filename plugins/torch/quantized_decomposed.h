// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cutaway::plugins {

/// Makes the operators known that PyTorch's quantization in two steps (PT2E) leaves in exported programs. torch defines
/// them in Python only (torch.ao.quantization.fx._decomposed). Called once, before the first model is loaded.
void registerQuantizedDecomposed();

} // namespace cutaway::plugins
