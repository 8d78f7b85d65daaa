// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/planes/planes.h"
#include "core/report/page/page_states.h"

#include <string>

namespace cutaway::report {

/// The data of a page as JSON, in which `<` does not occur. `picture` is what is drawn. Texts are indices into
/// "texts", and what is equal in several planes is there once:
///
///     texts    all texts; the first is ""
///     figures  [{name, unit}] that boxes are coloured by
///     colour   the figure that they are coloured by at first; -1: by category
///     states   titles of the states; none: there is one
///     note     the sizes that figures are of, if the model leaves sizes open
///     shapes   [width, height, boxes, edges] of planes. Boxes: x, y, width, height, form, category of each; a form is
///              its Box::Kind, + 8 for a stack, + 16 for a part that was found. Edges: [from, to, form, label, label's
///              x, y, and the points of the curve, each as its distance from the one before]; a form is 1 quiet + 2
///              bridge + 4 stub + 8 without an arrow
///     lines    by box [style, text, …] of planes
///     planes   [shape, lines, [part or -1 for a pill, by box]]; the first is that of the function
///     parts    [parent, plane + 1 or 0, name, what, [figure, …]] by part of the outline; a figure is a number, [the
///              lower bound of one that is not known], or null: unknown or, of a part that is no node, the sum over
///              what is inside
///     open     parts that are open at first
///     marks    by state: [[plane, box, mark, badge, …], [plane, edge, mark, …]] of boxes and edges in which the state
///              differs from the one before; marks are those of layout::Mark
///     others   by state: [plane, box, [style, text, …], …] where the lines of a box are others than in "lines"
///     palettes colours of the light and the dark theme
///
/// `inspector` is what the page shows about a part, as indices into the same texts:
///
///     sections [title, key, text, type, part + 1 or 0, …]: rows of an inspector
///     parts    [section, …] by part of the outline
struct PageData {
    std::string picture, inspector;
};
PageData pageData(const PageStates &states, const layout::Outline &outline,
                  const std::vector<layout::PartPlane> &planes);

} // namespace cutaway::report
