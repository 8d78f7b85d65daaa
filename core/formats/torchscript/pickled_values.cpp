// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/pickled_values.h"

#include "core/base/formatted.h"
#include "core/base/located.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/formats/limits.h"
#include "core/formats/torchscript/enums.h"
#include "core/ir/context.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cutaway::formats::torchscript {

namespace {

using archive::Pickle;

constexpr std::string_view valueCode = "torchscript.value";

/// The names of the items of state tuples that torch's own classes write.
struct StateNames {
    std::string_view className;
    std::array<std::string_view, 9> names;
};
constexpr StateNames stateNames[] = {
    {"torch.classes.quantized.LinearPackedParamsBase", {"weight", "bias"}},
    {"torch.classes.quantized.Conv2dPackedParamsBase", {"version", "tensors", "optional_tensors"}},
    {"torch.classes.quantized.Conv3dPackedParamsBase", {"version", "tensors", "optional_tensors"}},
    {"torch.classes.quantized.EmbeddingPackedParamsBase", {"version", "tensors", "doubles", "longs"}},
    {"torch.classes.rnn.CellParamsBase", {"type", "biases", "doubles", "longs", "packed"}},
    {"torch.classes.xnnpack.LinearOpContext", {"weight", "bias", "output_min", "output_max"}},
    {"torch.classes.xnnpack.Conv2dOpContext",
     {"weight", "bias", "stride", "padding", "dilation", "groups", "output_min", "output_max"}},
    {"torch.classes.xnnpack.TransposeConv2dOpContext",
     {"weight", "bias", "stride", "padding", "output_padding", "dilation", "groups", "output_min", "output_max"}},
};

std::string stateName(std::string_view className, std::size_t item)
{
    const auto *known = std::ranges::find(stateNames, className, &StateNames::className);
    if (known != std::end(stateNames) && item < known->names.size() && !known->names[item].empty())
        return std::string(known->names[item]);
    return std::to_string(item);
}

std::string fullName(const Pickle::Global &global)
{
    return std::string(global.module).append(".").append(global.name);
}

/// Returns a value's name within what `path` names; only `path` if it gets too long, as a shared text can make it.
std::string attributePath(const std::string &path, std::string_view name)
{
    return path.size() + name.size() > limits::maxObjectNameLength ? path : std::string(path).append(".").append(name);
}

} // namespace

Result<PickledMember> PickledMember::read(const archive::Zip &zip, ir::FileId file, std::string_view stem)
{
    const std::string folder = std::string(zip.root()).append(stem).append("/");
    const std::string name = std::string(stem) + ".pkl";
    const archive::Member *member = zip.find(std::string(zip.root()) + name);
    if (!member)
        return unreadable("the archive has no " + name);
    CUTAWAY_TRY(auto content, zip.read(*member));
    CUTAWAY_TRY(auto pickle, located(name, archive::Pickle::read(content.bytes())));
    return PickledMember{
        name,
        std::move(content),
        std::move(pickle),
        {.path = folder, .zip = zip, .members = folder, .file = file, .encoding = archive::encodingOf(zip)}};
}

std::string plainName(std::string_view qualifiedName)
{
    std::string plain;
    for (std::size_t from = 0; from <= qualifiedName.size();) {
        const std::size_t to = std::min(qualifiedName.find('.', from), qualifiedName.size());
        const std::string_view part = qualifiedName.substr(from, to - from);
        if (!(from == 0 && part == "__torch__") && !part.starts_with("___torch_mangle_"))
            plain.append(plain.empty() ? "" : ".").append(part);
        from = to + 1;
    }
    return plain;
}

std::optional<std::string> calleeOf(const Pickle &pickle, Pickle::ValueId value)
{
    const auto *call = pickle.as<Pickle::Call>(value);
    const auto *global = call ? pickle.as<Pickle::Global>(call->callee) : nullptr;
    return global && global->module.size() + global->name.size() <= limits::maxObjectNameLength
        ? std::optional(fullName(*global))
        : std::nullopt;
}

PickledValues::PickledValues(ir::Model &model, Types &types, Notes &notes, archive::StorageTable &storages,
                             const PickledMember &member, FindModule findModule)
    : m_model(model),
      m_types(types),
      m_notes(notes),
      m_storages(storages),
      m_member(member),
      m_pickle(member.pickle),
      m_findModule(std::move(findModule)),
      m_firstNew(static_cast<std::uint32_t>(model.tensors.size()))
{
}

std::vector<ir::TensorId> PickledValues::takeTensors()
{
    m_firstNew = static_cast<std::uint32_t>(m_model.tensors.size());
    return std::exchange(m_newTensors, {});
}

