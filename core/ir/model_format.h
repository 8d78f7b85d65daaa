// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace cutaway::ir {

struct Model;

/// The properties that all models of one file format share. A format that is not listed in model_format.cpp has
/// PyTorch's operators and the defaults below.
struct ModelFormat {
    std::string_view name; ///< the name in Model::format
    /// Whether operators are those of ONNX's domains: inputs are given by position, values are requested by name, and
    /// functions are not inlined.
    bool isOnnx = false;
    /// Whether torch.export has made and checked the graph: its signature is complete, and regions read values from
    /// outside only as operands.
    bool isExportedProgram = false;
    /// Whether the file is a pickle of torch.fx: when torch loads it, it runs code of the file.
    bool isGraphModule = false;
    bool namesNodes = true;
    bool holdsWeightsOnly = false; ///< whether files have no graph; a plugin may make one from the weights
    /// Whether the model was made from a trace: its nodes are not connected, so that it cannot run.
    bool isRecorded = false;
    std::string_view backend = "torch"; ///< the backend that runs such models unless the user chooses one
};

/// Returns the format that Model::format names.
const ModelFormat &formatOf(const Model &model);

inline bool isOnnx(const Model &model) { return formatOf(model).isOnnx; }
inline bool isExportedProgram(const Model &model) { return formatOf(model).isExportedProgram; }

} // namespace cutaway::ir
