// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/drawing/palette.h"
#include "core/layout/diagram.h"

#include <filesystem>
#include <stop_token>

namespace cutaway::drawing {

/// Writes a diagram in the format that the file's suffix names: svg, dot, or (by the program rsvg-convert) png and pdf.
/// The file appears complete or not at all. Errors: Usage for another suffix, Backend if rsvg-convert is missing or
/// writing fails.
Result<void> writePicture(const layout::Diagram &diagram, const Palette &palette, const std::filesystem::path &out,
                          std::stop_token stop = {});

/// Scale of a diagram's PNG: 2, or less where the picture would exceed 16000 pixels in width or height.
double pngZoom(const layout::Diagram &diagram);

} // namespace cutaway::drawing
