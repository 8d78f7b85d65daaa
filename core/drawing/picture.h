// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/drawing/palette.h"
#include "core/layout/diagram.h"

#include <filesystem>
#include <stop_token>

namespace cutaway::drawing {

/// Writes a diagram as its file's suffix says: svg, dot, and by the program rsvg-convert png and pdf. The file is there
/// whole or not at all. Errors: Usage for another suffix, Backend without the program or where writing fails.
Result<void> writePicture(const layout::Diagram &diagram, const Palette &palette, const std::filesystem::path &out,
                          std::stop_token stop = {});

/// How much a PNG of a diagram is enlarged: twice, less where it would get more than 16000 pixels wide or high.
double pngZoom(const layout::Diagram &diagram);

} // namespace cutaway::drawing
