// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cutaway::views {

class PropertySheet;
class Session;

/// Adds the peak memory on each device that the opened trace saw, and the largest tensors that were live then.
void fillTraceMemory(PropertySheet &sheet, Session &session);

} // namespace cutaway::views
