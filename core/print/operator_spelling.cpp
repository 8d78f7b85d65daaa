// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/operator_spelling.h"

#include "core/ir/context.h"
#include "core/ops/schemas/schema_table.h"
#include "core/print/python_operands.h"

#include <algorithm>
#include <array>

namespace cutaway::print {

namespace {

struct FormRow {
    std::string_view op;
    StatementForm form;
};

constexpr std::array forms{
    FormRow{"prim::If", StatementForm::If},
    FormRow{"onnx::If", StatementForm::If},
    FormRow{"prim::Loop", StatementForm::Loop},
    FormRow{"prim::fork", StatementForm::Closure},
    FormRow{"prim::awaitable", StatementForm::Closure},
    FormRow{"aten::_set_item", StatementForm::Effect},
    FormRow{"aten::Delete", StatementForm::Effect},
    FormRow{"aten::append", StatementForm::Effect},
    FormRow{"aten::extend", StatementForm::Effect},
    FormRow{"aten::insert", StatementForm::Effect},
    FormRow{"aten::clear", StatementForm::Effect},
    FormRow{"prim::Enter", StatementForm::Enter},
    FormRow{"prim::Exit", StatementForm::Exit},
    FormRow{"prim::RaiseException", StatementForm::Raise},
    FormRow{"prim::GetAttr", StatementForm::GetAttribute},
    FormRow{"prim::SetAttr", StatementForm::SetAttribute},
    FormRow{"prim::CallMethod", StatementForm::CallMethod},
    FormRow{"prim::CallFunction", StatementForm::CallFunction},
};

struct PatternRow {
    std::string_view op;
    std::string_view pattern;
};

constexpr std::array patterns{
    PatternRow{"prim::Constant", "$0"},
    PatternRow{"prim::ListConstruct", "[$*]"},
    PatternRow{"prim::TupleConstruct", "($*)"},
    PatternRow{"prim::DictConstruct", "{$*}"},
    PatternRow{"prim::ListUnpack", "$0"},
    PatternRow{"prim::TupleUnpack", "$0"},
    PatternRow{"prim::TupleIndex", "$0[$1]"},
    PatternRow{"aten::__getitem__", "$0[$1]"},
    PatternRow{"aten::_set_item", "$0[$1] = $2"},
    PatternRow{"aten::Delete", "del $0[$1]"},
    PatternRow{"aten::__is__", "$0 is $1"},
    PatternRow{"aten::__isnot__", "$0 is not $1"},
    PatternRow{"aten::__not__", "not $0"},
    PatternRow{"aten::__contains__", "$1 in $0"},
    PatternRow{"aten::len", "len($0)"},
    PatternRow{"aten::append", "$0.append($1)"},
    PatternRow{"aten::extend", "$0.extend($1)"},
    PatternRow{"aten::insert", "$0.insert($1, $2)"},
    PatternRow{"aten::clear", "$0.clear()"},
    PatternRow{"aten::keys", "$0.keys()"},
    PatternRow{"aten::values", "$0.values()"},
    PatternRow{"aten::items", "$0.items()"},
    PatternRow{"aten::get", "$0.get($1)"},
    PatternRow{"aten::Int", "int($0)"},
    PatternRow{"aten::IntImplicit", "int($0)"},
    PatternRow{"aten::Float", "float($0)"},
    PatternRow{"aten::FloatImplicit", "float($0)"},
    PatternRow{"aten::Bool", "bool($0)"},
    PatternRow{"aten::str", "str($0)"},
    PatternRow{"prim::Print", "print($*)"},
    PatternRow{"prim::tolist", "$0.tolist()"},
    PatternRow{"prim::device", "$0.device"},
    PatternRow{"prim::dtype", "$0.dtype"},
    PatternRow{"prim::layout", "$0.layout"},
    PatternRow{"prim::is_cuda", "$0.is_cuda"},
    PatternRow{"prim::requires_grad", "$0.requires_grad"},
    PatternRow{"prim::EnumName", "$0.name"},
    PatternRow{"prim::EnumValue", "$0.value$-"},
    PatternRow{"prim::isinstance", "isinstance($0, $1)"},
    PatternRow{"prim::unchecked_cast", "unchecked_cast($T, $0)"},
    PatternRow{"prim::Uninitialized", "uninitialized($T)"},
    PatternRow{"prim::CreateObject", "$T.__new__($T)"},
    PatternRow{"_operator::getitem", "$0[$1]"},
    PatternRow{"_operator::add", "$0 + $1"},
    PatternRow{"_operator::sub", "$0 - $1"},
    PatternRow{"_operator::mul", "$0 * $1"},
    PatternRow{"_operator::truediv", "$0 / $1"},
    PatternRow{"_operator::floordiv", "$0 // $1"},
    PatternRow{"_operator::mod", "$0 % $1"},
    PatternRow{"_operator::neg", "-$0"},
    PatternRow{"_operator::eq", "$0 == $1"},
    PatternRow{"_operator::ne", "$0 != $1"},
    PatternRow{"_operator::lt", "$0 < $1"},
    PatternRow{"_operator::le", "$0 <= $1"},
    PatternRow{"_operator::gt", "$0 > $1"},
    PatternRow{"_operator::ge", "$0 >= $1"},
    PatternRow{"_operator::and_", "$0 & $1"},
    PatternRow{"_operator::or_", "$0 | $1"},
};

/// How many arguments of torch's higher-order operators stand before the functions that they call.
struct ClosureRow {
    std::string_view op;
    std::size_t position;
};

constexpr std::array closures{
    ClosureRow{"higher_order::cond", 1},
    ClosureRow{"higher_order::wrap_with_set_grad_enabled", 1},
    ClosureRow{"higher_order::wrap_with_autocast", 4},
    ClosureRow{"higher_order::flex_attention", 3},
};

template <class Rows>
auto find(const Rows &rows, std::string_view op)
{
    const auto row = std::ranges::find(rows, op, [](const auto &r) { return r.op; });
    return row == rows.end() ? nullptr : &*row;
}

} // namespace

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
    const std::string name = std::string(dialect) + "::" + std::string(context.text(op.name));
    OperatorSpelling spelling;
    if (const FormRow *row = find(forms, name))
        spelling.form = row->form;
    if (const PatternRow *row = find(patterns, name))
        spelling.pattern = row->pattern;
    if (const ClosureRow *row = find(closures, name))
        spelling.closuresAt = row->position;
    spelling.unpacks = name == "prim::ListUnpack" || name == "prim::TupleUnpack";
    spelling.callee =
        spelling.form == StatementForm::Closure ? std::string(context.text(op.name)) : callee(m_model, id);
    spelling.schema = ops::findSchema(dialect, context.text(op.name), overload == "default" ? "" : overload);
    return spelling;
}

} // namespace cutaway::print
