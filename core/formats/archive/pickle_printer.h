// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/archive/pickle.h"

#include <string>

namespace cutaway::formats::archive {

/// Prints the pickle's value briefly for people, with tensors as their types: "((float32[1, 3], 2), {scale: 1.5})". A
/// long text is cut.
std::string printBriefly(const Pickle &pickle);

} // namespace cutaway::formats::archive
