// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

namespace cutaway::formats::onnx {

/// Gives the model's symbols the ranges that torch's exporter wrote into the metadata: "{s77: VR[0, int_oo]}". Texts
/// of another form are ignored.
void readRangeConstraints(ir::Model &model);

} // namespace cutaway::formats::onnx
