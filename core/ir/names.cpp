// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/names.h"

#include <array>

namespace cutaway::ir {

namespace {

std::string nameOr(std::string_view name, std::uint32_t index)
{
    return name.empty() ? "%" + std::to_string(index) : std::string(name);
}

template <class Kind, std::size_t count>
std::string_view entry(const std::array<std::string_view, count> &names, Kind kind)
{
    return names[static_cast<std::size_t>(kind)];
}

struct KindName {
    std::string_view operator()(const ir::UnknownType &) const { return "unknown"; }
    std::string_view operator()(const ir::TensorType &) const { return "tensor"; }
    std::string_view operator()(const ir::NumberType &t) const
    {
        return entry(std::array<std::string_view, 5>{"int", "float", "bool", "complex", "number"}, t.kind);
    }
    std::string_view operator()(const ir::PlainType &t) const
    {
        return entry(std::array<std::string_view, 10>{"any", "none", "string", "device", "layout", "dtype", "generator",
                                                      "stream", "capsule", "token"},
                     t.kind);
    }
    std::string_view operator()(const ir::ClassType &t) const
    {
        return entry(std::array<std::string_view, 5>{"object", "module", "interface", "enum", "opaque"}, t.kind);
    }
    std::string_view operator()(const ir::CompoundType &t) const
    {
        return entry(
            std::array<std::string_view, 8>{"list", "optional", "dict", "tuple", "union", "future", "await", "rref"},
            t.kind);
    }
};

} // namespace

std::string nameOf(const ir::ValueRef &value) { return nameOr(value.name(), value.id().index); }

std::string nameOf(const ir::NodeRef &node) { return nameOr(node.name(), node.id().index); }

std::optional<std::string> sourceOf(const ir::NodeRef &node)
{
    const ir::Location &at = node.location();
    const std::string_view file = node.graph().context().text(at.file);
    if (file.empty())
        return std::nullopt;
    return at.line == 0 ? std::string(file) : std::string(file) + ":" + std::to_string(at.line);
}

std::string_view name(ir::FunctionInput::Kind kind)
{
    return entry(std::array<std::string_view, 8>{"user_input", "parameter", "buffer", "constant", "custom_object",
                                                 "token", "constant_input", "overridable"},
                 kind);
}

std::string_view name(ir::FunctionOutput::Kind kind)
{
    return entry(std::array<std::string_view, 8>{"user_output", "loss_output", "buffer_mutation", "parameter_mutation",
                                                 "user_input_mutation", "gradient_to_parameter",
                                                 "gradient_to_user_input", "token"},
                 kind);
}

std::string_view name(ir::Severity severity)
{
    return entry(std::array<std::string_view, 3>{"info", "warning", "error"}, severity);
}

std::string_view name(ir::Tensor::Kind kind)
{
    return entry(std::array<std::string_view, 4>{"parameter", "buffer", "constant", "packed"}, kind);
}

std::string_view kindOf(const ir::Type &type) { return std::visit(KindName{}, type); }

} // namespace cutaway::ir
