// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/propagation/walk.h"
#include "core/ir/model.h"

namespace cutaway::analysis {

class FileSymbols;

/// The fact that a function's declaration gives of an input: from its type, or the module that the method is called on,
/// if that is the root or the only module of its class.
ops::Fact declaredInput(const ir::Model &model, ir::FunctionId function, ir::TypeId type, const FileSymbols &symbols);

/// The function that a node names, or the method that its object has. nullptr: the node calls no function of the model,
/// or several classes have the object's name.
const ir::Function *calledFunction(const ir::Model &model, const ir::NodeRef &node, const Values &values);

} // namespace cutaway::analysis
