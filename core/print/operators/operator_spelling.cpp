// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/operators/operator_spelling.h"

#include "core/ir/context.h"
#include "core/ops/row_names.h"
#include "core/ops/schemas/schema_table.h"
#include "core/print/python_operands.h"
#include "core/rules/rule_table.h"

namespace cutaway::print {

namespace {

struct SpellingRow {
    ops::RowNames names;
    std::string_view pattern = {};
    StatementForm form = StatementForm::Call;
    bool unpacks = false;
};

constexpr SpellingRow spellingRows[] = {
    {"prim::If onnx::If", {}, StatementForm::If},
    {"prim::Loop", {}, StatementForm::Loop},
    {"prim::fork prim::awaitable", {}, StatementForm::Closure},
    {"prim::Enter", {}, StatementForm::Enter},
    {"prim::Exit", {}, StatementForm::Exit},
    {"prim::RaiseException", {}, StatementForm::Raise},
    {"prim::GetAttr", {}, StatementForm::GetAttribute},
    {"prim::SetAttr", {}, StatementForm::SetAttribute},
    {"prim::CallMethod", {}, StatementForm::CallMethod},
    {"prim::CallFunction", {}, StatementForm::CallFunction},
    {"prim::Constant", "$0"},
    {"prim::ListConstruct", "[$*]"},
    {"prim::TupleConstruct", "($*)"},
    {"prim::DictConstruct", "{$*}"},
    {"prim::ListUnpack prim::TupleUnpack", "$0", StatementForm::Call, true},
    {"prim::TupleIndex aten::__getitem__ _operator::getitem", "$0[$1]"},
    {"aten::_set_item", "$0[$1] = $2", StatementForm::Effect},
    {"aten::Delete", "del $0[$1]", StatementForm::Effect},
    {"aten::append", "$0.append($1)", StatementForm::Effect},
    {"aten::extend", "$0.extend($1)", StatementForm::Effect},
    {"aten::insert", "$0.insert($1, $2)", StatementForm::Effect},
    {"aten::clear", "$0.clear()", StatementForm::Effect},
    {"aten::__is__", "$0 is $1"},
    {"aten::__isnot__", "$0 is not $1"},
    {"aten::__not__", "not $0"},
    {"aten::__contains__", "$1 in $0"},
    {"aten::len", "len($0)"},
    {"aten::keys", "$0.keys()"},
    {"aten::values", "$0.values()"},
    {"aten::items", "$0.items()"},
    {"aten::get", "$0.get($1)"},
    {"aten::Int aten::IntImplicit", "int($0)"},
    {"aten::Float aten::FloatImplicit", "float($0)"},
    {"aten::Bool", "bool($0)"},
    {"aten::str", "str($0)"},
    {"prim::Print", "print($*)"},
    {"prim::tolist", "$0.tolist()"},
    {"prim::device", "$0.device"},
    {"prim::dtype", "$0.dtype"},
    {"prim::layout", "$0.layout"},
    {"prim::is_cuda", "$0.is_cuda"},
    {"prim::requires_grad", "$0.requires_grad"},
    {"prim::EnumName", "$0.name"},
    {"prim::EnumValue", "$0.value$-"},
    {"prim::isinstance", "isinstance($0, $1)"},
    {"prim::unchecked_cast", "unchecked_cast($T, $0)"},
    {"prim::Uninitialized", "uninitialized($T)"},
    {"prim::CreateObject", "$T.__new__($T)"},
    {"_operator::add", "$0 + $1"},
    {"_operator::sub", "$0 - $1"},
    {"_operator::mul", "$0 * $1"},
    {"_operator::truediv", "$0 / $1"},
    {"_operator::floordiv", "$0 // $1"},
    {"_operator::mod", "$0 % $1"},
    {"_operator::neg", "-$0"},
    {"_operator::eq", "$0 == $1"},
    {"_operator::ne", "$0 != $1"},
    {"_operator::lt", "$0 < $1"},
    {"_operator::le", "$0 <= $1"},
    {"_operator::gt", "$0 > $1"},
    {"_operator::ge", "$0 >= $1"},
    {"_operator::and_", "$0 & $1"},
    {"_operator::or_", "$0 | $1"},
};

/// A higher-order operator of torch, and the number of arguments before its functions.
struct ClosureRow {
    ops::RowNames names;
    std::size_t position;
};

constexpr ClosureRow closureRows[] = {
    {"higher_order::cond higher_order::wrap_with_set_grad_enabled", 1},
    {"higher_order::wrap_with_autocast", 4},
    {"higher_order::flex_attention", 3},
};

const SpellingRow *spellingRow(std::string_view dialect, std::string_view name)
{
    static const rules::RuleTable<SpellingRow> table{spellingRows};
    return table.first(dialect, name);
}

} // namespace

std::string_view patternOf(std::string_view dialect, std::string_view name)
{
    const SpellingRow *row = spellingRow(dialect, name);
    return row ? row->pattern : std::string_view();
}

const OperatorSpelling &OperatorSpellings::of(ir::OpId op)
{
    const auto known = m_spellings.find(op);
    return known != m_spellings.end() ? known->second : m_spellings.emplace(op, make(op)).first->second;
}

OperatorSpelling OperatorSpellings::make(ir::OpId id) const
{
    const ir::Context &context = *m_model.context;
    const ir::Operator &op = context.at(id);
    const std::string_view dialect = context.text(op.dialect);
    const std::string_view overload = context.text(op.overload);
    OperatorSpelling spelling;
    if (const SpellingRow *row = spellingRow(dialect, context.text(op.name))) {
        spelling.form = row->form;
        spelling.pattern = row->pattern;
        spelling.unpacks = row->unpacks;
    }
    static const rules::RuleTable<ClosureRow> closures{closureRows};
    if (const ClosureRow *row = closures.first(dialect, context.text(op.name)))
        spelling.closuresAt = row->position;
    spelling.callee =
        spelling.form == StatementForm::Closure ? std::string(context.text(op.name)) : callee(m_model, id);
    spelling.schema = ops::findSchema(dialect, context.text(op.name), overload == "default" ? "" : overload);
    return spelling;
}

} // namespace cutaway::print
