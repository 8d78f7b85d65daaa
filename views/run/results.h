// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cutaway::views {

class PropertySheet;
class Session;

/// Each function adds a part to the Run page: the last profile, the nodes that make a NaN or infinity, the outputs, or
/// the inputs of the next run.
void fillProfile(PropertySheet &sheet, Session &session);
void fillNotFinite(PropertySheet &sheet, Session &session);
void fillOutputs(PropertySheet &sheet, Session &session);
void fillInputs(PropertySheet &sheet, Session &session);

} // namespace cutaway::views
