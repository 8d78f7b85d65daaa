// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/session/running.h"

namespace cutaway::desktop {

/// Returns the backends and targets that are found, without starting any program.
views::RunChoices foundRunChoices();

} // namespace cutaway::desktop
