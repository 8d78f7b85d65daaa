// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/shown/paged.h"
#include "app/python/work.h"
#include "core/base/result.h"
#include "core/base/whole_file.h"
#include "core/drawing/markup.h"
#include "core/report/page/page.h"
#include "core/run/reopened.h"
#include "core/sequence/address.h"
#include "core/sequence/history.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

namespace cutaway::python {

namespace {

constexpr std::size_t mostNodesInNotebook = 20'000; ///< their page has about 8 MB, which the notebook's file keeps

struct PageHandle {
    std::string html;

    /// Returns the page in a frame. Its scripts run in a sandbox, and cannot reach the notebook.
    std::string frame() const
    {
        return R"(<iframe title="Model" sandbox="allow-scripts" style="width: 100%; height: 640px; border: 1px solid )"
               "#8886; border-radius: 8px\" srcdoc=\""
            + drawing::markup(html) + "\"></iframe>";
    }
};

/// Returns the times of a saved profile; null if `profile` is "". Errors: those of parseProfile() and reopen().
Result<std::shared_ptr<const run::Timing>> timesIn(const std::string &profile, const ir::Model &model,
                                                   ir::FunctionId function)
{
    if (profile.empty())
        return nullptr;
    CUTAWAY_TRY(const auto saved, run::parseProfile(profile));
    CUTAWAY_TRY(auto reopened, run::reopen(saved, model, function));
    return std::make_shared<const run::Timing>(std::move(reopened.timing));
}

Result<PageHandle> makePage(const SharedModel &model, const RequestTexts &texts, const std::string &deviceId,
                            const std::string &profile, const Task &task)
{
    CUTAWAY_TRY(const auto device, deviceOf(deviceId));
    const ContextLock lock(model, task);
    if (!lock.isHeld())
        return cancelled();
    CUTAWAY_TRY(const auto prepared, prepare(model, texts));
    const analysis::Given given = prepared.given.withoutTensors();
    const report::Subject subject{prepared.model, prepared.function, given, {device ? &*device : nullptr, nullptr}};
    CUTAWAY_TRY(const auto times, timesIn(profile, prepared.model, prepared.function));
    CUTAWAY_TRY(auto html, report::interactivePage(subject, {.times = times}, task.stop));
    return PageHandle{std::move(html)};
}

Result<PageHandle> makePage(const SharedModel &model, const passes::History &history, const Task &task)
{
    const ContextLock lock(model, task);
    if (!lock.isHeld())
        return cancelled();
    const report::Subject subject{*history.modelAfter(0), history.function(), history.given(), {nullptr, nullptr}};
    CUTAWAY_TRY(auto html, report::interactivePage(subject, {&history}, task.stop));
    return PageHandle{std::move(html)};
}

/// Returns the history whose states are the graphs of files in a row. Errors: those of reading the files; a file does
/// not hold one graph.
Result<passes::History> historyOf(const std::vector<std::string> &files, const Task &task)
{
    CUTAWAY_TRY(const auto found, sequence::find(files, task));
    const auto *sequence = std::get_if<sequence::Sequence>(&found);
    if (!sequence)
        return usageError("a page of several files needs files with a graph each");
    return sequence::historyOf(*sequence, task);
}

passes::History historyOf(const std::vector<std::string> &files)
{
    return valueOrRaise(performed([&](const Task &task) { return historyOf(files, task); }), files.front());
}

PageHandle pageOf(const SharedModel &model, const RequestTexts &texts, const std::string &device,
                  const std::string &profile)
{
    return valueOrRaise(performed([&](const Task &task) { return makePage(model, texts, device, profile, task); }),
                        model.file);
}

PageHandle pageOf(const SharedModel &model, const passes::History &history)
{
    return valueOrRaise(performed([&](const Task &task) { return makePage(model, history, task); }), model.file);
}

/// Whether a notebook shows a function: it must have nodes, which a file of weights alone does not, and not too many.
bool isShown(const ir::Model &model, ir::FunctionId function)
{
    const std::size_t nodes = function.index < model.functions.size() ? model.at(function).graph.nodeCount() : 0;
    return nodes > 0 && nodes <= mostNodesInNotebook;
}

} // namespace

void bindPage(nb::module_ &module)
{
    nb::class_<PageHandle>(module, "Page",
                           "One HTML file in which a reader opens modules, searches, reads nodes and colours them;\n"
                           "notebooks show it. It loads nothing.")
        .def_ro("html", &PageHandle::html, "The whole file.")
        .def(
            "save",
            [](const PageHandle &page, const std::filesystem::path &path) {
                valueOrRaise(writeWholeFile(path, page.html), path.string());
            },
            nb::arg("path"), "Writes the file.")
        .def("_repr_html_", [](const PageHandle &page) { return page.frame(); })
        .def("__repr__",
             [](const PageHandle &page) { return "<Page: " + std::to_string(page.html.size() / 1000) + " kB>"; });
}

nb::object paged(const SharedModel &model, const RequestTexts &texts, const std::string &device,
                 const std::string &profile)
{
    return nb::cast(pageOf(model, texts, device, profile));
}

nb::object paged(const SharedModel &model, const std::shared_ptr<const passes::History> &history)
{
    return nb::cast(pageOf(model, *history));
}

nb::object paged(const std::vector<std::string> &files) { return nb::cast(pageOf(SharedModel(), historyOf(files))); }

nb::object framed(const std::vector<std::string> &files)
{
    const passes::History history = historyOf(files);
    return isShown(*history.modelAfter(0), history.function()) ? nb::cast(pageOf(SharedModel(), history).frame())
                                                               : nb::none();
}

nb::object framed(const SharedModel &model)
{
    return isShown(*model, ir::FunctionId{0}) ? nb::cast(pageOf(model, RequestTexts{}, "", "").frame()) : nb::none();
}

nb::object framed(const SharedModel &model, const std::shared_ptr<const passes::History> &history)
{
    return isShown(*history->modelAfter(0), history->function()) ? nb::cast(pageOf(model, *history).frame())
                                                                 : nb::none();
}

} // namespace cutaway::python
