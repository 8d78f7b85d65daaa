// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The syntax of types, as text.h's grammar reads them back:
//   ?                                   nothing known
//   float32[1, s0, ?]  tensor[2]  float32[*]      dtype or "tensor", dims or * for unknown rank,
//       then in this order, where known: strides[3, 1] on "cuda:0" layout(sparse_coo) grad
//   int  float(2*s0)                    a number, its value as an expression
//   any none str device layout dtype …  plain types
//   object "a.B"  module "a.B"  interface …  enum …  opaque …
//   list<T> optional<T> dict<K, V> union<A, B> tuple<A, B> future<T> await<T> rref<T>
//   tuple "a.NT" <x: T, y: T>           a named tuple

#include "core/base/text.h"
#include "core/ir/context.h"
#include "core/ir/text/type_names.h"

namespace cutaway::ir {

namespace {

/// Prints a shape that can be parsed again: a symbol that is no identifier is backquoted, unlike in print(Shape).
std::string shapeText(const Shape &shape)
{
    std::string out = "[";
    for (const Dim &dim : shape) {
        const auto *expr = std::get_if<symbolic::Expr>(&dim);
        (out += out.size() > 1 ? ", " : "") += expr ? symbolic::printParsable(*expr) : print(dim);
    }
    return out += "]";
}

class TypePrinter {
public:
    explicit TypePrinter(const Context &context, bool brief = false) : m_context(context), m_brief(brief) { }

    std::string operator()(const UnknownType &) const { return "?"; }

    std::string operator()(const TensorType &t) const
    {
        std::string out(t.dtype ? name(*t.dtype) : "tensor");
        out += t.shape ? shapeText(*t.shape) : "[*]";
        if (m_brief)
            return t.layout == Layout::Strided ? out : out + " layout(" + std::string(name(t.layout)) + ")";
        if (t.strides)
            out += " strides" + shapeText(*t.strides);
        if (t.device)
            out += " on " + quote(deviceText(*t.device));
        if (t.layout != Layout::Strided)
            out += " layout(" + std::string(name(t.layout)) + ")";
        return t.requiresGrad ? out + " grad" : out;
    }

    std::string operator()(const NumberType &t) const
    {
        const std::string out(nameOf(numberNames, t.kind));
        return t.value ? out + "(" + symbolic::printParsable(*t.value) + ")" : out;
    }

    std::string operator()(const PlainType &t) const { return std::string(nameOf(plainNames, t.kind)); }

    std::string operator()(const ClassType &t) const
    {
        return std::string(nameOf(classNames, t.kind)) + " " + quote(m_context.text(t.name));
    }

    std::string operator()(const CompoundType &t) const
    {
        std::string out(nameOf(compoundNames, t.kind));
        if (t.name != NameId{})
            out += " " + quote(m_context.text(t.name)) + " ";
        out += '<';
        for (std::size_t i = 0; i < t.elements.size(); ++i) {
            out += i == 0 ? "" : ", ";
            if (i < t.fieldNames.size())
                out += quote(m_context.text(t.fieldNames[i])) + ": ";
            out += m_brief ? m_context.printBriefly(t.elements[i]) : m_context.print(t.elements[i]);
        }
        return out += '>';
    }

private:
    std::string deviceText(const Device &device) const
    {
        const std::string kind(m_context.text(device.kind));
        return device.index ? kind + ":" + std::to_string(*device.index) : kind;
    }

    const Context &m_context;
    const bool m_brief;
};

} // namespace

std::string Context::print(TypeId id) const { return std::visit(TypePrinter(*this), at(id)); }

std::string Context::printBriefly(TypeId id) const { return std::visit(TypePrinter(*this, true), at(id)); }

} // namespace cutaway::ir
