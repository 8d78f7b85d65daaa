// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace cutaway::ir {

struct Model;

/// The properties that all models of one file format share. A format that is not listed in model_format.cpp has
/// PyTorch's operators and the defaults below.
struct ModelFormat {
    std::string_view name; ///< as Model::format
    /// Operators are those of ONNX's domains: inputs by position, values asked for by name, functions that stay
    /// functions.
    bool isOnnx = false;
    /// torch.export has made and checked the graph: its signature tells what inputs become, and regions are closures.
    bool isExportedProgram = false;
    /// The file is a pickle of torch.fx, which runs code of the file where torch loads it.
    bool isGraphModule = false;
    bool namesNodes = true;
    bool holdsWeightsOnly = false; ///< unless a plugin made a graph of it
    /// The model is what a trace tells of it: no node reads another, so nothing can run it.
    bool isRecorded = false;
    std::string_view backend = "torch"; ///< the backend that runs such models unless the user chooses one
};

/// The format that Model::format names.
const ModelFormat &formatOf(const Model &model);

inline bool isOnnx(const Model &model) { return formatOf(model).isOnnx; }
inline bool isExportedProgram(const Model &model) { return formatOf(model).isExportedProgram; }

} // namespace cutaway::ir
