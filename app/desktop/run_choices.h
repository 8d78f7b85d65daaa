// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/session/running.h"

namespace cutaway::desktop {

/// The available backends and targets. Starts nothing.
views::RunChoices foundRunChoices();

} // namespace cutaway::desktop
