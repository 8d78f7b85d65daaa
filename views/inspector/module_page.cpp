// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/module_sums.h"
#include "views/inspector/pages.h"

#include "core/base/text.h"
#include "core/ir/context.h"
#include "core/layout/found/found_parts.h"
#include "core/query/query.h"
#include "views/inspector/links.h"
#include "views/inspector/operand_text.h"
#include "views/parts/property_sheet.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/document.h"
#include "views/session/drawing.h"
#include "views/session/navigation.h"
#include "views/session/searching.h"
#include "views/session/session.h"

#include <algorithm>

namespace cutaway::views {
namespace {

constexpr std::size_t maxChildren = 64;

const ir::Module *moduleOf(const ir::Model &model, ir::NameId path)
{
    const auto it = std::ranges::find(model.modules, path, &ir::Module::path);
    return it == model.modules.end() ? nullptr : &*it;
}

void fillTensors(PropertySheet &sheet, const ir::Model &model, const ir::Module &module)
{
    if (!module.tensors.empty())
        sheet.section(QObject::tr("Own tensors"));
    for (ir::TensorId id : module.tensors) {
        const ir::Tensor &tensor = model.at(id);
        const QString name = shown(model.context->text(tensor.name));
        QStringList sizes;
        for (std::int64_t n : tensor.shape)
            sizes << QString::number(n);
        sheet.row(name.section('.', -1), shown(ir::name(tensor.dtype)) + " [" + sizes.join(", ") + ']',
                  PropertySheet::Look::Monospace, name);
    }
}

void fillAttributes(PropertySheet &sheet, const Session &session, const ir::Module &module)
{
    if (!module.attributes.empty())
        sheet.section(QObject::tr("Attributes"));
    for (const ir::ModuleAttribute &attribute : module.attributes)
        sheet.row(shown(session.document().model().context->text(attribute.name)),
                  operandText(session.document().model(), session.navigation().selectedFunction(), attribute.value),
                  PropertySheet::Look::Monospace);
}

void fillCosts(PropertySheet &sheet, const Session &session, const layout::Subject &box)
{
    const Figures *figures = session.analysing().figures().get();
    if (!figures)
        return;
    for (const Measure measure : allMeasures) {
        if (measure == Measure::Measured && !figures->times().timing())
            continue;
        const Quantity quantity = figures->of(box, measure);
        sheet.row(title(measure).toLower().replace("flops", "FLOPs"), quantity.text(), PropertySheet::Look::Number,
                  figures->exactText(quantity) + '\n' + explanation(measure));
    }
}

void fillSums(PropertySheet &sheet, const analysis::ModuleSums::Sum &sum)
{
    sheet.section(QObject::tr("Contents"));
    using Look = PropertySheet::Look;
    sheet.row(QObject::tr("nodes"), shown(grouped(sum.nodes)), Look::Number);
    sheet.row(QObject::tr("parameters"), shown(siCount(double(sum.parameters))), Look::Number,
              counted(sum.parameters, "parameter", "parameters"));
    sheet.row(QObject::tr("parameter size"), shown(byteCount(double(sum.bytes))), Look::Number,
              counted(sum.bytes, "byte", "bytes"));
}

void fillChildren(PropertySheet &sheet, Session &session, const analysis::ModuleSums::Sum &sum)
{
    if (!sum.children.empty())
        sheet.section(QObject::tr("Submodules"));
    for (std::size_t i = 0; i < sum.children.size(); ++i) {
        if (i == maxChildren)
            return sheet.row({}, QObject::tr("… %1 more").arg(sum.children.size() - maxChildren));
        const ir::Scope &child = session.document().model().context->at(sum.children[i]);
        const layout::ScopeSubject subject{sum.children[i], session.document().moduleSums().at(sum.children[i]).region};
        const QString className = shortClass(session.document().model().context->text(child.className));
        const std::int64_t nodes = session.document().moduleSums().at(sum.children[i]).nodes;
        sheet.link(shown(session.document().model().context->text(child.name)),
                   className.isEmpty() ? counted(nodes, "node", "nodes") : className,
                   [&session, subject] { session.navigation().reveal(subject); });
    }
}

/// Returns the texts of a subject's box in the diagram.
QStringList drawnLines(const Session &session, const layout::Subject &subject)
{
    QStringList lines;
    if (!session.drawing().diagram())
        return lines;
    const auto &boxes = session.drawing().diagram()->boxes;
    const auto it = std::ranges::find(boxes, subject, &layout::Box::subject);
    if (it != boxes.end())
        for (const layout::Line &line : it->lines)
            lines << shown(line.text);
    return lines;
}

} // namespace

void fillModule(PropertySheet &sheet, Session &session, const layout::ScopeSubject &subject)
{
    const ir::Context &context = *session.document().model().context;
    const ir::Scope &scope = context.at(subject.scope);
    const analysis::ModuleSums::Sum &sum = session.document().moduleSums().at(subject.scope);
    sheet.title(shown(context.text(scope.name)), shown(context.text(scope.className)));
    fillNote(sheet, session);
    sheet.section(QObject::tr("Module"));
    sheet.row(QObject::tr("path"), shown(context.text(scope.path)));
    if (scope.call > 0)
        sheet.row(QObject::tr("call"), QObject::tr("#%1 of this module").arg(scope.call + 1));
    moduleRow(sheet, session, scope.parent, subject.region);
    fillSums(sheet, sum);
    fillCosts(sheet, session, subject);
    if (const ir::Module *module = moduleOf(session.document().model(), scope.path)) {
        fillTensors(sheet, session.document().model(), *module);
        fillAttributes(sheet, session, *module);
    }
    fillChildren(sheet, session, sum);
}

void fillGroup(PropertySheet &sheet, Session &session, const layout::GroupSubject &group)
{
    QStringList lines = drawnLines(session, group);
    sheet.title(lines.isEmpty() ? QObject::tr("group") : lines.takeFirst(),
                QObject::tr("group of %1").arg(counted(group.last - group.first + 1, "sibling", "siblings")));
    sheet.section(QObject::tr("Group"));
    moduleRow(sheet, session, group.scope, group.region);
    for (const QString &line : lines)
        sheet.paragraph(line);
    fillCosts(sheet, session, group);
    sheet.muted(QObject::tr("Double-click to expand."));
}

void fillFound(PropertySheet &sheet, Session &session, const layout::FoundSubject &part)
{
    QStringList lines = drawnLines(session, part);
    sheet.title(lines.isEmpty() ? QObject::tr("part") : lines.takeFirst(), QObject::tr("found in the graph"));
    sheet.section(QObject::tr("Group"));
    if (const auto outline = session.drawing().drawnOutline())
        if (const std::string name = layout::nameOf(*outline, part); !name.empty()) {
            const QString query = "in:" + shown(query::quotedName(name));
            sheet.row(QObject::tr("Name"), shown(name));
            sheet.link(
                QObject::tr("Query"), query, [&session, query] { session.searching().find(query); },
                QObject::tr("Find its nodes"));
        }
    moduleRow(sheet, session, part.scope, part.region);
    for (const QString &line : lines)
        sheet.paragraph(line);
    sheet.paragraph(
        QObject::tr("The file does not group these nodes. They form a part because few values go in and out, "
                    "because the part repeats, or because it computes at one resolution."));
    fillCosts(sheet, session, part);
    sheet.muted(QObject::tr("Open the box to see each node."));
}

void fillPlumbing(PropertySheet &sheet, Session &session, const layout::PlumbingSubject &plumbing)
{
    sheet.title(drawnLines(session, plumbing).value(0, QObject::tr("shape and mask ops")));
    sheet.section(QObject::tr("Group"));
    moduleRow(sheet, session, plumbing.scope, plumbing.region);
    sheet.paragraph(QObject::tr("Checks, sizes and arithmetic on them, constants, and masks made of these: none of it "
                                "computes with the model's data."));
    fillCosts(sheet, session, plumbing);
    sheet.muted(QObject::tr("Double-click to expand."));
}

void fillNothing(PropertySheet &sheet)
{
    sheet.muted(QObject::tr("Nothing selected. Select a node, module or edge in the graph, or a row in a table."));
}

} // namespace cutaway::views
