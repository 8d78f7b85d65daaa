// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/drawing/picture.h"

#include "core/base/process.h"
#include "core/base/whole_file.h"
#include "core/drawing/svg.h"

#include <algorithm>

namespace cutaway::drawing {

namespace {

constexpr double maxPixels = 16000;
constexpr double defaultZoom = 2;
constexpr std::chrono::minutes convertLimit{2};

std::unexpected<Error> failed(std::string message, const std::filesystem::path &path)
{
    return std::unexpected(Error{ErrorKind::Backend, std::move(message), path.string()});
}

Result<void> convert(const std::string &svgText, const std::string &format, double zoom,
                     const std::filesystem::path &path, const std::stop_token &stop)
{
    // The text of a large picture exceeds librsvg's limits without --unlimited.
    const auto output = runProcess(
        {"rsvg-convert", "--unlimited", "--format", format, "--zoom", std::to_string(zoom), "--output", path.string()},
        svgText, convertLimit, stop);
    if (!output && output.error().kind == ErrorKind::Cancelled)
        return std::unexpected(output.error());
    if (!output)
        return failed("cannot run rsvg-convert (Debian package librsvg2-bin), which makes ." + format
                          + " files: " + output.error().message,
                      path);
    if (output->timedOut || output->exitCode != 0)
        return failed(output->timedOut ? "rsvg-convert took too long" : "rsvg-convert: " + output->standardError, path);
    return {};
}

} // namespace

double pngZoom(const layout::Diagram &diagram)
{
    const double side = std::max({diagram.bounds.width, diagram.bounds.height, 1.0});
    return std::min(defaultZoom, maxPixels / side);
}

Result<void> writePicture(const layout::Diagram &diagram, const Palette &palette, const std::filesystem::path &out,
                          std::stop_token stop)
{
    const std::string format = out.extension().string().substr(out.has_extension() ? 1 : 0);
    if (format == "svg")
        return writeWholeFile(out, svg(diagram, palette));
    if (format == "dot")
        return writeWholeFile(out, dot(diagram));
    if (format != "png" && format != "pdf")
        return std::unexpected(
            Error{ErrorKind::Usage,
                  "unknown kind of picture: the name ends in \"" + format + "\", expected svg, png, pdf or dot",
                  out.string()});
    const double zoom = format == "png" ? pngZoom(diagram) : 1;
    return makeWholeFile(out, [&](const std::filesystem::path &part) {
        return convert(svg(diagram, palette), format, zoom, part, stop);
    });
}

} // namespace cutaway::drawing
