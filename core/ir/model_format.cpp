// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/model_format.h"

#include "core/ir/model.h"

#include <algorithm>
#include <array>

namespace cutaway::ir {

const ModelFormat &formatOf(const Model &model)
{
    static constexpr std::array rows{
        ModelFormat{.name = "onnx", .isOnnx = true, .backend = "onnxruntime"},
        ModelFormat{.name = "pt2", .isExportedProgram = true},
        ModelFormat{.name = "torchscript", .namesNodes = false},
        ModelFormat{.name = "fx", .isGraphModule = true, .backend = "evaluator"},
        ModelFormat{.name = "fx-text", .backend = "evaluator"}, // "evaluator", because no plugin could load the text
        ModelFormat{.name = "safetensors", .holdsWeightsOnly = true},
        ModelFormat{.name = "state-dict", .holdsWeightsOnly = true},
        ModelFormat{.name = "trace", .isRecorded = true},
    };
    static constexpr ModelFormat other;
    const auto *found = std::ranges::find(rows, model.format, &ModelFormat::name);
    return found == rows.end() ? other : *found;
}

} // namespace cutaway::ir
