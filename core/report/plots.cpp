// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/plots.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/drawing/markup.h"
#include "core/drawing/plot.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/print/figures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace cutaway::report {

namespace {

using Point = std::pair<double, double>;

std::string pathThrough(const std::vector<Point> &points)
{
    std::string path;
    for (const auto &[x, y] : points)
        path += (path.empty() ? "M" : "L") + drawing::coordinate(x) + " " + drawing::coordinate(y);
    return path;
}

std::string pathElement(std::string_view className, const std::string &path)
{
    return "<path class=\"" + std::string(className) + "\" d=\"" + path + "\"/>\n";
}

std::string plainNumber(double n) { return n >= 1e4 ? siCount(n) : formatted("{:g}", n); }

// ---------------------------------------------------------------- memory

/// Returns the maxima of groups of consecutive steps, at most `count`, so that no peak is lost.
std::vector<double> thinned(const std::vector<double> &values, std::size_t count)
{
    if (values.size() <= count)
        return values;
    std::vector<double> thin(count);
    for (std::size_t i = 0; i < values.size(); ++i) {
        double &bar = thin[i * count / values.size()];
        bar = std::max(bar, values[i]);
    }
    return thin;
}

std::string bars(const std::vector<double> &alive)
{
    constexpr std::size_t width = 72;
    constexpr std::string_view levels[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const double largest = std::ranges::max(alive);
    std::string line;
    for (const double bytes : thinned(alive, width))
        line += levels[static_cast<std::size_t>(std::ceil(8 * bytes / largest))];
    return line;
}

// ---------------------------------------------------------------- roofline

/// Nodes at the same point of the plot, which are drawn as one.
struct Spot {
    std::size_t count = 0;
    double seconds = 0;
    std::string name;
};

/// The key of a spot: operator, FLOP per byte, FLOP per second.
struct Place {
    std::string op;
    double intensity, speed;
    ops::Category category;
    auto operator<=>(const Place &) const = default;
};

using Spots = std::vector<std::pair<Place, Spot>>;

/// Returns the spots, the one with the longest time first.
Spots spotsOf(const std::vector<NodeRow> &nodes)
{
    std::map<Place, Spot> spots;
    for (const NodeRow &node : nodes) {
        if (node.within || !node.time || node.time->intensity <= 0 || node.time->seconds <= 0)
            continue;
        const auto flops = ops::number(ops::plus(node.cost.flops, node.cost.otherFlops));
        const double speed = static_cast<double>(flops.value_or(0)) / node.time->seconds;
        if (speed <= 0)
            continue;
        Spot &spot = spots[{node.op, node.time->intensity, speed, node.category}];
        if (spot.count++ == 0)
            spot.name = node.name;
        spot.seconds += node.time->seconds;
    }
    Spots sorted(spots.begin(), spots.end());
    std::ranges::stable_sort(sorted, std::greater{}, [](const auto &spot) { return spot.second.seconds; });
    return sorted;
}

double intensityOf(const Spots::value_type &spot) { return spot.first.intensity; }
double speedOf(const Spots::value_type &spot) { return spot.first.speed; }

/// Returns the dtypes of the device by their peak rates, in ascending order, up to the first one that is not below
/// `fastest`, the rate of the fastest spot.
std::map<double, std::string> roofsOver(double fastest, const analysis::Device &device)
{
    std::map<double, std::string> roofs;
    for (const auto &[dtype, peak] : device.peaks) {
        std::string &names = roofs[peak];
        names += (names.empty() ? "" : ", ") + std::string(ir::name(dtype));
    }
    const auto highest = roofs.lower_bound(fastest * 0.999);
    if (highest != roofs.end())
        roofs.erase(std::next(highest), roofs.end());
    return roofs;
}

class RooflineDrawing {
public:
    RooflineDrawing(Spots spots, const analysis::Device &device)
        : m_spots(std::move(spots)),
          m_device(device),
          m_roofs(roofsOver(speedOf(std::ranges::max(m_spots, {}, speedOf)), device)),
          m_area("Roofline on " + device.name, 1032, 440, xAxis(), yAxis())
    {
    }

    std::string draw()
    {
        drawRoofs();
        drawSpots();
        drawLegend();
        return m_area.take();
    }

private:
    drawing::Axis xAxis() const
    {
        const auto [least, most] = std::ranges::minmax(m_spots, {}, intensityOf);
        const double ridge = m_roofs.rbegin()->first / m_device.bandwidth;
        return drawing::decades("operations per byte", intensityOf(least), std::max(intensityOf(most), 2 * ridge),
                                plainNumber);
    }

    drawing::Axis yAxis() const
    {
        const double slowest = speedOf(std::ranges::min(m_spots, {}, speedOf));
        return drawing::decades("speed", slowest, m_roofs.rbegin()->first * 1.5,
                                [](double n) { return print::withUnit(n, "FLOP/s"); });
    }

    void drawRoofs()
    {
        const double left = m_area.xAxis().first, low = m_area.yAxis().first;
        const double highest = m_roofs.rbegin()->first;
        const double start = std::max(left, low / m_device.bandwidth);
        m_area.add(pathElement("roof",
                               pathThrough({{m_area.x(start), m_area.y(start * m_device.bandwidth)},
                                            {m_area.x(highest / m_device.bandwidth), m_area.y(highest)}})));
        for (const auto &[peak, dtypes] : m_roofs) {
            const double ridge = std::max(left, peak / m_device.bandwidth);
            m_area.add(pathElement("roof",
                                   pathThrough({{m_area.x(ridge), m_area.y(peak)}, {m_area.right(), m_area.y(peak)}})));
            // Keeps the label clear of the spots on the roof.
            const double offset = peak == highest ? -19 : 29;
            m_area.addText(m_area.right() - 4, m_area.y(peak) + offset, "end", "note",
                           print::withUnit(peak, "FLOP/s") + " " + dtypes);
        }
    }

    /// Draws the spots, larger ones first, so that they hide no smaller ones.
    void drawSpots()
    {
        constexpr std::size_t maxSpots = 1500;
        for (std::size_t i = 0; i < m_spots.size() && i < maxSpots; ++i) {
            const auto &[place, spot] = m_spots[i];
            const double radius = 3 + 11 * std::sqrt(spot.seconds / m_spots.front().second.seconds);
            const std::string count = spot.count > 1 ? grouped(static_cast<long long>(spot.count)) + " × " : "";
            m_area.add("<circle class=\"spot c" + std::to_string(static_cast<int>(place.category)) + "\" cx=\""
                       + drawing::coordinate(m_area.x(place.intensity)) + "\" cy=\""
                       + drawing::coordinate(m_area.y(place.speed)) + "\" r=\"" + drawing::coordinate(radius)
                       + "\"><title>"
                       + drawing::markup(count + place.op + " " + spot.name + (spot.count > 1 ? ", …" : "") + ": "
                                         + print::secondsText(spot.seconds) + ", " + plainNumber(place.intensity)
                                         + " FLOP/B, " + print::withUnit(place.speed, "FLOP/s"))
                       + "</title></circle>\n");
        }
    }

    void drawLegend()
    {
        std::set<ops::Category> categories;
        for (const auto &[place, spot] : m_spots)
            categories.insert(place.category);
        double y = drawing::PlotArea::margins.top + 14;
        m_area.addText(drawing::PlotArea::margins.left + 9, y, "start", "note",
                       "memory " + print::withUnit(m_device.bandwidth, "B/s"));
        y += 19;
        for (const ops::Category category : categories) {
            const double x = drawing::PlotArea::margins.left + 14;
            m_area.add("<circle class=\"spot c" + std::to_string(static_cast<int>(category)) + "\" cx=\""
                       + drawing::coordinate(x) + "\" cy=\"" + drawing::coordinate(y - 4) + "\" r=\"5\"/>");
            m_area.addText(x + 12, y, "start", "note", ops::name(category));
            y += 17;
        }
    }

    Spots m_spots;
    const analysis::Device &m_device;
    std::map<double, std::string> m_roofs;
    drawing::PlotArea m_area;
};

// ---------------------------------------------------------------- sweep

std::string curve(const std::string &symbol, const std::string &what, const std::vector<Point> &values,
                  drawing::Axis::Scale scale, const std::function<std::string(double)> &label)
{
    const double first = values.front().first, last = values.back().first;
    drawing::Axis x{symbol, drawing::Axis::Scale::Linear, first, last > first ? last : first + 1, plainNumber};
    const double largest = std::ranges::max(values, {}, &Point::second).second;
    drawing::PlotArea area(what + " against " + symbol, 508, 250, std::move(x),
                           drawing::fromZero(what, largest, scale, label));
    std::vector<Point> points;
    for (const auto &[value, figure] : values)
        points.emplace_back(area.x(value), area.y(figure));
    area.add(pathElement("curve", pathThrough(points)));
    constexpr std::size_t maxDots = 40;
    for (std::size_t i = 0; i < points.size() && points.size() <= maxDots; ++i)
        area.add("<circle class=\"dot\" cx=\"" + drawing::coordinate(points[i].first) + "\" cy=\""
                 + drawing::coordinate(points[i].second) + "\" r=\"3\"><title>"
                 + drawing::markup(symbol + " = " + plainNumber(values[i].first) + ": " + label(values[i].second))
                 + "</title></circle>\n");
    return area.take();
}

} // namespace

Plot memoryPlot(const std::vector<double> &alive, std::optional<std::size_t> peakStep)
{
    constexpr std::size_t columns = 1600;
    if (alive.empty() || std::ranges::max(alive) <= 0)
        return {};
    const double largest = std::ranges::max(alive);
    const auto last = static_cast<double>(alive.size());
    drawing::PlotArea area("Live memory, step by step", 1032, 280,
                           {"step", drawing::Axis::Scale::Linear, 0, last, plainNumber},
                           drawing::fromZero("alive", largest, drawing::Axis::Scale::Binary, byteCount));
    const std::vector<double> thin = thinned(alive, columns);
    std::vector<Point> outline{{area.x(0), area.bottom()}};
    for (std::size_t i = 0; i < thin.size(); ++i) {
        const double share = last / static_cast<double>(thin.size());
        outline.emplace_back(area.x(static_cast<double>(i) * share), area.y(thin[i]));
        outline.emplace_back(area.x(static_cast<double>(i + 1) * share), area.y(thin[i]));
    }
    outline.emplace_back(area.right(), area.bottom());
    area.add(pathElement("area", pathThrough(outline) + "Z"));
    if (peakStep) {
        const double x = area.x(static_cast<double>(*peakStep) + 0.5);
        area.add("<circle class=\"peak\" cx=\"" + drawing::coordinate(x) + "\" cy=\""
                 + drawing::coordinate(area.y(largest)) + "\" r=\"4\"/>");
        // The label stands above the line and inside the picture.
        const char *anchor = x < drawing::PlotArea::margins.left + 60 ? "start"
            : x > area.right() - 60                                   ? "end"
                                                                      : "middle";
        area.addText(x, area.y(largest) - 9, anchor, "note", "peak " + byteCount(largest));
    }
    return {area.take(), bars(alive)};
}

Plot rooflinePlot(const std::vector<NodeRow> &nodes, const analysis::Device &device)
{
    auto spots = spotsOf(nodes);
    return spots.empty() ? Plot() : Plot{RooflineDrawing(std::move(spots), device).draw(), ""};
}

std::vector<Plot> sweepPlots(const analysis::Sweep &sweep)
{
    using analysis::SweepPoint;
    using Figure = std::function<std::optional<double>(const SweepPoint &)>;
    const auto numberOf = [](const ir::Dim &dim) {
        const auto n = ops::number(dim);
        return n ? std::optional(static_cast<double>(*n)) : std::nullopt;
    };
    std::vector<Plot> plots;
    const auto add = [&](const char *what, drawing::Axis::Scale scale, auto label, const Figure &figure) {
        std::vector<Point> values;
        for (const SweepPoint &point : sweep.points)
            if (const auto n = figure(point))
                values.emplace_back(static_cast<double>(point.value), *n);
        if (!values.empty() && values.size() == sweep.points.size())
            plots.push_back({curve(sweep.symbol, what, values, scale, label), ""});
    };
    using enum drawing::Axis::Scale;
    add(
        "FLOPs", Linear, [](double n) { return print::withUnit(n, "FLOP"); },
        [&](const SweepPoint &p) { return numberOf(p.cost.flops); });
    add("memory traffic", Binary, byteCount,
        [&](const SweepPoint &p) { return numberOf(ops::plus(p.cost.bytesRead, p.cost.bytesWritten)); });
    add("peak memory", Binary, byteCount, [&](const SweepPoint &p) { return numberOf(p.peakBytes); });
    add("time (lower bound)", Linear, print::secondsText, [](const SweepPoint &p) { return p.seconds; });
    return plots;
}

} // namespace cutaway::report
