// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/survey/measurement_section.h"

#include "core/base/formatted.h"
#include "core/drawing/markup.h"
#include "core/drawing/plot.h"
#include "core/print/figures.h"
#include "core/report/cells.h"
#include "core/survey/family.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace cutaway::survey {

namespace {

using report::Cell;
using Kind = report::Column::Kind;

/// A point of the picture: a measured and a predicted time.
struct Compared {
    std::string model;
    std::size_t on = 0; ///< the index of the column in the list of all MeasuredOn
    double predicted = 0, seconds = 0;
};

/// Returns a cell such as "12.3 ms (2.1×)".
Cell measuredCell(const Measurement &measurement)
{
    if (!measurement.seconds)
        return {std::string(name(measurement.state))};
    std::string text = print::secondsText(*measurement.seconds);
    if (measurement.predicted && *measurement.predicted > 0)
        text += formatted(" ({:.3g}×)", *measurement.seconds / *measurement.predicted);
    return {.text = std::move(text), .order = measurement.seconds};
}

std::string shortName(const Entry &entry, const std::filesystem::path &folder)
{
    return std::filesystem::path(entry.path).lexically_relative(folder).string();
}

report::Table matrix(const std::vector<Entry> &entries, const std::vector<MeasuredOn> &all)
{
    report::Table table{.columns = {{"Model", Kind::Name}}, .rows = {}};
    for (const MeasuredOn &one : all)
        table.columns.push_back({titleOf(one, all), Kind::Number});
    const std::filesystem::path folder = commonFolder(entries);
    for (const Entry &entry : entries) {
        if (entry.measurements.empty())
            continue;
        std::vector<Cell> row{{shortName(entry, folder)}};
        row.resize(1 + all.size());
        for (const Measurement &each : entry.measurements)
            row[1 + static_cast<std::size_t>(std::ranges::find(all, measuredOn(each)) - all.begin())] =
                measuredCell(each);
        table.rows.push_back(std::move(row));
    }
    return table;
}

report::Table notMeasured(const std::vector<Entry> &entries)
{
    std::map<std::array<std::string, 4>, std::pair<std::int64_t, const Entry *>> reasons;
    for (const Entry &entry : entries)
        for (const Measurement &each : entry.measurements)
            if (each.state != Measurement::State::Measured)
                ++reasons
                      .try_emplace({each.backend, each.machine, std::string(name(each.state)), each.message}, 0, &entry)
                      .first->second.first;
    report::Table table{.title = "Not measured",
                        .columns = {{"Backend", Kind::Name},
                                    {"Machine", Kind::Name},
                                    {"State"},
                                    {"Models", Kind::Number},
                                    {"Why"},
                                    {"For example", Kind::Name}},
                        .rows = {}};
    for (const auto &[why, use] : reasons)
        table.rows.push_back(
            {{why[0]}, {why[1]}, {why[2]}, report::countCell(use.first), {why[3]}, {use.second->path}});
    return table;
}

/// Returns the points, those of the slowest models first.
std::vector<Compared> comparedOf(const std::vector<Entry> &entries, const std::vector<MeasuredOn> &all)
{
    std::vector<Compared> points;
    for (const Entry &entry : entries)
        for (const Measurement &each : entry.measurements)
            if (each.seconds && each.predicted && *each.seconds > 0 && *each.predicted > 0)
                points.push_back({entry.path,
                                  static_cast<std::size_t>(std::ranges::find(all, measuredOn(each)) - all.begin()),
                                  *each.predicted, *each.seconds});
    constexpr std::size_t most = 2000; // a browser is slow if a page has more points
    std::ranges::stable_sort(points, std::greater{}, &Compared::seconds);
    points.resize(std::min(points.size(), most));
    return points;
}

/// Returns the class of a point's colour: those of operators' categories, ordered so that neighbours differ.
std::string spotClass(std::size_t on)
{
    constexpr std::size_t colours = 8;
    return "spot c" + std::to_string(on % colours);
}

std::string circle(const drawing::PlotArea &area, const Compared &point, const std::string &title)
{
    return formatted("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"4\"><title>{}</title></circle>\n",
                     spotClass(point.on), drawing::coordinate(area.x(std::max(point.predicted, area.xAxis().first))),
                     drawing::coordinate(area.y(std::max(point.seconds, area.yAxis().first))), drawing::markup(title));
}

/// Draws measured against predicted times. The axes have one range, so that the line "as predicted" is the diagonal.
/// Times that are shorter than the launch of a kernel are drawn at the border.
std::string picture(const std::vector<Compared> &points, const std::vector<MeasuredOn> &all)
{
    const auto seconds = [](double n) { return print::secondsText(n); };
    double least = points.front().predicted, most = points.front().seconds;
    for (const Compared &point : points) {
        least = std::min({least, point.predicted, point.seconds});
        most = std::max({most, point.predicted, point.seconds});
    }
    constexpr double shortest = 1e-7;
    least = std::max(least, std::min(shortest, most));
    const drawing::Axis x = drawing::decades("predicted, at least", least, most, seconds);
    const drawing::Axis y = drawing::decades("measured", least, most, seconds);
    drawing::PlotArea area("Measured against predicted times", 1032, 440, x, y);
    area.add(formatted("<path class=\"roof\" d=\"M{} {}L{} {}\"/>\n", drawing::coordinate(area.x(x.first)),
                       drawing::coordinate(area.y(x.first)), drawing::coordinate(area.x(x.last)),
                       drawing::coordinate(area.y(x.last))));
    area.addText(drawing::PlotArea::margins.left + 130, area.bottom() - 14, "start", "note", "as predicted");
    for (const Compared &point : points)
        area.add(circle(area, point,
                        formatted("{}, {}: {}, predicted {}", point.model, titleOf(all[point.on], all),
                                  seconds(point.seconds), seconds(point.predicted))));
    std::set<std::size_t> shown;
    for (const Compared &point : points)
        shown.insert(point.on);
    double atY = drawing::PlotArea::margins.top + 18;
    for (const std::size_t on : shown) {
        const double atX = drawing::PlotArea::margins.left + 14;
        area.add(formatted("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"5\"/>", spotClass(on),
                           drawing::coordinate(atX), drawing::coordinate(atY - 4)));
        area.addText(atX + 12, atY, "start", "note", titleOf(all[on], all));
        atY += 17;
    }
    return area.take();
}

} // namespace

