// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/python_operands.h"

#include "core/base/text.h"
#include "core/ir/context.h"
#include "core/ir/model_format.h"
#include "core/print/python_names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace cutaway::print {

namespace {

std::string literal(double x)
{
    if (std::isnan(x))
        return "float('nan')";
    if (std::isinf(x))
        return x < 0 ? "float('-inf')" : "float('inf')";
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr;
    const std::string digits(buffer.data(), end);
    return digits.find_first_not_of("-0123456789") == digits.npos ? digits + ".0" : digits;
}

std::string literal(const std::complex<double> &z)
{
    if (!std::isfinite(z.real()) || !std::isfinite(z.imag()))
        return "complex(" + literal(z.real()) + ", " + literal(z.imag()) + ")";
    return "(" + literal(z.real()) + (std::signbit(z.imag()) ? "" : "+") + literal(z.imag()) + "j)";
}

/// Whether a text such as "__torch__.a.Color.RED" names a member of an enum that is a type of the model.
bool namesEnumMember(const ir::Context &context, std::string_view text)
{
    const std::size_t dot = text.starts_with("__torch__.") ? text.rfind('.') : text.npos;
    for (std::uint32_t i = 0; dot != text.npos && i < context.typeCount(); ++i) {
        const auto *type = std::get_if<ir::ClassType>(&context.at(ir::TypeId{i}));
        if (type && type->kind == ir::ClassType::Kind::Enum && context.text(type->name) == text.substr(0, dot))
            return true;
    }
    return false;
}

} // namespace

struct PythonOperands::Printer {
    const PythonOperands &of;
    std::string &out;

    std::string text(ir::NameId id) const { return std::string(of.m_model.context->text(id)); }

    void operator()(const ir::None &) const { out += "None"; }
    void operator()(ir::ValueId id) const { out += of.m_value(id); }
    void operator()(std::int64_t n) const { out += std::to_string(n); }
    void operator()(double x) const { out += literal(x); }
    void operator()(bool b) const { out += b ? "True" : "False"; }
    void operator()(const std::complex<double> &z) const { out += literal(z); }
    void operator()(const ir::String &s) const
    {
        const std::string content = text(s.text);
        out += namesEnumMember(*of.m_model.context, content) ? dottedName(content) : quote(content);
    }
    void operator()(ir::DType dtype) const { (out += "torch.") += ir::name(dtype); }
    void operator()(ir::Layout layout) const { (out += "torch.") += ir::name(layout); }
    void operator()(ir::MemoryFormat format) const { (out += "torch.") += ir::name(format); }
    void operator()(const ir::Device &device) const
    {
        const std::string index = device.index ? std::to_string(*device.index) : "";
        if (of.m_devices == Devices::Repr)
            out += "device(type='" + sanitized(text(device.kind)) + (index.empty() ? "'" : "', index=" + index) + ")";
        else
            out += "torch.device(" + quote(text(device.kind) + (index.empty() ? "" : ":" + index)) + ")";
    }
    void operator()(const symbolic::Expr &expr) const { out += symbolic::print(expr); }
    void operator()(ir::TensorId id) const { out += of.m_tensor(id); }
    void operator()(ir::TypeId id) const { out += annotation(*of.m_model.context, id); }
    void operator()(ir::FunctionId id) const { out += dottedName(text(of.m_model.at(id).name)); }
    void operator()(ir::OpId id) const { out += fxTarget(of.m_model, id); }
    void operator()(ir::ObjectId id) const { out += "self." + dottedName(text(of.m_model.at(id).name)); }
    void operator()(const ir::List &list) const
    {
        const bool tuple = list.kind == ir::List::Kind::Tuple;
        out += tuple ? '(' : '[';
        appendItems(list.items, ", ");
        out += tuple ? (list.items.size() == 1 ? ",)" : ")") : "]";
    }
    void operator()(const ir::Dict &dict) const
    {
        out += '{';
        appendItems(dict.items, ": ");
        out += '}';
    }

