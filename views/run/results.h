// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cutaway::views {

class PropertySheet;
class Session;

/// The last profile, where numbers of the last run cease to be finite, its results, and the inputs of the next run.
void fillProfile(PropertySheet &sheet, Session &session);
void fillNotFinite(PropertySheet &sheet, Session &session);
void fillOutputs(PropertySheet &sheet, Session &session);
void fillInputs(PropertySheet &sheet, Session &session);

} // namespace cutaway::views
