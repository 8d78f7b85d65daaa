// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cutaway::plugins {

/// Registers the operators that PyTorch's quantization in two steps (PT2E) leaves in exported programs. torch defines
/// them only in Python (torch.ao.quantization.fx._decomposed). To be called once, before the first model is loaded.
void registerQuantizedDecomposed();

} // namespace cutaway::plugins
