// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/session/annotations/activation_text.h"

#include "core/base/formatted.h"
#include "core/ir/names.h"
#include "views/parts/quantity.h"
#include "views/parts/text.h"

#include <QObject>
#include <cmath>

namespace cutaway::views {
namespace {

QString shortNumber(double x) { return QString::fromStdString(formatted("{:.5g}", x)); }

} // namespace

QStringList activationLines(const run::Activation &activation)
{
    const tensor::Statistics &of = activation.statistics;
    if (of.count == 0)
        return {QObject::tr("no numbers")};
    QStringList lines, counts;
    if (of.finite > 0)
        lines << QStringLiteral("%1 … %2").arg(shortNumber(of.min), shortNumber(of.max))
              << QObject::tr("mean %1, std %2").arg(shortNumber(of.mean), shortNumber(of.deviation()));
    if (of.zeros > 0)
        counts << QObject::tr("%1 zeros")
                      .arg(numberText(Quantity::Unit::Share,
                                      static_cast<double>(of.zeros) / static_cast<double>(of.count)));
    if (of.nans > 0)
        counts << QObject::tr("%1 NaN").arg(of.nans);
    if (activation.infinities() > 0)
        counts << QObject::tr("%1 infinite").arg(activation.infinities());
    if (!counts.isEmpty())
        lines << counts.join(QStringLiteral(", "));
    return lines;
}

QString activationText(const run::Activation &activation)
{
    return activationLines(activation).join(QStringLiteral(", "));
}

QString notFiniteText(const ir::Graph &graph, const run::Activations &activations, const run::NotFinite &notFinite)
{
    const ir::ValueRef value(graph, notFinite.value);
    const run::Activation *activation = activations.of(notFinite.value);
    const QString what = notFinite.kind == run::NotFinite::Kind::NaN ? QObject::tr("NaN") : QObject::tr("infinite");
    QString text =
        QObject::tr("%1 of %2 %3 numbers of %4 are %5")
            .arg(notFinite.count)
            .arg(activation ? activation->statistics.count : 0)
            .arg(shown(activation ? ir::name(activation->dtype) : std::string_view()), shown(ir::nameOf(value)), what);
    if (!std::isnan(notFinite.largestRead))
        text += QObject::tr("; the node reads numbers up to %1 in magnitude").arg(shortNumber(notFinite.largestRead));
    return text;
}

} // namespace cutaway::views
