// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cutaway::ir {

struct Model;

/// Whether the file has no graph, but only tensors: a state dict, a .safetensors file. Such a model has one function
/// without inputs, nodes and outputs, in which each tensor is a weight.
bool isWeightsOnly(const Model &model);

} // namespace cutaway::ir