ir::Operand PickledValues::nothing(std::string_view code, std::string message)
{
    m_notes.warning(code, std::move(message));
    return {};
}

ir::Operand PickledValues::constant(ValueId value, const std::string &path)
{
    if (m_isFull)
        return {};
    if (++m_count > limits::maxConstants) {
        m_isFull = true;
        return nothing(valueCode,
                       formatted("{} has more than {} values with shared ones repeated; what follows is "
                                 "left out",
                                 m_member.name, limits::maxConstants));
    }
    if (m_depth >= limits::maxConstantDepth)
        return nothing(valueCode, formatted("{} is nested deeper than {}", shown(path), limits::maxConstantDepth));
    ++m_depth;
    ir::Operand made = convert(value, path);
    --m_depth;
    return made;
}

ir::Operand PickledValues::convert(ValueId tagged, const std::string &path)
{
    const ValueId value = archive::withoutTag(m_pickle, tagged);
    if (const auto *items = m_pickle.as<Pickle::Items>(value))
        return list(items->items,
                    items->kind == Pickle::Items::Kind::Tuple ? ir::List::Kind::Tuple : ir::List::Kind::List, path);
    if (const auto entries = m_pickle.entries(value))
        return dict(*entries, path);
    if (const auto *call = m_pickle.as<Pickle::Call>(value))
        return this->call(value, *call, path);
    if (const auto *global = m_pickle.as<Pickle::Global>(value))
        return this->global(*global);
    if (const auto text = m_pickle.text(value))
        return this->text(value, *text);
    if (const auto n = m_pickle.integer(value))
        return *n;
    if (const auto *x = m_pickle.as<double>(value))
        return *x;
    if (const auto *b = m_pickle.as<bool>(value))
        return *b;
    if (m_pickle.as<Pickle::None>(value))
        return {};
    return nothing(valueCode, shown(path) + " is of a kind that TorchScript does not write");
}

ir::Operand PickledValues::list(std::span<const ValueId> items, ir::List::Kind kind, const std::string &path)
{
    ir::List made{{}, kind};
    for (const ValueId item : items) {
        if (m_isFull)
            break;
        made.items.push_back(constant(item, attributePath(path, std::to_string(made.items.size()))));
    }
    return made;
}

ir::Operand PickledValues::dict(std::span<const std::pair<ValueId, ValueId>> entries, const std::string &path)
{
    ir::Dict made;
    for (const auto &[key, value] : entries) {
        if (m_isFull)
            break;
        const std::string number = std::to_string(made.items.size() / 2);
        made.items.push_back(constant(key, path));
        made.items.push_back(constant(value, attributePath(path, m_pickle.text(key).value_or(number))));
    }
    return made;
}

/// Makes a text a constant; a long text that occurs often is made only once.
ir::Operand PickledValues::text(ValueId value, std::string_view text)
{
    if (text.size() <= limits::maxObjectNameLength)
        return ir::String{m_model.context->name(text)};
    const auto [made, isNew] = m_shared.try_emplace(value);
    if (isNew)
        made->second = ir::String{m_model.context->name(text)};
    return made->second;
}

/// Returns a dtype for `torch.float32`; any other global becomes only a name.
ir::Operand PickledValues::global(const Pickle::Global &global)
{
    const auto dtype = global.module == "torch" ? ir::dtypeFromName(global.name) : std::nullopt;
    return dtype ? ir::Operand(*dtype) : ir::Operand(ir::String{m_model.context->name(fullName(global))});
}

ir::Operand PickledValues::call(ValueId value, const Pickle::Call &call, const std::string &path)
{
    if (const auto made = m_shared.find(value); made != m_shared.end())
        return made->second;
    if (const auto pickled = archive::pickledTensor(m_pickle, value))
        return tensor(*pickled, value, path, ir::Tensor::Kind::Constant);
    if (const auto size = m_pickle.callOf(value, "torch", "Size"); size && !size->empty())
        return constant(size->front(), path);
    if (const auto arguments = m_pickle.callOf(value, "torch", "device"))
        return device(*arguments);
    if (const auto parts = m_pickle.callOf(value, "builtins", "complex"); parts && parts->size() == 2) {
        const auto partAt = [&](std::size_t i) {
            const auto *number = m_pickle.as<double>((*parts)[i]);
            return number ? *number : 0.0;
        };
        return std::complex(partAt(0), partAt(1));
    }
    const auto callee = calleeOf(m_pickle, value);
    if (!callee)
        return nothing(valueCode, shown(path) + " is made by something that has no name");
    if (m_findModule(value))
        return nothing(valueCode, shown(path) + " is a module inside of another value, where none is read");
    const bool isClass = callee->starts_with("__torch__.");
    if (isClass && !call.state && !m_pickle.items(call.arguments)) { // a member of an enum is pickled as its value
        ir::Operand held = constant(call.arguments, path);
        return enumMember(*m_model.context, m_types.code().findClass(*callee), held).value_or(held);
    }
    if (!isClass)
        m_notes.warning(valueCode, shown(path) + " would call " + shown(*callee) + "; nothing was called");
    return object(value, *callee, call, path);
}

