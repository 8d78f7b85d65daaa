// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace cutaway::ops {

/// Whether this overload of aten is a core one: what backends of torch.export are asked to have (torch.compiler_ir).
bool isCoreAten(std::string_view name, std::string_view overload);

/// The version of torch whose list that is: "2.6.0".
std::string_view coreAtenVersion();

} // namespace cutaway::ops
