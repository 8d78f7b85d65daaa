// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/conversion.h"

#include "app/python/model.h"
#include "app/python/objects.h"
#include "app/python/work.h"
#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/convert/to_pt2.h"
#include "core/formats/format.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace cutaway::python {

namespace {

struct ConversionHandle {
    SharedModel model;
    std::vector<convert::Missing> missing;
    std::vector<std::string> notes;
    bool keepsUnknown = false;
};

Result<convert::Converted> convertTo(const std::string &format, const Prepared &prepared,
                                     const convert::OnnxOptions &options, const Task &task)
{
    const analysis::Given given = prepared.given.withoutTensors();
    return format == "pt2" ? convert::toPt2(prepared.model, prepared.function, given, task)
                           : convert::toOnnx(prepared.model, prepared.function, given, options, task);
}

Result<ConversionHandle> convertShared(const SharedModel &model, const RequestTexts &texts, const std::string &format,
                                       const convert::OnnxOptions &options, const Task &task)
{
    if (format != "onnx" && format != "pt2")
        return usageError(formatted("models are converted to 'onnx' or 'pt2', not '{}'", format));
    if (options.opset < convert::minOpset || options.opset > convert::maxOpset)
        return usageError(
            formatted("opset {} is not one from {} to {}", options.opset, convert::minOpset, convert::maxOpset));
    const ContextLock lock(model, task);
    if (!lock.isHeld())
        return cancelled();
    CUTAWAY_TRY(const auto prepared, prepare(model, texts));
    CUTAWAY_TRY(auto made, convertTo(format, prepared, options, task));
    return ConversionHandle{model.with(std::move(made.model)), std::move(made.missing), std::move(made.notes),
                            options.keepsUnknown};
}

nb::list missingRows(const ConversionHandle &conversion)
{
    nb::list rows;
    for (const convert::Missing &each : conversion.missing) {
        nb::dict row;
        row["op"] = readable(each.op);
        row["reason"] = readable(each.reason);
        nb::list places;
        for (const std::string &place : each.places)
            places.append(readable(place));
        row["places"] = places;
        rows.append(row);
    }
    return rows;
}

std::string missingSentence(const std::vector<convert::Missing> &missing)
{
    std::string text = "not written, as the format cannot say all of the model: ";
    for (std::size_t i = 0; i < missing.size(); ++i)
        text += formatted("{}{} ({} ×): {}", i ? "; " : "", missing[i].op, missing[i].places.size(), missing[i].reason);
    return text;
}

Result<void> writeConversion(const ConversionHandle &conversion, const std::filesystem::path &path, const Task &task)
{
    if (!conversion.missing.empty() && !conversion.keepsUnknown)
        return usageError(missingSentence(conversion.missing));
    const ContextLock lock(conversion.model, task);
    return lock.isHeld() ? formats::write(*conversion.model, path, task) : cancelled();
}

void saveConversion(const ConversionHandle &conversion, const std::filesystem::path &path)
{
    valueOrRaise(performed([&](const Task &task) { return writeConversion(conversion, path, task); }), path.string());
}

nb::object convertAnything(const nb::object &model, const std::optional<std::filesystem::path> &output,
                           std::int64_t opset, const nb::object &bind, const nb::object &inputs,
                           const std::string &function, bool keepUnknown)
{
    const SharedModel source = openedOrHeld(model);
    const std::string format = output && output->extension() == ".pt2" ? "pt2" : "onnx";
    const nb::object conversion =
        converted(source, requestTexts(source, function, bind, inputs), format, opset, keepUnknown);
    if (output)
        saveConversion(nb::cast<const ConversionHandle &>(conversion), *output);
    return conversion;
}

} // namespace

void bindConversion(nb::module_ &module)
{
    nb::class_<ConversionHandle>(module, "Conversion", "A model that was made of one of another format.")
        .def_prop_ro(
            "model", [](const ConversionHandle &conversion) { return modelObject(conversion.model); },
            nb::sig("def model(self) -> Model"), "The new model; whole if nothing is missing.")
        .def_prop_ro(
            "is_complete", [](const ConversionHandle &conversion) { return conversion.missing.empty(); },
            "Nothing is missing.")
        .def_prop_ro("missing", missingRows, nb::sig("def missing(self) -> list[dict[str, typing.Any]]"),
                     "Operators that could not be said: 'op', 'reason', and the 'places' of the nodes.")
        .def_ro("notes", &ConversionHandle::notes, "What is in the source and not in the result.")
        .def("save", saveConversion, nb::arg("path"),
             "Writes the file. Raises Error if anything is missing, unless keep_unknown was given.")
        .def("__repr__", [](const ConversionHandle &conversion) {
            return "<Conversion: " + std::to_string(conversion.missing.size()) + " operators missing>";
        });
    module.def(
        "convert", convertAnything, nb::arg("model"), nb::arg("output") = nb::none(), nb::kw_only(),
        nb::arg("opset") = convert::defaultOpset, nb::arg("bind") = nb::none(), nb::arg("inputs") = nb::none(),
        nb::arg("function") = "", nb::arg("keep_unknown") = false,
        nb::sig("def convert(model: Model | str | os.PathLike[str], output: str | os.PathLike[str] | None = None, "
                "*, opset: int = 22, bind: dict[str, int] | None = None, inputs: dict[str, typing.Any] | None = "
                "None, function: str = '', keep_unknown: bool = False) -> Conversion"),
        "Makes an ONNX model of a TorchScript or torch.export model, or a torch.export program where output ends with\n"
        "'.pt2', see Model.convert(), and writes it if output is given. torch is not needed.");
}

nb::object converted(const SharedModel &model, const RequestTexts &texts, const std::string &format, std::int64_t opset,
                     bool keepsUnknown)
{
    auto made = performed([&](const Task &task) {
        return convertShared(model, texts, format, {.opset = opset, .keepsUnknown = keepsUnknown}, task);
    });
    return nb::cast(valueOrRaise(std::move(made), model.file));
}

} // namespace cutaway::python
