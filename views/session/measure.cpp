// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/measure.h"

#include <QObject>

namespace cutaway::views {

QString title(Measure measure)
{
    switch (measure) {
    case Measure::Flops:
        return QObject::tr("FLOPs");
    case Measure::Bytes:
        return QObject::tr("Bytes moved");
    case Measure::Memory:
        return QObject::tr("Memory alive");
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
        return QObject::tr("of convolutions, matrix products and attention; a multiply-add is two");
    case Measure::Bytes:
        return QObject::tr("read and written, each tensor once");
    case Measure::Memory:
        return QObject::tr("activations that are alive while the node runs; of a module, the most");
    case Measure::Time:
        return QObject::tr("at least, by the device's peak and its memory's bandwidth (roofline)");
    case Measure::Measured:
        break;
    }
    return QObject::tr("the median of the runs of a profile; what runs as one counts for the first of its nodes");
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
