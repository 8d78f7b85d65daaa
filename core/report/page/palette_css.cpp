// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/page/palette_css.h"

#include "core/base/formatted.h"
#include "core/drawing/palette.h"

namespace cutaway::report {

namespace {

std::string variables(const drawing::Palette &palette)
{
    std::string text = ":root {";
    for (const auto &[name, value] : {std::pair{"canvas", palette.canvas},
                                      {"card", palette.card},
                                      {"border", palette.cardBorder},
                                      {"text", palette.text},
                                      {"muted", palette.mutedText},
                                      {"line", palette.edge},
                                      {"accent", palette.selection},
                                      {"tint", palette.input},
                                      {"shade", palette.moduleFill(0)}})
        text += formatted(" --{}: {};", name, drawing::colour(value));
    for (int i = 0; i < ops::categoryCount; ++i)
        text += formatted(" --c{}: {};", i, drawing::colour(palette.category(static_cast<ops::Category>(i))));
    return text + " }\n";
}

} // namespace

std::string paletteCss()
{
    return variables(drawing::lightPalette()) + "@media screen and (prefers-color-scheme: dark) {\n"
        + variables(drawing::darkPalette()) + "}\n";
}

} // namespace cutaway::report
