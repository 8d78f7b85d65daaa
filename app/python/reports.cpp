// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/reports.h"

#include "app/python/objects.h"
#include "app/python/work.h"
#include "core/analysis/known_devices.h"
#include "core/base/result.h"
#include "core/lint/lint.h"
#include "core/report/inspect.h"
#include "core/report/lint/lint_report.h"
#include "core/report/timing/sweep_report.h"

namespace cutaway::python {

namespace {

/// Returns the text that `make` produces from a prepared model.
template <class Make>
Result<std::string> textUnderLock(const SharedModel &model, const RequestTexts &texts, const Task &task,
                                  const Make &make)
{
    const ContextLock lock(model, task);
    if (!lock.isHeld())
        return cancelled();
    CUTAWAY_TRY(auto prepared, prepare(model, texts));
    Result<std::string> text = make(prepared);
    return task.stopRequested() ? Result<std::string>(cancelled()) : text;
}

Result<std::string> sweepText(const Prepared &prepared, const std::string &text, const analysis::Device *device,
                              const Task &task)
{
    CUTAWAY_TRY(const auto variation, request::parseSweep(prepared.model, prepared.given.bindings, text));
    const auto points = analysis::sweep(prepared.model, prepared.function, prepared.given, variation, device, task);
    return report::sweepJson(prepared.model, points, device);
}

Result<std::string> inspectText(const SharedModel &model, const RequestTexts &texts, const std::string &deviceId,
                                const std::string &sweep, const Task &task)
{
    CUTAWAY_TRY(const auto device, deviceOf(deviceId));
    const analysis::Device *place = device ? &*device : nullptr;
    return textUnderLock(model, texts, task, [&](const Prepared &prepared) -> Result<std::string> {
        if (!sweep.empty())
            return sweepText(prepared, sweep, place, task);
        return report::inspectJson(prepared.model, prepared.given, prepared.namedFunction(texts), {place, nullptr},
                                   task);
    });
}

Result<std::string> lintText(const SharedModel &model, const RequestTexts &texts, const lint::Options &options,
                             const Task &task)
{
    return textUnderLock(model, texts, task, [&](const Prepared &prepared) -> Result<std::string> {
        const auto named = prepared.namedFunction(texts);
        const auto functions = named ? std::vector{*named} : lint::mainFunctions(prepared.model);
        const auto findings = lint::lint(prepared.model, functions, options, prepared.given, task);
        return report::lintJson({prepared.model, options.rules, findings});
    });
}

} // namespace

nb::object inspected(const SharedModel &model, const RequestTexts &texts, const std::string &device,
                     const std::string &sweep)
{
    auto text = performed([&](const Task &task) { return inspectText(model, texts, device, sweep, task); });
    return parsedJson(valueOrRaise(std::move(text), model.file));
}

nb::object linted(const SharedModel &model, const RequestTexts &texts, LintRequest asked)
{
    if (asked.coreAten)
        asked.choice.targets.push_back(lint::coreAtenRule);
    if (asked.opset)
        asked.choice.targets.push_back(lint::opsetRule);
    const lint::Options options{valueOrRaise(lint::chosenRules(asked.choice), model.file), asked.opset};
    auto text = performed([&](const Task &task) { return lintText(model, texts, options, task); });
    return parsedJson(valueOrRaise(std::move(text), model.file));
}

nb::object deviceList()
{
    nb::list devices;
    for (const analysis::Device &device : valueOrRaise(analysis::knownDevices()))
        devices.append(parsedJson(analysis::printDevice(device)));
    return devices;
}

} // namespace cutaway::python
