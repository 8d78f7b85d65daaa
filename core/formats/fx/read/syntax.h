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

/// The assignment that gives names values; nullptr for another statement, and for `a = b = None`: the names are not
/// used from here on.
const Assign *assignAt(const Program &program, const Statement &statement);

/// The names on the left of an assignment.
std::vector<std::string_view> namesOf(const Program &program, const Assign &assign);

/// Whether each name is an item of the value: `a, b = e`.
bool isUnpacked(const Program &program, const Assign &assign);

} // namespace cutaway::formats::fx
