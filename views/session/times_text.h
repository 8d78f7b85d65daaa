// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"

#include <QString>

namespace cutaway::protocol {
struct Spread;
}

namespace cutaway::views {

class Figures;

/// The file's name of a node; where it has none, what it is and where it stands: "conv2d in features.2.conv".
QString nodeText(const ir::NodeRef &node);

/// "1.20 ms, median of 23; 5 % below 1.10 ms, 95 % below 1.40 ms"
QString spreadText(const protocol::Spread &spread);

/// What a profile says of a node, in lines: its times, what runs as one with it, and what is predicted for these; that
/// it was not timed. "" where there is no profile.
QString timesText(const Figures &figures, ir::NodeId node);

} // namespace cutaway::views
