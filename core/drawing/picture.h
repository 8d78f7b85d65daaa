// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/drawing/look.h"
#include "core/layout/diagram.h"

#include <filesystem>
#include <stop_token>

namespace cutaway::drawing {

/// Writes a diagram in the format that the file's suffix names: svg, dot, or (by the program rsvg-convert) png and pdf.
/// The file appears complete or not at all. Errors: Usage for another suffix; Backend if rsvg-convert is missing, fails
/// or takes too long, or the file cannot be written; Cancelled.
Result<void> writePicture(const layout::Diagram &diagram, const Palette &palette, const std::filesystem::path &out,
                          std::stop_token stop = {});
/// Writes a diagram with the given look; a dot file always shows the whole diagram, without colours. Errors: as above.
Result<void> writePicture(const layout::Diagram &diagram, const Look &look, const std::filesystem::path &out,
                          std::stop_token stop = {});

} // namespace cutaway::drawing
