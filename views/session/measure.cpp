// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/measure.h"

#include <QObject>
#include <algorithm>

namespace cutaway::views {

std::string_view name(Measure measure)
{
    static constexpr std::array<std::string_view, allMeasures.size()> names{"flops", "bytes", "memory", "time",
                                                                            "measured"};
    return names[std::size_t(measure)];
}

std::optional<Measure> measureNamed(std::string_view name)
{
    const auto found = std::ranges::find(allMeasures, name, [](Measure each) { return views::name(each); });
    return found == allMeasures.end() ? std::nullopt : std::optional(*found);
}

QString title(Measure measure)
{
    switch (measure) {
    case Measure::Flops:
        return QObject::tr("FLOPs");
    case Measure::Bytes:
        return QObject::tr("Memory traffic");
    case Measure::Memory:
        return QObject::tr("Live memory");
    case Measure::Time:
        return QObject::tr("Predicted time");
    case Measure::Measured:
        break;
    }
    return QObject::tr("Measured time");
}

QString explanation(Measure measure)
{
    switch (measure) {
    case Measure::Flops:
        return QObject::tr(
            "floating-point operations of convolutions, matrix products and attention; a multiply-add counts as two");
    case Measure::Bytes:
        return QObject::tr("bytes read and written; each tensor counted once");
    case Measure::Memory:
        return QObject::tr("activations alive while the node runs; for a module, the maximum");
    case Measure::Time:
        return QObject::tr("lower bound by the device's peak rate and memory bandwidth (roofline)");
    case Measure::Measured:
        break;
    }
    return QObject::tr("median over the runs of a profile; fused nodes count for the first of them");
}

Quantity::Unit unitOf(Measure measure)
{
    switch (measure) {
    case Measure::Flops:
        return Quantity::Unit::Flop;
    case Measure::Bytes:
    case Measure::Memory:
        return Quantity::Unit::Byte;
    case Measure::Time:
    case Measure::Measured:
        break;
    }
    return Quantity::Unit::Second;
}

} // namespace cutaway::views
