// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/propagation/walk.h"
#include "core/ir/model.h"

namespace cutaway::analysis {

class FileSymbols;

/// Returns the fact of an input of `function` from its declared type. If that is the class of a module, the fact is the
/// module itself: the root for the model's first function, else the only module of the class; an unknown object if the
/// class has several modules, or none.
ops::Fact declaredInput(const ir::Model &model, ir::FunctionId function, ir::TypeId type, const FileSymbols &symbols);

/// Returns the function that a node names, or the method that its object has; nullptr if the node calls no function of
/// the model, or if several classes have the name of the object's class.
const ir::Function *calledFunction(const ir::Model &model, const ir::NodeRef &node, const Values &values);

} // namespace cutaway::analysis
