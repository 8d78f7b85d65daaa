// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/operand_text.h"

#include "core/base/text.h"
#include "core/ir/context.h"
#include "core/ir/model.h"
#include "views/parts/text.h"

#include <QLocale>
#include <QStringList>
#include <span>

namespace cutaway::views {
namespace {

QString number(double x)
{
    QString text = QString::number(x, 'g', QLocale::FloatingPointShortest);
    return text.contains('.') || text.contains('e') || text.contains('n') ? text : text + ".0";
}

struct Printer {
    const ir::Model &model;
    const ir::Function &function;
    std::size_t maxItems;

    QString text(ir::NameId name) const { return shown(model.context->text(name)); }
    QString items(std::span<const ir::Operand> operands) const
    {
        QStringList texts;
        for (const ir::Operand &item : operands) {
            if (std::size_t(texts.size()) == maxItems) {
                texts << QStringLiteral("… %1 more").arg(operands.size() - maxItems);
                break;
            }
            texts << std::visit(*this, item.v);
        }
        return texts.join(", ");
    }

    QString operator()(ir::None) const { return "None"; }
    QString operator()(ir::ValueId v) const { return text(function.graph.at(v).name); }
    QString operator()(std::int64_t n) const { return QString::number(n); }
    QString operator()(double x) const { return number(x); }
    QString operator()(bool b) const { return b ? "True" : "False"; }
    QString operator()(std::complex<double> c) const { return number(c.real()) + " + " + number(c.imag()) + "j"; }
    QString operator()(ir::String s) const { return shown(cutaway::quote(model.context->text(s.text))); }
    QString operator()(ir::DType d) const { return shown(name(d)); }
    QString operator()(ir::Layout l) const { return shown(name(l)); }
    QString operator()(ir::MemoryFormat m) const { return shown(name(m)); }
    QString operator()(const ir::Device &d) const
    {
        return text(d.kind) + (d.index ? QStringLiteral(":%1").arg(*d.index) : QString());
    }
    QString operator()(const symbolic::Expr &e) const { return shown(print(e)); }
    QString operator()(ir::TensorId t) const { return text(model.at(t).name); }
    QString operator()(ir::TypeId t) const { return shown(model.context->print(t)); }
    QString operator()(ir::FunctionId f) const { return text(model.at(f).name); }
    QString operator()(ir::OpId op) const { return shown(model.context->print(op)); }
    QString operator()(ir::ObjectId o) const { return text(model.at(o).name); }
    QString operator()(const ir::List &list) const
    {
        return list.kind == ir::List::Kind::List ? '[' + items(list.items) + ']' : '(' + items(list.items) + ')';
    }
    QString operator()(const ir::Dict &dict) const { return '{' + items(dict.items) + '}'; }
};

} // namespace

QString operandText(const ir::Model &model, const ir::Function &function, const ir::Operand &operand,
                    std::size_t maxItems)
{
    return std::visit(Printer{model, function, maxItems}, operand.v);
}

} // namespace cutaway::views
