// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/python/syntax.h"

#include <string_view>
#include <vector>

/// The syntax of the code that torch.fx generates: functions of straight-line Python.
namespace cutaway::formats::fx {

using namespace python;

using Program = Tree;

/// Returns the statement if it is an assignment that gives values to names, else nullptr. It is nullptr for `a = b =
/// None`, too, which only says that the names are not used any more.
const Assign *assignAt(const Program &program, const Statement &statement);

/// Returns the names on the left of an assignment.
std::vector<std::string_view> namesOf(const Program &program, const Assign &assign);

/// Whether an assignment unpacks its value, so that each name is an item of it: `a, b = e`.
bool isUnpacked(const Program &program, const Assign &assign);

} // namespace cutaway::formats::fx
