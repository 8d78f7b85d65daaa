// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/lowering/old_operators.h"

#include "core/ir/context.h"

#include <algorithm>
#include <cassert>
#include <limits>

// The versions are those of torch's own table of replaced operators. Before version 10, gelu had no parameter
// `approximate`; its default computes what gelu computed then.

namespace cutaway::formats::torchscript {

namespace {

/// The first file versions in which operators have their present meanings.
constexpr int divOfToday = 4, fullOfToday = 5, linspaceOfToday = 8, logspaceOfToday = 9;

constexpr std::int64_t stepsByDefault = 100;

/// Before version 4, integers were divided as in C.
constexpr std::string_view divisions = R"(def div_Tensor(self: Tensor,
    other: Tensor) -> Tensor:
  is_floating = torch.__or__(torch.is_floating_point(self), torch.is_floating_point(other))
  if is_floating:
    quotient = torch.true_divide(self, other)
  else:
    quotient = torch.divide(self, other, rounding_mode="trunc")
  return quotient
def div_Scalar(self: Tensor,
    other: int) -> Tensor:
  if torch.is_floating_point(self):
    quotient = torch.true_divide(self, other)
  else:
    quotient = torch.divide(self, other, rounding_mode="trunc")
  return quotient
def div__Tensor(self: Tensor,
    other: Tensor) -> Tensor:
  is_floating = torch.__or__(torch.is_floating_point(self), torch.is_floating_point(other))
  if is_floating:
    quotient = torch.true_divide_(self, other)
  else:
    quotient = torch.divide_(self, other, rounding_mode="trunc")
  return quotient
def div__Scalar(self: Tensor,
    other: int) -> Tensor:
  if torch.is_floating_point(self):
    quotient = torch.true_divide_(self, other)
  else:
    quotient = torch.divide_(self, other, rounding_mode="trunc")
  return quotient
def div_out(self: Tensor,
    other: Tensor,
    out: Tensor) -> Tensor:
  are_floating = torch.__or__(torch.is_floating_point(self), torch.is_floating_point(other))
  is_floating = torch.__or__(are_floating, torch.is_floating_point(out))
  if is_floating:
    quotient = torch.true_divide(self, other, out=out)
  else:
    quotient = torch.divide(self, other, rounding_mode="trunc", out=out)
  return quotient
)";

bool isNamed(const OperatorCall &call, std::string_view parameter)
{
    return std::ranges::contains(call.named, parameter, &OperatorCall::Named::name);
}

} // namespace

OldOperators::OldOperators(ir::Context &context, std::optional<int> version)
    : m_context(context),
      m_version(version.value_or(std::numeric_limits<int>::max()))
{
    if (m_version >= divOfToday)
        return;
    auto file = parse(divisions);
    assert(file);
    m_unit = std::make_unique<Unit>("", archive::Content(std::as_bytes(std::span(divisions))), std::move(*file),
                                    std::nullopt);
    const Tree &tree = m_unit->file.tree;
    for (const auto &definition : tree.definitions) {
        const Function &function = tree.at(std::get<FunctionId>(definition));
        m_functions.push_back({std::string(function.name), m_unit.get(), &function, nullptr});
    }
}

void OldOperators::adapt(OperatorCall &call, GraphBuilder &builder, const NodeOrigin &origin, Types &types) const
{
    if (call.dialect != "aten")
        return;
    const bool isRange = (call.name == "linspace" && m_version < linspaceOfToday)
        || (call.name == "logspace" && m_version < logspaceOfToday);
    if (isRange && call.positional.size() > 2 && call.positional[2].operand.as<ir::None>())
        call.positional[2] = {stepsByDefault, types.ofClass("int")};
    if (call.name == "full" && m_version < fullOfToday)
        makeFullFloat(call, builder, origin, types);
}

/// Makes the number in a call of torch.full a float, unless a dtype is given: before version 5, the result was of
/// floats.
void OldOperators::makeFullFloat(OperatorCall &call, GraphBuilder &builder, const NodeOrigin &origin,
                                 Types &types) const
{
    const auto dtype = std::ranges::find(call.named, "dtype", &OperatorCall::Named::name);
    const bool hasDType = dtype != call.named.end() && !dtype->value.operand.as<ir::None>();
    if (call.positional.size() < 2 || hasDType || isNamed(call, "out"))
        return;
    Typed &number = call.positional[1];
    const ir::TypeId real = types.ofClass("float");
    if (const auto *whole = number.operand.as<std::int64_t>())
        number = {static_cast<double>(*whole), real, real, number.constant};
    else if (const auto *flag = number.operand.as<bool>())
        number = {static_cast<double>(*flag), real, real, number.constant};
    else if (number.type != real && number.operand.as<ir::ValueId>())
        number = builder.addResult(
            builder.append(origin, m_context.op("aten", "Float", "Scalar"), {builder.argument("a", number.operand)}),
            real, "");
}

const FunctionDefinition *OldOperators::functionFor(const OperatorCall &call) const
{
    if (!m_unit || call.dialect != "aten" || call.positional.size() != 2 || !isTensor(call.positional[0]))
        return nullptr;
    const bool isInPlace = call.name == "div_";
    if ((!isInPlace && call.name != "div") || isNamed(call, "rounding_mode"))
        return nullptr;
    if (isNamed(call, "out"))
        return isInPlace ? nullptr : named("div_out");
    if (isTensor(call.positional[1]))
        return named(isInPlace ? "div__Tensor" : "div_Tensor");
    const auto *number = std::get_if<ir::NumberType>(&m_context.at(call.positional[1].type));
    const bool isWhole = number && number->kind == ir::NumberType::Kind::Int;
    return isWhole ? named(isInPlace ? "div__Scalar" : "div_Scalar") : nullptr;
}

const FunctionDefinition *OldOperators::named(std::string_view name) const
{
    const auto found = std::ranges::find(m_functions, name, &FunctionDefinition::name);
    assert(found != m_functions.end());
    return &*found;
}

} // namespace cutaway::formats::torchscript
