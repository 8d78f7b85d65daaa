// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/source/syntax.h"

#include <string>

namespace cutaway::formats::torchscript {

/// Prints a file, or one of its classes, as TorchScript source that parses to an equal tree.
std::string print(const Tree &tree);
std::string print(const Tree &tree, ClassId id);

} // namespace cutaway::formats::torchscript
