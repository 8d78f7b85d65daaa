// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/drawing/picture.h"

#include "core/base/process.h"
#include "core/base/whole_file.h"
#include "core/drawing/svg.h"

#include <algorithm>

namespace cutaway::drawing {

namespace {

constexpr std::chrono::minutes convertLimit{2};

std::unexpected<Error> failed(std::string message, const std::filesystem::path &path)
{
    return std::unexpected(Error{ErrorKind::Backend, std::move(message), path.string()});
}

/// Converts an SVG by rsvg-convert, and returns the bytes. Errors name `path`, the file that the picture is for.
Result<std::string> converted(const std::string &svgText, const std::string &format, double zoom,
                              const std::filesystem::path &path, const std::stop_token &stop)
{
    // The text of a large picture exceeds librsvg's limits without --unlimited.
    auto output = runProcess({"rsvg-convert", "--unlimited", "--format", format, "--zoom", std::to_string(zoom)},
                             svgText, convertLimit, stop);
    if (!output && output.error().kind == ErrorKind::Cancelled)
        return std::unexpected(output.error());
    if (!output)
        return failed("cannot run rsvg-convert (Debian package librsvg2-bin), which makes ." + format
                          + " files: " + output.error().message,
                      path);
    if (output->timedOut || output->exitCode != 0)
        return failed(output->timedOut ? "rsvg-convert took too long" : "rsvg-convert: " + output->standardError, path);
    return std::move(output->standardOutput);
}

} // namespace

double zoomWithin(const layout::Rect &bounds, double wanted)
{
    return std::min(wanted, maxPixels / std::max({bounds.width, bounds.height, 1.0}));
}

Result<void> writePicture(const layout::Diagram &diagram, const Palette &palette, const std::filesystem::path &out,
                          std::stop_token stop)
{
    return writePicture(diagram, Look{.palette = &palette}, out, std::move(stop));
}

Result<void> writePicture(const layout::Diagram &diagram, const Look &look, const std::filesystem::path &out,
                          std::stop_token stop)
{
    const std::string format = out.extension().string().substr(out.has_extension() ? 1 : 0);
    if (format == "svg")
        return writeWholeFile(out, svg(diagram, look));
    if (format == "dot")
        return writeWholeFile(out, dot(diagram));
    if (format != "png" && format != "pdf")
        return std::unexpected(
            Error{ErrorKind::Usage,
                  "unknown kind of picture: the name ends in \"" + format + "\", expected svg, png, pdf or dot",
                  out.string()});
    const double zoom = format == "png" ? zoomWithin(look.bounds(diagram), look.zoom) : 1;
    CUTAWAY_TRY(const std::string picture, converted(svg(diagram, look), format, zoom, out, stop));
    return writeWholeFile(out, picture);
}

} // namespace cutaway::drawing
