// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/session/running.h"

namespace cutaway::desktop {

/// The backends and targets that there are. Nothing is started.
views::RunChoices foundRunChoices();

} // namespace cutaway::desktop
