// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/source/syntax.h"

#include <string>

namespace cutaway::formats::torchscript {

/// As python::print.
std::string print(const Tree &tree);
std::string print(const Tree &tree, ClassId id);

} // namespace cutaway::formats::torchscript
