// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/torch/values.h"

#include "core/base/formatted.h"
#include "core/base/overloaded.h"
#include "core/base/result.h"
#include "plugins/torch/types.h"

#include <ATen/Functions.h>
#include <ATen/ScalarOps.h>
#include <ATen/core/enum_type.h>
#include <ATen/core/ivalue.h>
#include <cstring>

namespace cutaway::plugins {

namespace {

using protocol::InputItems;
using protocol::ModelInput;

Result<at::Tensor> tensorOf(const protocol::Tensor &tensor, c10::Device device)
{
    const auto type = scalarType(tensor.dtype);
    if (!type)
        return usageError("torch has no dtype " + std::string(ir::name(tensor.dtype)));
    at::Tensor made = at::empty(tensor.shape, *type);
    if (made.nbytes() != tensor.bytes.size())
        return usageError("torch lays " + std::string(ir::name(tensor.dtype)) + " out in another way");
    if (!tensor.bytes.empty())
        std::memcpy(made.data_ptr(), tensor.bytes.data(), tensor.bytes.size());
    return made.to(device);
}

c10::TypePtr bare(const c10::TypePtr &type)
{
    const auto *optional = type ? type->castRaw<c10::OptionalType>() : nullptr;
    return optional ? optional->getElementType() : type;
}

/// Returns a member of an enum by its name, with or without that of the class: "__torch__.a.Color.RED".
Result<c10::IValue> memberNamed(const std::string &name, const c10::TypePtr &type)
{
    const auto members = type->cast<c10::EnumType>();
    for (const auto &[member, value] : members->enumNamesValues())
        if (member == name.substr(name.rfind('.') + 1))
            return c10::IValue(c10::make_intrusive<c10::ivalue::EnumHolder>(members, member, value));
    return usageError(formatted("'{}' is no member of {}", name, members->qualifiedClassName().qualifiedName()));
}

Result<c10::IValue> plainValue(const protocol::Json &json, const c10::TypePtr &type)
{
    if (json.is_boolean())
        return json.get<bool>();
    if (json.is_number_integer() && type && type->kind() == c10::TypeKind::FloatType)
        return json.get<double>();
    if (json.is_number_integer())
        return json.get<std::int64_t>();
    if (json.is_number())
        return json.get<double>();
    if (json.is_string() && type && type->kind() == c10::TypeKind::EnumType)
        return memberNamed(json.get<std::string>(), type);
    if (json.is_string() && type && type->kind() == c10::TypeKind::DeviceObjType)
        return c10::Device(json.get<std::string>());
    return json.is_string() ? c10::IValue(json.get<std::string>()) : c10::IValue();
}

c10::TypePtr itemType(const c10::TypePtr &type, std::size_t i)
{
    if (const auto *list = type ? type->castRaw<c10::ListType>() : nullptr)
        return list->getElementType();
    if (const auto *dict = type ? type->castRaw<c10::DictType>() : nullptr)
        return i % 2 == 0 ? dict->getKeyType() : dict->getValueType();
    const auto *tuple = type ? type->castRaw<c10::TupleType>() : nullptr;
    return tuple && i < tuple->elements().size() ? tuple->elements()[i] : nullptr;
}

c10::IValue assembled(const InputItems &input, std::vector<c10::IValue> items, const c10::TypePtr &type)
{
    const auto *tuple = type ? type->castRaw<c10::TupleType>() : nullptr;
    if (input.kind == InputItems::Kind::Tuple || (tuple && input.kind == InputItems::Kind::List)) {
        return tuple && tuple->schema() ? c10::ivalue::Tuple::createNamed(std::move(items), type)
                                        : c10::ivalue::Tuple::create(std::move(items));
    }
    const auto typeAt = [&](std::size_t i) -> c10::TypePtr {
        if (const auto wanted = itemType(type, i); wanted && wanted->kind() != c10::TypeKind::AnyType)
            return wanted;
        return i < items.size() ? items[i].type<c10::Type>() : c10::TypePtr(c10::TensorType::get());
    };
    if (input.kind == InputItems::Kind::List) {
        c10::impl::GenericList list(typeAt(0));
        for (c10::IValue &item : items)
            list.push_back(std::move(item));
        return list;
    }
    c10::impl::GenericDict dict(typeAt(0), typeAt(1));
    for (std::size_t i = 0; i + 1 < items.size(); i += 2)
        dict.insert_or_assign(items[i], items[i + 1]);
    return dict;
}

// ---- results

std::string bytesOf(const at::Tensor &tensor)
{
    return {static_cast<const char *>(tensor.const_data_ptr()), tensor.nbytes()};
}

protocol::ModelOutput tensorOutput(const std::string &name, at::Tensor tensor, std::string &payload)
{
    if (!tensor.defined())
        return protocol::OpaqueResult{name, "undefined tensor"};
    if (tensor.is_meta())
        return protocol::OpaqueResult{name,
                                      c10::str("no elements, ", tensor.scalar_type(), " of sizes ", tensor.sizes())};
    if (tensor.layout() != c10::Layout::Strided)
        tensor = tensor.to_dense();
    tensor = tensor.detach().resolve_conj().resolve_neg().cpu().contiguous();
    const auto dtype = dtypeOf(tensor.scalar_type());
    if (!dtype)
        return protocol::OpaqueResult{name, std::string("tensor of ") + c10::toString(tensor.scalar_type())};
    return protocol::send(name, {*dtype, tensor.sizes().vec(), bytesOf(tensor)}, payload);
}

} // namespace

Result<c10::IValue> valueOf(const ModelInput &input, std::string_view payload, const c10::TypePtr &type,
                            c10::Device device)
{
    const auto converted = [&](const Result<protocol::Tensor> &tensor) -> Result<c10::IValue> {
        if (!tensor)
            return usageError(tensor.error().message);
        CUTAWAY_TRY(auto made, tensorOf(*tensor, device));
        return made;
    };
    return std::visit(Overloaded{
                          [&](const protocol::SentTensor &sent) { return converted(receive(sent, payload)); },
                          [&](const protocol::DrawnTensor &drawn) {
                              return converted(
                                  protocol::randomTensor(drawn.dtype, drawn.shape, drawn.seed, drawn.range));
                          },
                          [&](const protocol::PlainInput &plain) { return plainValue(plain.value, bare(type)); },
                          [&](const InputItems &items) -> Result<c10::IValue> {
                              std::vector<c10::IValue> values;
                              for (std::size_t i = 0; i < items.items.size(); ++i) {
                                  auto value = valueOf(items.items[i], payload, itemType(bare(type), i), device);
                                  if (!value)
                                      return value;
                                  values.push_back(std::move(*value));
                              }
                              return assembled(items, std::move(values), bare(type));
                          },
                      },
                      input);
}

void send(const std::string &name, const c10::IValue &value, std::vector<protocol::ModelOutput> &outputs,
          std::string &payload)
{
    if (value.isTensor()) {
        outputs.push_back(tensorOutput(name, value.toTensor(), payload));
    } else if (value.isScalar()) {
        outputs.push_back(tensorOutput(name, c10::scalar_to_tensor(value.toScalar()), payload));
    } else if (value.isString()) {
        const std::string &text = value.toStringRef();
        outputs.emplace_back(protocol::send(name, protocol::tensorOf({}, std::span(&text, 1)), payload));
    } else if (value.isTuple() || value.isList()) {
        const auto items = value.isTuple() ? value.toTupleRef().elements().vec() : value.toListRef().vec();
        if (items.empty())
            outputs.emplace_back(protocol::OpaqueResult{name, "empty list"});
        for (std::size_t i = 0; i < items.size(); ++i)
            send(formatted("{}.{}", name, i), items[i], outputs, payload);
    } else if (value.isGenericDict()) {
        if (value.toGenericDict().empty())
            outputs.emplace_back(protocol::OpaqueResult{name, "empty dictionary"});
        for (const auto &entry : value.toGenericDict())
            send(name + "."
                     + (entry.key().isString() ? entry.key().toStringRef()
                                               : formatted("{}", entry.key().hash().toInt())),
                 entry.value(), outputs, payload);
    } else {
        outputs.emplace_back(protocol::OpaqueResult{name, value.isNone() ? "None" : value.tagKind()});
    }
}

} // namespace cutaway::plugins
