// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cutaway::views {

class PropertySheet;
class Session;

/// What the last profile and the last run gave, and what the next one will be given.
void fillProfile(PropertySheet &sheet, Session &session);
void fillOutputs(PropertySheet &sheet, const Session &session);
void fillInputs(PropertySheet &sheet, Session &session);

} // namespace cutaway::views
