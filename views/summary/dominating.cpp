// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/summary/dominating.h"

#include "core/analysis/module_sums.h"
#include "core/base/text.h"
#include "core/ir/context.h"
#include "core/ir/node_ref.h"
#include "core/layout/module_rows.h"
#include "views/parts/property_sheet.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/figures.h"
#include "views/session/navigation.h"
#include "views/session/selection.h"
#include "views/session/session.h"

#include <algorithm>
#include <ranges>

namespace cutaway::views {
namespace {

constexpr std::size_t mostModules = 10; ///< as many as Figures::costliest() has nodes

QString titleOf(const Amount &amount)
{
    const auto *measure = std::get_if<Measure>(&amount);
    return measure ? title(*measure) : QObject::tr("Parameters");
}

/// Lists the nodes or modules that have the most of a figure, which the user chooses.
class DominatingList {
public:
    using Choose = std::function<void(const Dominating &)>;

    DominatingList(PropertySheet &sheet, Session &session, const Figures &figures, const Dominating &asked,
                   const Choose &choose)
        : m_sheet(sheet),
          m_session(session),
          m_figures(figures),
          m_asked(asked),
          m_choose(choose)
    {
        const auto outline = session.drawing().drawnOutline();
        const Document &document = session.document();
        if (!document.moduleSums().at(ir::ScopeId{}).children.empty() || (outline && !outline->found.empty()))
            m_rows = layout::moduleRows(document.model(), document.function(), document.moduleSums(), outline.get());
    }

    void fill()
    {
        m_sheet.section(QObject::tr("What dominates"));
        if (!m_rows.empty())
            m_sheet.choice(QObject::tr("among"), {QObject::tr("Nodes"), QObject::tr("Modules")}, ofModules() ? 1 : 0,
                           [choose = m_choose, by = m_asked.by](int i) {
                               choose({i == 1 ? Dominating::Of::Modules : Dominating::Of::Nodes, by});
                           });
        const std::vector<Amount> offered = amounts();
        QStringList titles;
        for (const Amount &each : offered)
            titles << titleOf(each);
        const auto place = std::ranges::find_if(
            offered, [&](const Amount &each) { return m_asked.by ? each == *m_asked.by : hasAny(each); });
        const std::size_t chosen = place == offered.end() ? 0 : std::size_t(place - offered.begin());
        m_sheet.choice(QObject::tr("by"), titles, int(chosen),
                       [choose = m_choose, of = m_asked.of, offered](int i) { choose({of, offered[std::size_t(i)]}); });
        const bool isEmpty =
            ofModules() ? !listModules(offered[chosen]) : !listNodes(std::get<Measure>(offered[chosen]));
        if (isEmpty)
            m_sheet.muted(ofModules() ? QObject::tr("No module has a known value.")
                                      : QObject::tr("No node has a known value."));
    }

private:
    bool ofModules() const { return m_asked.of == Dominating::Of::Modules && !m_rows.empty(); }

    /// Returns the figures to choose from; for modules without memory, which is a maximum and not a sum over parts.
    std::vector<Amount> amounts() const
    {
        std::vector<Amount> offered;
        for (const Measure each : allMeasures)
            if ((each != Measure::Measured || m_figures.times().timing()) && (each != Measure::Memory || !ofModules()))
                offered.emplace_back(each);
        if (ofModules())
            offered.emplace_back(ByParameters{});
        return offered;
    }

    bool hasAny(const Amount &amount) const
    {
        const auto *measure = std::get_if<Measure>(&amount);
        return measure ? !m_figures.costliest(*measure).empty() : m_rows.front().parameters > 0;
    }

    bool listNodes(Measure measure) const
    {
        for (const ir::NodeId id : m_figures.costliest(measure)) {
            const ir::NodeRef node(m_figures.function().graph, id);
            m_sheet.linkedNumber(
                shownName(node), m_figures.of(id, measure).text(),
                [&session = m_session, id] { session.navigation().reveal(id); }, textOf(node, measure));
        }
        return !m_figures.costliest(measure).empty();
    }

    /// Returns the share and operator of a node: "12.5 % of all, aten::conv2d"; memory, a maximum, has no share.
    QString textOf(const ir::NodeRef &node, Measure measure) const
    {
        QString op = shown(node.fullName());
        const auto part = m_figures.of(node.id(), measure).numberOrExample(),
                   whole = m_figures.total(measure).numberOrExample();
        if (measure == Measure::Memory || !part || !whole || *whole <= 0)
            return op;
        return QObject::tr("%1 of all, %2").arg(numberText(Quantity::Unit::Share, *part / *whole), op);
    }

    bool listModules(const Amount &amount) const
    {
        const auto found =
            layout::dominating(m_rows, [&](const layout::ModuleRow &row) { return numberOf(row, amount); });
        for (const std::uint32_t row : found | std::views::take(mostModules)) {
            const layout::Subject box =
                std::visit([](const auto &each) { return layout::Subject(each); }, m_rows[row].subject);
            const QString share = shareOf(m_rows[row], amount);
            m_sheet.linkedNumber(
                nameOf(m_rows[row]), share.isEmpty() ? amountOf(m_rows[row], amount) : share,
                [&session = m_session, box] { session.navigation().reveal(toSelection(box)); }, sharesOf(m_rows[row]));
        }
        return !found.empty();
    }

    double numberOf(const layout::ModuleRow &row, const Amount &amount) const
    {
        const auto *measure = std::get_if<Measure>(&amount);
        return measure ? m_figures.of(row, *measure).numberOrExample().value_or(0) : double(row.parameters);
    }

    QString nameOf(const layout::ModuleRow &row) const
    {
        const auto *module = std::get_if<layout::ScopeSubject>(&row.subject);
        const ir::Context &context = *m_figures.model()->context;
        return shown(module ? context.text(context.at(module->scope).path) : row.found.title);
    }

    QString amountOf(const layout::ModuleRow &row, const Amount &amount) const
    {
        const auto *measure = std::get_if<Measure>(&amount);
        return measure ? m_figures.of(row, *measure).text() : shown(siCount(double(row.parameters)));
    }

    /// Returns a module's share of the total: "36.0 %"; "" if the total is unknown.
    QString shareOf(const layout::ModuleRow &row, const Amount &amount) const
    {
        const auto *measure = std::get_if<Measure>(&amount);
        const double whole =
            measure ? m_figures.total(*measure).numberOrExample().value_or(0) : double(m_rows.front().parameters);
        return whole > 0 ? numberText(Quantity::Unit::Share, numberOf(row, amount) / whole) : QString();
    }

    /// Returns a module's amounts with their shares of the totals, a line each: "FLOPs: 1.46 GFLOP, 36.0 %".
    QString sharesOf(const layout::ModuleRow &row) const
    {
        QStringList lines;
        for (const Amount &each : amounts())
            if (const QString share = shareOf(row, each); !share.isEmpty())
                lines << QStringLiteral("%1: %2, %3").arg(titleOf(each), amountOf(row, each), share);
        return lines.join('\n');
    }

    PropertySheet &m_sheet;
    Session &m_session;
    const Figures &m_figures;
    const Dominating &m_asked;
    const Choose &m_choose;
    std::vector<layout::ModuleRow> m_rows; ///< empty if there are no modules
};

} // namespace

void fillDominating(PropertySheet &sheet, Session &session, const Figures &figures, const Dominating &asked,
                    const std::function<void(const Dominating &)> &choose)
{
    DominatingList(sheet, session, figures, asked, choose).fill();
}

} // namespace cutaway::views
