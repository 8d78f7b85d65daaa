// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace cutaway::ops {

/// Whether torch tags an overload as core ATen: the operators that `run_decompositions()` leaves to backends.
/// `overload`: "" for the one that torch.export calls "default".
bool isCoreAten(std::string_view dialect, std::string_view name, std::string_view overload);

/// Returns the version of PyTorch whose tags isCoreAten() knows: "2.6.0".
std::string_view coreAtenVersion();

} // namespace cutaway::ops
