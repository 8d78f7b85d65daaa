// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/shown/drawn.h"

#include "app/python/objects.h"
#include "app/python/work.h"
#include "core/base/formatted.h"
#include "core/base/near_names.h"
#include "core/base/result.h"
#include "core/drawing/data_tints.h"
#include "core/drawing/picture.h"
#include "core/drawing/svg.h"
#include "core/layout/layout.h"
#include "core/layout/outline.h"
#include "core/node_data/node_data.h"
#include "core/request/named_function.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace cutaway::python {

namespace {

struct DrawingHandle {
    layout::Diagram diagram;
    drawing::Look look;
    std::string svg;
};

Result<void> checkOptions(const DrawRequest &asked)
{
    if ((asked.depth ? 1 : 0) + asked.flat + asked.all > 1)
        return usageError("depth, flat and all exclude each other");
    if (asked.depth && *asked.depth < 0)
        return usageError("depth cannot be " + std::to_string(*asked.depth));
    return {};
}

/// Returns the column to colour boxes by; nothing for their category. Errors (Usage): no column has this name.
Result<std::optional<node_data::Column>> columnOf(const ir::Function &function, const DrawRequest &asked)
{
    if (asked.colourBy.empty())
        return std::nullopt;
    if (!asked.colourBy.starts_with(node_data::columnPrefix) || !asked.data)
        return usageError(formatted("colour_by='{}' needs data, and is 'data.COLUMN'", asked.colourBy));
    const std::string_view name = std::string_view(asked.colourBy).substr(node_data::columnPrefix.size());
    return node_data::dataOf(function, *asked.data).findColumn(name);
}

layout::Expansion expansionOf(const ir::Model &model, ir::FunctionId function, const DrawRequest &asked)
{
    if (asked.flat || asked.all)
        return {.open = {}, .everything = true, .flat = asked.flat};
    return asked.depth ? layout::expansionToDepth(model, function, *asked.depth)
                       : layout::readableExpansion(model, function);
}

Result<DrawingHandle> draw(const SharedModel &model, const DrawRequest &asked, const Task &task)
{
    CUTAWAY_RETURN_IF_ERROR(checkOptions(asked));
    CUTAWAY_TRY(const auto function, request::findFunction(*model, asked.function));
    const ContextLock lock(model, task);
    if (!lock.isHeld())
        return cancelled();
    CUTAWAY_TRY(const auto column, columnOf(model->at(function), asked));
    CUTAWAY_TRY(auto diagram,
                layout::layOut(*model, function, expansionOf(*model, function, asked), layout::approximateTextWidth, {},
                               task.stop));
    const drawing::Palette &palette = asked.dark ? drawing::darkPalette() : drawing::lightPalette();
    DrawingHandle drawing{std::move(diagram), {.palette = &palette}, {}};
    if (column)
        drawing.look.tints = drawing::tintsOf(drawing.diagram, layout::outlineOf(model->at(function), asked.flat),
                                              *column, drawing::Sum::Largest, palette)
                                 .boxes;
    drawing.svg = drawing::svg(drawing.diagram, drawing.look);
    return drawing;
}

void saveDrawing(const DrawingHandle &drawing, const std::filesystem::path &path)
{
    const auto write = [&](const Task &task) {
        return drawing::writePicture(drawing.diagram, drawing.look, path, task.stop);
    };
    valueOrRaise(performed(write), path.string());
}

} // namespace

void bindDrawing(nb::module_ &module)
{
    nb::class_<DrawingHandle>(module, "Drawing", "A picture of a graph; notebooks show it.")
        .def_ro("svg", &DrawingHandle::svg, "The picture as SVG, with real text.")
        .def_prop_ro(
            "notes", [](const DrawingHandle &drawing) { return drawing.diagram.notes; },
            "What the layout had to simplify.")
        .def("save", saveDrawing, nb::arg("path"),
             "Writes a .svg, .dot, or by the program rsvg-convert a .png or .pdf.")
        .def("_repr_svg_", [](const DrawingHandle &drawing) { return drawing.svg; })
        .def("__str__", [](const DrawingHandle &drawing) { return drawing.svg; })
        .def("__repr__", [](const DrawingHandle &) { return "<Drawing>"; });
}

nb::object drawn(const SharedModel &model, const DrawRequest &asked)
{
    auto drawing = performed([&](const Task &task) { return draw(model, asked, task); });
    return nb::cast(valueOrRaise(std::move(drawing), model.file));
}

} // namespace cutaway::python
