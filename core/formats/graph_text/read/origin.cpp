// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/graph_text/read/origin.h"

#include "core/base/text.h"

#include <charconv>

namespace cutaway::formats::graph_text {

Origin readOrigin(ir::Context &context, std::string_view comment)
{
    constexpr std::string_view file = "File: ";
    constexpr std::string_view code = ", code: ";
    constexpr std::string_view in = " in ";
    Origin origin;
    const std::size_t start = comment.find(file);
    if (start == comment.npos)
        return origin;
    origin.isBackward = comment.substr(0, start).contains("Backward of forward node:");
    std::string_view place = comment.substr(start + file.size());
    std::string_view text;
    if (const std::size_t at = place.find(code); at != place.npos) {
        text = place.substr(at + code.size());
        place = place.substr(0, at);
    }
    ir::Location location;
    if (const std::size_t at = place.rfind(in); at != place.npos) {
        location.function = context.name(sanitized(place.substr(at + in.size())));
        place = place.substr(0, at);
    }
    if (const std::size_t colon = place.rfind(':'); colon != place.npos) {
        const char *const end = place.data() + place.size();
        if (std::from_chars(place.data() + colon + 1, end, location.line).ptr == end)
            place = place.substr(0, colon);
    }
    if (const std::size_t from = place.find(" from "); place.starts_with('<') && from != place.npos)
        place = place.substr(from + 6);
    if (place.starts_with('<')) // the code was generated, and there is no file to look at
        return origin;
    location.file = context.name(sanitized(place));
    location.text = context.name(sanitized(text));
    origin.location = context.location(location);
    return origin;
}

} // namespace cutaway::formats::graph_text
