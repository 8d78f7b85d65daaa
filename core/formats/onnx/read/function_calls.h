// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/notes/notes.h"
#include "core/ir/model.h"

namespace cutaway::formats::onnx {

/// Warns of model-local functions that call themselves, directly or through others, and of models that would become
/// huge if every call were expanded. Nothing is expanded here. Takes O(nodes).
void checkCalls(const ir::Model &model, Notes &notes);

} // namespace cutaway::formats::onnx
