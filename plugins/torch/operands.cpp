// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/operands.h"

#include "plugins/torch/conversions.h"
#include "plugins/torch/types.h"

#include <ATen/core/Tensor.h>

namespace cutaway::plugins {

ir::Operand operandOf(const c10::IValue &value, ir::Context &context,
                      const std::function<ir::Operand(const at::Tensor &)> &tensorOperand)
{
    const auto all = [&](const auto &values) {
        std::vector<ir::Operand> items;
        for (const auto &item : values)
            items.push_back(operandOf(item, context, tensorOperand));
        return items;
    };
    if (value.isNone())
        return ir::None{};
    if (value.isTensor())
        return tensorOperand(value.toTensor());
    if (value.isInt())
        return value.toInt();
    if (value.isDouble())
        return value.toDouble();
    if (value.isBool())
        return value.toBool();
    if (value.isComplexDouble())
        return std::complex<double>(value.toComplexDouble());
    if (value.isString())
        return ir::String{context.name(value.toStringRef())};
    if (value.isDevice()) {
        const c10::Device device = value.toDevice();
        return ir::Device{context.name(c10::DeviceTypeName(device.type(), true)),
                          device.has_index() ? std::optional<int>(device.index()) : std::nullopt};
    }
    if (value.isList())
        return ir::List{all(value.toListRef())};
    if (value.isTuple())
        return ir::List{all(value.toTupleRef().elements().vec()), ir::List::Kind::Tuple};
    TORCH_CHECK(value.isGenericDict(), "a constant of the type ", value.type()->str(), " is not an operand");
    ir::Dict dict;
    for (const auto &entry : value.toGenericDict()) {
        dict.items.push_back(operandOf(entry.key(), context, tensorOperand));
        dict.items.push_back(operandOf(entry.value(), context, tensorOperand));
    }
    return dict;
}

ir::Operand plainOperandOf(const c10::IValue &value, ir::Context &context)
{
    return operandOf(value, context, [](const at::Tensor &) -> ir::Operand {
        TORCH_CHECK(false, "a tensor where a constant of the language was expected");
    });
}

ir::Operand withDType(ir::Operand operand, const c10::Argument &argument)
{
    const auto *number = operand.as<std::int64_t>();
    if (number && withoutOptional(argument.real_type())->kind() == c10::TypeKind::ScalarTypeType)
        if (const auto dtype = dtypeOf(static_cast<c10::ScalarType>(*number)))
            return *dtype;
    return operand;
}

} // namespace cutaway::plugins