    void appendItems(std::span<const ir::Operand> items, std::string_view betweenPairs) const
    {
        for (std::size_t i = 0; i < items.size(); ++i) {
            out += i == 0 ? "" : i % 2 == 1 ? betweenPairs : ", ";
            std::visit(*this, items[i].v);
        }
    }
};

PythonOperands::PythonOperands(const ir::Model &model, std::function<std::string(ir::ValueId)> value,
                               std::function<std::string(ir::TensorId)> tensor, Devices devices)
    : m_model(model),
      m_value(std::move(value)),
      m_tensor(std::move(tensor)),
      m_devices(devices)
{
}

std::string PythonOperands::print(const ir::Operand &operand) const
{
    std::string out;
    std::visit(Printer{*this, out}, operand.v);
    return out;
}

std::string PythonOperands::joined(std::span<const ir::Operand> operands) const
{
    std::string out;
    Printer{*this, out}.appendItems(operands, ", ");
    return out;
}

namespace {

struct Annotation {
    const ir::Context &context;

    std::string operator()(const ir::UnknownType &) const { return "Any"; }
    std::string operator()(const ir::TensorType &) const { return "Tensor"; }
    std::string operator()(const ir::NumberType &t) const
    {
        static constexpr std::array names{"int", "float", "bool", "complex", "number"};
        return names[static_cast<std::size_t>(t.kind)];
    }
    std::string operator()(const ir::PlainType &t) const
    {
        static constexpr std::array names{"Any",         "None",      "str",    "Device",  "torch.layout",
                                          "torch.dtype", "Generator", "Stream", "Capsule", "Any"};
        return names[static_cast<std::size_t>(t.kind)];
    }
    std::string operator()(const ir::ClassType &t) const { return dottedName(context.text(t.name)); }
    std::string operator()(const ir::CompoundType &t) const
    {
        if (t.name != ir::NameId{})
            return dottedName(context.text(t.name));
        static constexpr std::array names{"List", "Optional", "Dict", "Tuple", "Union", "Future", "Await", "RRef"};
        std::string out = names[static_cast<std::size_t>(t.kind)];
        out += '[';
        for (std::size_t i = 0; i < t.elements.size(); ++i)
            out += (i > 0 ? ", " : "") + annotation(context, t.elements[i]);
        return out + (t.elements.empty() ? "()]" : "]");
    }
};

/// Whether a dialect is a module of Python: torch registers operators under names without dots.
bool isPythonModule(std::string_view dialect)
{
    static constexpr std::array<std::string_view, 5> plain{"torch", "math", "builtins", "operator", "python"};
    return dialect.contains('.') || dialect.starts_with('_') || std::ranges::contains(plain, dialect);
}

} // namespace

std::string annotation(const ir::Context &context, ir::TypeId type)
{
    return std::visit(Annotation{context}, context.at(type));
}

std::string callee(const ir::Model &model, ir::OpId id)
{
    const ir::Operator &op = model.context->at(id);
    const std::string_view dialect = model.context->text(op.dialect);
    const std::string name = "." + identifierFrom(model.context->text(op.name));
    if (dialect == "aten")
        return "torch" + name;
    if (dialect == "_operator")
        return "operator" + name;
    const bool bare = ir::isOnnx(model) || dialect == "onnx" || isPythonModule(dialect);
    return (bare ? "" : "ops.") + dottedName(dialect) + name;
}

std::string fxTarget(const ir::Model &model, ir::OpId id)
{
    const ir::Operator &op = model.context->at(id);
    std::string_view dialect = model.context->text(op.dialect);
    if (dialect == "_operator")
        dialect = "operator"; // Python's own name of the module
    std::string target = dottedName(dialect) + "." + identifierFrom(model.context->text(op.name));
    if (ir::isOnnx(model) || dialect == "onnx" || isPythonModule(dialect))
        return target;
    if (op.overload != ir::NameId{})
        target += "." + identifierFrom(model.context->text(op.overload));
    else if (dialect == "aten")
        target += ".default"; // fx's name for the unnamed overload
    return "torch.ops." + target;
}

} // namespace cutaway::print
