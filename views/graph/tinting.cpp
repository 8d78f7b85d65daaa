// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/tinting.h"

#include "core/base/overloaded.h"
#include "views/appearance/heat.h"
#include "views/appearance/theme.h"
#include "views/parts/text.h"

namespace cutaway::views {

ColumnTints columnTints(const layout::Diagram &diagram, const layout::Outline &outline, const node_data::Column &column)
{
    const auto in = [&](const drawing::Palette &palette) {
        return drawing::tintsOf(diagram, outline, column, drawing::Sum::Largest, palette);
    };
    return {{column.name}, in(drawing::lightPalette()), in(drawing::darkPalette())};
}

std::optional<BoxColour> colourOf(const Tinting &tinting, const layout::Box &box, std::uint32_t index, bool isDark)
{
    using Kind = layout::Box::Kind;
    if (box.open || box.kind == Kind::Input || box.kind == Kind::Output)
        return {};
    return std::visit(Overloaded{[&](const Heat &heat) {
                                     const auto share = heat.share(index);
                                     return std::optional(
                                         BoxColour{share ? std::optional(heatColor(*share, isDark)) : std::nullopt});
                                 },
                                 [&](const ColumnTints &column) -> std::optional<BoxColour> {
                                     const auto &tint = column.in(isDark).boxes[index];
                                     if (!tint)
                                         return {};
                                     return BoxColour{tint->fill ? std::optional(toColor(*tint->fill)) : std::nullopt};
                                 }},
                      tinting);
}

QString valueOf(const Tinting &tinting, std::uint32_t index)
{
    return std::visit(Overloaded{[&](const Heat &heat) { return heat.text(index); },
                                 [&](const ColumnTints &column) {
                                     const auto &tint = column.light.boxes[index];
                                     return tint ? shown(tint->value) : QString();
                                 }},
                      tinting);
}

} // namespace cutaway::views
