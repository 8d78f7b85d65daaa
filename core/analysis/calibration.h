// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/device.h"

namespace cutaway::analysis {

/// Measures the processor that this program runs on, as the device `this-machine`: float32 and float64 multiply-adds
/// on all threads with the widest vectors it has, and the bandwidth of a triad over arrays far larger than its caches.
/// Takes about two seconds and all threads. Repeated, the figures are within a tenth of each other.
Device calibrate();

} // namespace cutaway::analysis
