// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"
#include "views/session/running.h"

#include <QString>

namespace cutaway::protocol {
struct Spread;
}

namespace cutaway::views {

class Figures;

/// Returns the name of a node in the file; without one, its operator and module: "conv2d in features.2.conv".
QString nodeText(const ir::NodeRef &node);

/// Whether a run on this machine's processor is shown beside predictions for the default device, which is another one,
/// so that the ratio of the times means nothing.
bool isOfAnotherDevice(const RunOrigin &origin, const Figures &figures);

/// Returns a median with its spread: "1.20 ms, median of 23 runs; 5th percentile 1.10 ms, 95th 1.40 ms".
QString spreadText(const protocol::Spread &spread);

/// Returns lines on the times of a node in the last profile, on the nodes fused with it and on the predicted time, or
/// that it was not timed; "" without a profile.
QString timesText(const Figures &figures, ir::NodeId node);

/// Returns the text of a button that lets the user give sizes to make figures exact: "Set batch size…", "Set 2 sizes…";
/// "" if all sizes are known or none can be given.
QString openSizesText(const Figures &figures);

} // namespace cutaway::views
