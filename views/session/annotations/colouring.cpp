// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/annotations/colouring.h"

#include "core/base/overloaded.h"
#include "core/node_data/node_data.h"
#include "views/parts/text.h"

#include <QObject>
#include <algorithm>
#include <array>

namespace cutaway::views {
namespace {

constexpr std::string_view categoryName = "category", dataPrefix = node_data::columnPrefix;

struct RunColumn {
    std::string_view name;
    QString title, explanation;
};

std::optional<RunColumn> runColumn(std::string_view name)
{
    const std::array columns{
        RunColumn{"run.magnitude", QObject::tr("Largest magnitude"),
                  QObject::tr("largest magnitude of the results in the last run with statistics")},
        RunColumn{"run.min", QObject::tr("Minimum"), QObject::tr("smallest finite number of the results")},
        RunColumn{"run.max", QObject::tr("Maximum"), QObject::tr("largest finite number of the results")},
        RunColumn{"run.mean", QObject::tr("Mean"), QObject::tr("mean of the finite numbers of the results")},
        RunColumn{"run.std", QObject::tr("Standard deviation"), QObject::tr("of the finite numbers of the results")},
        RunColumn{"run.zeros", QObject::tr("Share of zeros"),
                  QObject::tr("zeros among the numbers of the results, from 0 to 1")},
        RunColumn{"run.nan", QObject::tr("NaNs"), QObject::tr("how many numbers of the results are NaN")},
        RunColumn{"run.inf", QObject::tr("Infinities"), QObject::tr("how many numbers of the results are infinite")},
        RunColumn{"run.error", QObject::tr("Error"), QObject::tr("largest difference from the compared run")},
        RunColumn{"run.relative_error", QObject::tr("Relative error"),
                  QObject::tr("largest difference from the compared run, relative to the larger of both numbers")},
        RunColumn{"run.cosine", QObject::tr("Cosine similarity"), QObject::tr("with the result in the compared run")},
        RunColumn{"trace.calls", QObject::tr("Calls"), QObject::tr("events of the trace that belong to the node")},
        RunColumn{"trace.spread", QObject::tr("Spread"),
                  QObject::tr("from the 5th to the 95th percentile of the iterations, warm-up left out")},
        RunColumn{"trace.host", QObject::tr("Host time"), QObject::tr("in all iterations of the trace")},
        RunColumn{"trace.device", QObject::tr("Device time"),
                  QObject::tr("of the kernels that the node launched in all iterations of the trace")},
        RunColumn{"trace.launches", QObject::tr("Launches"),
                  QObject::tr("kernels, copies and fills on devices that the node launched")},
        RunColumn{"trace.waited", QObject::tr("Device waited"),
                  QObject::tr("idle time of a device before the node launched its next work")},
        RunColumn{"trace.change", QObject::tr("Change"),
                  QObject::tr("of the median of the iterations, from the opened trace to the one it is compared with")},
        RunColumn{"trace.second", QObject::tr("Second trace"),
                  QObject::tr("the median of the iterations of the trace that the opened one is compared with")},
        RunColumn{"trace.verdict", QObject::tr("Verdict"),
                  QObject::tr("whether the second trace has more or less time than the first one, beyond the noise")},
    };
    const auto found = std::ranges::find(columns, name, &RunColumn::name);
    return found == columns.end() ? std::nullopt : std::optional(*found);
}

} // namespace

std::string print(const Colouring &colouring)
{
    return std::visit(Overloaded{[](const ByCategory &) { return std::string(categoryName); },
                                 [](Measure measure) { return std::string(name(measure)); },
                                 [](const ByColumn &column) { return std::string(dataPrefix) + column.name; }},
                      colouring);
}

std::optional<Colouring> parseColouring(std::string_view text)
{
    if (text == categoryName)
        return ByCategory{};
    if (text.starts_with(dataPrefix) && text.size() > dataPrefix.size())
        return ByColumn{std::string(text.substr(dataPrefix.size()))};
    const auto measure = measureNamed(text);
    return measure ? std::optional<Colouring>(*measure) : std::nullopt;
}

QString title(const Colouring &colouring)
{
    return std::visit(Overloaded{[](const ByCategory &) { return QObject::tr("Category"); },
                                 [](Measure measure) { return title(measure); },
                                 [](const ByColumn &column) { return columnTitle(column.name); }},
                      colouring);
}

QString columnTitle(std::string_view column)
{
    const auto row = runColumn(column);
    return row ? row->title : shown(column);
}

QString columnExplanation(std::string_view column)
{
    const auto row = runColumn(column);
    return row ? row->explanation : QString();
}

} // namespace cutaway::views