MeasuredOn measuredOn(const Measurement &measurement)
{
    return {measurement.backend, measurement.machine, measurement.request};
}

std::vector<MeasuredOn> allMeasuredOn(const std::vector<Entry> &entries)
{
    std::set<MeasuredOn> all;
    for (const Entry &entry : entries)
        for (const Measurement &each : entry.measurements)
            all.insert(measuredOn(each));
    return {all.begin(), all.end()};
}

std::string titleOf(const MeasuredOn &one, const std::vector<MeasuredOn> &all)
{
    const auto differs = [&](std::string MeasuredOn::*part) {
        return std::ranges::any_of(all, [&](const MeasuredOn &other) { return other.*part != one.*part; });
    };
    std::string title = one.backend;
    if (differs(&MeasuredOn::machine))
        title += " on " + one.machine;
    if (differs(&MeasuredOn::request))
        title += ", " + (one.request.empty() ? std::string("as it is") : one.request);
    return title;
}

report::Section measurementSection(const std::vector<Entry> &entries)
{
    const std::vector<MeasuredOn> all = allMeasuredOn(entries);
    report::Section section{.id = "profiles", .title = "Profiles", .tables = {matrix(entries, all)}};
    if (section.tables.front().rows.empty())
        return section;
    if (const std::vector<Compared> points = comparedOf(entries, all); !points.empty()) {
        section.notes.emplace_back(
            "Times of a run, and in parentheses how many times the predicted one, which is what the "
            "device takes at least.");
        section.plots.push_back({picture(points, all), ""});
    } else {
        section.notes.emplace_back("Times of a run. A survey with --device predicts them.");
    }
    if (report::Table left = notMeasured(entries); !left.rows.empty())
        section.tables.push_back(std::move(left));
    return section;
}

} // namespace cutaway::survey
