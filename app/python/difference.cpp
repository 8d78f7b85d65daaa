// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/difference.h"
#include "app/python/model.h"
#include "app/python/objects.h"
#include "app/python/reports.h"
#include "app/python/shown/paged.h"
#include "app/python/work.h"
#include "core/base/result.h"
#include "core/diff/diff.h"

#include <nanobind/stl/string.h>

namespace cutaway::python {

namespace {

struct DifferenceHandle {
    bool isEqual, isComplete;
    double similarity;
    std::string verdict, text, json;
    std::vector<std::string> files{}; ///< the files of both models; empty if one of the models comes from a program
};

/// One side of a comparison, analysed with the requested sizes.
struct Compared {
    Prepared prepared;
    analysis::Analysis analysis;
    diff::Side side() const { return {prepared.model, analysis}; }
};

Result<Compared> analysedSide(const SharedModel &model, const RequestTexts &texts, const Task &task)
{
    const ContextLock lock(model, task);
    if (!lock.isHeld())
        return cancelled();
    CUTAWAY_TRY(auto prepared, prepare(model, texts));
    auto analysis = analysis::analyse(prepared.model, prepared.function, prepared.given.withoutTensors(), task);
    if (task.stopRequested())
        return cancelled();
    return Compared{std::move(prepared), std::move(analysis)};
}

DifferenceHandle compared(const Compared &before, const Compared &after, bool useNames)
{
    const diff::Side a = before.side(), b = after.side();
    const diff::Difference difference = diff::compare(a, b, {.useNames = useNames});
    const report::Comparison comparison{a, b, difference};
    return {difference.isEqual(),
            difference.isComplete(),
            difference.similarity,
            report::verdictText(difference),
            report::differenceText(comparison, report::WeightList::All),
            report::differenceJson(comparison)};
}

DifferenceHandle diffModels(const nb::object &a, const nb::object &b, const nb::object &bind, const nb::object &inputs,
                            const std::string &function, bool names)
{
    const SharedModel before = openedOrHeld(a), after = openedOrHeld(b);
    const auto analysedOf = [&](const SharedModel &model) {
        const RequestTexts texts = requestTexts(model, function, bind, inputs);
        auto side = performed([&](const Task &task) { return analysedSide(model, texts, task); });
        return valueOrRaise(std::move(side), model.file);
    };
    const Compared first = analysedOf(before), second = analysedOf(after);
    DifferenceHandle difference = performed([&](const Task &) { return compared(first, second, names); });
    if (before.isOfFile && after.isOfFile)
        difference.files = {before.file, after.file};
    return difference;
}

nb::object pageOfDifference(const DifferenceHandle &difference)
{
    if (difference.files.empty())
        raise({ErrorKind::Usage, "a page of a difference needs two models of files: save them first", ""});
    return paged(difference.files);
}

} // namespace

void bindDifference(nb::module_ &module)
{
    nb::class_<DifferenceHandle>(module, "Difference", "What differs between two models; str() is a unified diff.")
        .def_ro("is_equal", &DifferenceHandle::isEqual, "Nothing that was compared differs.")
        .def_ro("is_complete", &DifferenceHandle::isComplete, "Everything could be compared.")
        .def_ro("similarity", &DifferenceHandle::similarity, "How much of both is the same: 0 to 1.")
        .def_ro("verdict", &DifferenceHandle::verdict, "What differs in one line.")
        .def_ro("text", &DifferenceHandle::text, "A unified diff, a line per node; '' if there is no difference.")
        .def(
            "to_dict", [](const DifferenceHandle &difference) { return parsedJson(difference.json); },
            nb::sig("def to_dict(self) -> dict[str, typing.Any]"),
            "What 'cutaway-cli diff --json' writes (schema cutaway.diff/1).")
        .def("page", pageOfDifference, nb::sig("def page(self) -> Page"),
             "An interactive page of both models, as two states of one graph; both are files.")
        .def("_repr_html_",
             [](const DifferenceHandle &difference) {
                 return difference.files.empty() ? nb::none() : framed(difference.files);
             })
        .def("__str__", [](const DifferenceHandle &difference) { return difference.text; })
        .def("__repr__", [](const DifferenceHandle &difference) { return "<Difference: " + difference.verdict + ">"; });
    module.def(
        "diff", diffModels, nb::arg("a"), nb::arg("b"), nb::kw_only(), nb::arg("bind") = nb::none(),
        nb::arg("inputs") = nb::none(), nb::arg("function") = "", nb::arg("names") = true,
        nb::sig("def diff(a: Model | str | os.PathLike[str], b: Model | str | os.PathLike[str], *, bind: dict[str, "
                "int] | None = None, inputs: dict[str, typing.Any] | None = None, function: str = '', names: bool "
                "= True) -> Difference"),
        "Compares two models node by node, also across formats, and weights byte by byte. names: match by module\n"
        "paths and names where structure is ambiguous. The others as for Model.inspect(), of both models.");
}

} // namespace cutaway::python
