// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/propagation/walk.h"
#include "core/ir/model.h"

namespace cutaway::analysis {

class FileSymbols;

/// What a function's declaration says of an input: its type, or which module the method is called on, where that is
/// the root or the only one of its class.
ops::Fact declaredInput(const ir::Model &model, ir::FunctionId function, ir::TypeId type, const FileSymbols &symbols);

/// The function that a node names, or the method that its object has. nullptr: it calls none of the model, or several
/// classes have the object's name.
const ir::Function *calledFunction(const ir::Model &model, const ir::NodeRef &node, const Values &values);

} // namespace cutaway::analysis