/// Reads ("cuda:1",) or ("cuda", 1).
ir::Operand PickledValues::device(std::span<const ValueId> arguments)
{
    const std::string_view text = arguments.empty() ? "" : m_pickle.text(arguments[0]).value_or("");
    const std::size_t colon = std::min(text.find(':'), text.size());
    ir::Device device{m_model.context->name(text.substr(0, colon)), {}};
    int index = 0;
    if (colon < text.size()
        && std::from_chars(text.data() + colon + 1, text.data() + text.size(), index).ec == std::errc())
        device.index = index;
    else if (arguments.size() > 1)
        device.index = static_cast<int>(m_pickle.integer(arguments[1]).value_or(0));
    return device;
}

ir::Operand PickledValues::tensor(const archive::PickledTensor &pickled, ValueId value, const std::string &path,
                                  ir::Tensor::Kind kind)
{
    if (const auto made = m_shared.find(value); made != m_shared.end()) {
        if (const auto *id = made->second.as<ir::TensorId>(); id && kind != ir::Tensor::Kind::Constant)
            m_model.tensors.edit(id->index).kind = kind;
        return made->second;
    }
    auto tensor = m_storages.tensor(pickled, path, m_member.storages);
    if (!tensor)
        return m_shared[value] = nothing("torchscript.tensor", tensor.error().text());
    tensor->kind = kind;
    const ir::TensorId id{static_cast<std::uint32_t>(m_model.tensors.size())};
    m_model.tensors.push_back(std::move(*tensor));
    m_newTensors.push_back(id);
    return m_shared[value] = id;
}

/// Makes a script object. It is entered among the shared values before its state is read, because the state may refer
/// to it.
ir::Operand PickledValues::object(ValueId value, const std::string &className, const Pickle::Call &call,
                                  const std::string &path)
{
    const std::string plain = plainName(className);
    const ir::ObjectId id{static_cast<std::uint32_t>(m_model.objects.size())};
    m_model.objects.push_back({m_model.context->name(path), m_model.context->name(plain), m_member.name});
    m_shared.emplace(value, id);
    if (call.state)
        objectState(*call.state, plain, path);
    return id;
}

void PickledValues::objectState(ValueId state, std::string_view className, const std::string &path)
{
    if (const auto entries = m_pickle.entries(state)) {
        for (const auto &[key, value] : *entries)
            objectField(value, attributePath(path, m_pickle.text(key).value_or("?")));
        return;
    }
    const auto items = m_pickle.items(state);
    if (!items)
        return objectField(state, attributePath(path, "state"));
    for (std::size_t i = 0; i < items->size(); ++i)
        objectField((*items)[i], attributePath(path, stateName(className, i)));
}

void PickledValues::objectField(ValueId value, const std::string &path)
{
    const ir::Operand made = constant(value, path);
    if (!made.as<ir::TensorId>())
        m_objectAttributes.push_back({m_model.context->name(path), typeOf(value, made), made});
}

ir::TypeId PickledValues::typeOf(ValueId value, const ir::Operand &operand)
{
    using Number = ir::NumberType::Kind;
    if (const auto tag = m_pickle.callOf(value, "torch.jit._pickle", "restore_type_tag"); tag && tag->size() == 2)
        return m_types.parsed(m_pickle.text((*tag)[1]).value_or("").substr(0, limits::maxObjectNameLength));
    if (operand.as<ir::TensorId>())
        return m_types.tensor();
    if (operand.as<std::int64_t>())
        return m_types.number(Number::Int);
    if (operand.as<double>())
        return m_types.number(Number::Float);
    if (operand.as<bool>())
        return m_types.number(Number::Bool);
    if (operand.as<std::complex<double>>())
        return m_types.number(Number::Complex);
    if (operand.as<ir::String>())
        return m_types.plain(ir::PlainType::Kind::String);
    if (operand.as<ir::Device>())
        return m_types.plain(ir::PlainType::Kind::Device);
    if (operand.as<ir::None>())
        return m_types.plain(ir::PlainType::Kind::None);
    if (const auto callee = calleeOf(m_pickle, value); callee && callee->starts_with("__torch__."))
        return m_types.ofClass(*callee);
    return {};
}

} // namespace cutaway::formats::torchscript
