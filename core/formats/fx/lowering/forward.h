// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/fx/lowering/evaluator.h"

namespace cutaway::formats::fx {

/// The code of one GraphModule.
struct ParsedCode {
    Program program;
    Imports imports;
    std::vector<std::size_t> lines; ///< the offset of each line in the code
    const Function *forward = nullptr;
};

/// Parses the code of a GraphModule. Errors: the code is not what torch.fx writes, with line and column.
Result<std::shared_ptr<const ParsedCode>> parseCode(const SavedCode &code);

/// Lowers the code of the root module to a function of the model, whose nodes keep the names of the fx graph (see
/// GraphBuilder). A call of unknown meaning becomes a node that has only a name, with a note. Errors: the code cannot
/// be parsed, or asks for more than the limits.
Result<ir::Function> lowerForward(ir::Model &model, SavedModules &saved, Notes &notes);

/// Lowers a call of a GraphModule that lies within another and returns its result.
Term lowerNested(GraphLowering &graph, const ModuleTerm &module, const GivenArguments &given);

} // namespace cutaway::formats::fx
