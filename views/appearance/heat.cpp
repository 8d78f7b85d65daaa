// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/appearance/heat.h"

#include "core/drawing/colour_scale.h"
#include "views/appearance/theme.h"

namespace cutaway::views {

QColor heatColor(double share, bool dark) { return toColor(drawing::scaleColour(share, dark)); }

QColor textOn(const QColor &ground)
{
    const auto byte = [](int channel) { return static_cast<std::uint8_t>(channel); };
    return toColor(drawing::textOn({byte(ground.red()), byte(ground.green()), byte(ground.blue())}));
}

} // namespace cutaway::views
