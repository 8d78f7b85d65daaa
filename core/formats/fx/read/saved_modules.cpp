// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// torch.nn.Module pickles its __dict__, in which _parameters, _buffers and _modules are dicts. A GraphModule pickles
// no graph, but a call of a function of torch.fx that makes the graph again from the code: here the arguments of this
// call are read, and the code as text. Modules may hold each other, so a stack is used to visit them, each once.
#include "core/formats/fx/read/saved_modules.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/formats/limits.h"
#include "core/formats/unusable.h"
#include "core/ir/context.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cutaway::formats::fx {

namespace {

using archive::Pickle;
using ValueId = Pickle::ValueId;

/// The functions that a pickled GraphModule calls, and which of their arguments are the __dict__ and the imports.
struct Reduction {
    std::string_view name;
    std::size_t body;
    std::optional<std::size_t> imports;
};
constexpr std::array<Reduction, 3> reductions{{
    {"reduce_graph_module", 0, 1},
    {"reduce_deploy_graph_module", 1, 2},
    {"reduce_package_graph_module", 1, std::nullopt},
}};

struct ReducedModule {
    ValueId body;
    std::string_view imports;
};

std::optional<ReducedModule> reducedModule(const Pickle &pickle, ValueId value)
{
    for (const Reduction &reduction : reductions) {
        const auto arguments = pickle.callOf(value, "torch.fx.graph_module", reduction.name);
        if (!arguments || arguments->size() <= std::max(reduction.body, reduction.imports.value_or(0)))
            continue;
        const ValueId body = (*arguments)[reduction.body];
        if (!pickle.entries(body))
            return std::nullopt;
        return ReducedModule{body, reduction.imports ? pickle.text((*arguments)[*reduction.imports]).value_or("") : ""};
    }
    return std::nullopt;
}

constexpr std::array<std::string_view, 15> convolutionState{
    "in_channels", "out_channels", "kernel_size", "stride", "padding", "dilation",   "transposed", "output_padding",
    "groups",      "padding_mode", "weight",      "bias",   "scale",   "zero_point", "training"};

/// Returns the names of the items of the tuple that convolutions with quantized weights pickle instead of their
/// __dict__.
std::span<const std::string_view> tupleState(std::string_view className, std::size_t size)
{
    const std::string_view name = className.substr(className.rfind('.') + 1);
    const bool isConvolution = className.contains(".quantized.") && name.starts_with("Conv");
    return isConvolution && size == convolutionState.size() ? convolutionState : std::span<const std::string_view>();
}

std::string classOf(const Pickle &pickle, ValueId value);

/// Returns the state of a module of any class: its __dict__, or the tuple of a convolution with quantized weights.
/// Returns nothing for a value that is no module.
std::optional<ValueId> stateOf(const Pickle &pickle, ValueId value)
{
    if (const auto reduced = reducedModule(pickle, value))
        return reduced->body;
    const auto *call = pickle.as<Pickle::Call>(value);
    if (!call || !call->state)
        return std::nullopt;
    if (const auto items = pickle.items(*call->state))
        return tupleState(classOf(pickle, value), items->size()).empty() ? std::nullopt : call->state;
    return pickle.entries(*call->state) && pickle.entry(*call->state, "_modules") ? call->state : std::nullopt;
}

std::string classOf(const Pickle &pickle, ValueId value)
{
    if (const auto reduced = reducedModule(pickle, value)) {
        const auto name = pickle.entry(reduced->body, "_graphmodule_cls_name");
        return "torch.fx.graph_module."
            + sanitized(name ? pickle.text(*name).value_or("GraphModule") : std::string_view("GraphModule"));
    }
    const auto *call = pickle.as<Pickle::Call>(value);
    if (!call)
        return "";
    // copyreg._reconstructor(Class, …) makes an object of a class, as in protocols before 2.
    ValueId callee = call->callee;
    if (const auto arguments = pickle.callOf(value, "copyreg", "_reconstructor"); arguments && !arguments->empty())
        callee = arguments->front();
    const auto *global = pickle.as<Pickle::Global>(callee);
    return global ? sanitized(global->module) + "." + sanitized(global->name) : "";
}

/// Returns a pickled None, Boolean or number.
std::optional<ir::Operand> scalarOf(const Pickle &pickle, ValueId value)
{
    if (pickle.as<Pickle::None>(value))
        return ir::Operand();
    if (const auto *boolean = pickle.as<bool>(value))
        return *boolean;
    if (const auto integer = pickle.integer(value))
        return *integer;
    const auto *real = pickle.as<double>(value);
    return real ? std::optional<ir::Operand>(*real) : std::nullopt;
}

/// Returns the values that a ScriptObject of quantized weights was packed from: (weight, bias).
std::optional<ValueId> packedContent(const Pickle &pickle, ValueId value)
{
    const auto *call = pickle.as<Pickle::Call>(value);
    const bool isObject = call && call->state && pickle.isGlobal(call->callee, "torch", "ScriptObject");
    const auto state = isObject ? pickle.items(*call->state) : std::nullopt;
    const auto name = state && state->size() == 2 ? pickle.text((*state)[1]) : std::nullopt;
    return name && name->contains(".quantized.LinearPackedParams") ? std::optional((*state)[0]) : std::nullopt;
}

std::optional<ir::Operand> namedConstant(const Pickle::Global &global)
{
    if (global.module != "torch")
        return std::nullopt;
    if (const auto dtype = ir::dtypeFromName(global.name))
        return *dtype;
    if (const auto layout = ir::layoutFromName(global.name))
        return *layout;
    return std::nullopt;
}

} // namespace

std::optional<SavedCode> graphModuleCode(const Pickle &pickle, ValueId value)
{
    const auto reduced = reducedModule(pickle, value);
    if (!reduced)
        return std::nullopt;
    auto code = pickle.entry(reduced->body, "_code");
    if (!code || !pickle.text(*code))
        code = pickle.entry(reduced->body, "code"); // the key of the code before PyTorch 1.8
    const auto source = code ? pickle.text(*code) : std::nullopt;
    return source ? std::optional(SavedCode{*source, reduced->imports}) : std::nullopt;
}

SavedModules::SavedModules(ir::Model &model, const archive::TorchSave &saved, Notes &notes)
    : m_model(model),
      m_saved(saved),
      m_pickle(saved.pickle()),
      m_notes(notes),
      m_storages(model, notes, "fx.weights")
{
}

Result<void> SavedModules::read()
{
    return resultOf([&] {
        const auto first = module(m_pickle.root(), "");
        if (!first)
            unusable("the pickle's top is no module", "data.pkl");
        m_stack.push_back({*first, m_model.moduleAt(""), 0});
        while (!m_stack.empty()) {
            const Visit next = m_stack.back();
            m_stack.pop_back();
            m_model.modules.edit(next.module.index).className = m_model.context->name(at(next.saved).className);
            if (m_visited.insert(next.saved).second)
                visit(next);
        }
    });
}

std::optional<SavedId> SavedModules::module(ValueId value, std::string path)
{
    if (const auto known = m_byValue.find(value); known != m_byValue.end())
        return known->second;
    const auto state = stateOf(m_pickle, value);
    if (!state)
        return std::nullopt;
    const SavedId id{static_cast<std::uint32_t>(m_modules.size())};
    SavedModule &made = m_modules.emplace_back();
    made.className = classOf(m_pickle, value);
    made.path = std::move(path);
    made.code = graphModuleCode(m_pickle, value);
    m_states.push_back(*state);
    m_byValue.emplace(value, id);
    return id;
}

std::string SavedModules::pathOf(SavedId module, std::string_view name) const
{
    const std::string &path = at(module).path;
    return path + (path.empty() ? "" : ".") + std::string(name);
}

void SavedModules::visit(const Visit &visit)
{
    const auto entries = m_pickle.entries(m_states[visit.saved.index]);
    if (!entries)
        return readTuple(visit);
    const std::size_t firstChild = m_stack.size();
    for (const auto &[key, value] : *entries) {
        const auto name = m_pickle.text(key);
        if (!name || name->size() > limits::maxObjectNameLength)
            continue;
        if (name == "_parameters")
            readTensors(visit, value, ir::Tensor::Kind::Parameter);
        else if (name == "_buffers")
            readTensors(visit, value, ir::Tensor::Kind::Buffer);
        else if (name == "_modules")
            readChildren(visit, value);
        else if (name != "_code" && name != "code")
            readAttribute(visit, *name, value);
    }
    std::reverse(m_stack.begin() + static_cast<std::ptrdiff_t>(firstChild), m_stack.end());
    addToTree(visit);
}

void SavedModules::readTuple(const Visit &visit)
{
    const auto items = *m_pickle.items(m_states[visit.saved.index]);
    const auto names = tupleState(at(visit.saved).className, items.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto pickled = archive::pickledTensor(m_pickle, items[i]);
        if (!pickled) {
            readAttribute(visit, names[i], items[i]);
            continue;
        }
        const ir::TensorId id = tensor(*pickled, items[i], pathOf(visit.saved, names[i]), ir::Tensor::Kind::Parameter);
        m_modules[visit.saved.index].attributes.insert_or_assign(names[i], id);
        m_modules[visit.saved.index].parameters.push_back(names[i]);
    }
    addToTree(visit);
}

/// Adds the tensors that were found to the module.
void SavedModules::addToTree(const Visit &visit)
{
    auto &tensors = m_model.modules.edit(visit.module.index).tensors;
    std::ranges::move(m_newTensors, std::back_inserter(tensors));
    m_newTensors.clear();
}

void SavedModules::readTensors(const Visit &visit, ValueId dict, ir::Tensor::Kind kind)
{
    const auto entries = m_pickle.entries(dict);
    if (!entries)
        return m_notes.warning("fx.module", "the tensors of " + shown(at(visit.saved).path) + " are in no dict");
    for (const auto &[key, value] : *entries) {
        const auto name = m_pickle.text(key);
        if (!name || name->size() > limits::maxObjectNameLength)
            continue;
        SavedModule::Attribute attribute = value;
        if (const auto pickled = archive::pickledTensor(m_pickle, value))
            attribute = tensor(*pickled, value, pathOf(visit.saved, *name), kind);
        else if (!m_pickle.as<Pickle::None>(value))
            m_notes.warning("fx.weights", shown(pathOf(visit.saved, *name)) + " is no tensor that is known");
        m_modules[visit.saved.index].attributes.insert_or_assign(*name, attribute);
        if (kind == ir::Tensor::Kind::Parameter)
            m_modules[visit.saved.index].parameters.push_back(*name);
    }
}

void SavedModules::readChildren(const Visit &visit, ValueId dict)
{
    const auto entries = m_pickle.entries(dict);
    if (!entries)
        return m_notes.warning("fx.module", "the modules of " + shown(at(visit.saved).path) + " are in no dict");
    for (const auto &[key, value] : *entries) {
        const auto name = m_pickle.text(key);
        if (!name || name->size() > limits::maxObjectNameLength || m_pickle.as<Pickle::None>(value))
            continue;
        const std::string path = pathOf(visit.saved, *name);
        m_pathBytes += path.size();
        if (visit.depth >= limits::maxModuleDepth || m_pathBytes > limits::maxModulePaths) {
            m_notes.error("fx.module",
                          formatted("{} and what it holds is left out: modules are nested deeper than {} "
                                    "or have too long names",
                                    shown(path), limits::maxModuleDepth));
            continue;
        }
        const auto child = module(value, path);
        if (!child) {
            const std::string className = classOf(m_pickle, value);
            m_notes.warning("fx.module",
                            shown(path) + " is no module that is known"
                                + (className.empty() ? "" : ": it is of the class " + className));
            m_modules[visit.saved.index].unread.insert_or_assign(*name, className);
            continue;
        }
        m_modules[visit.saved.index].attributes.insert_or_assign(*name, *child);
        m_modules[visit.saved.index].children.emplace_back(*name, *child);
        m_stack.push_back({*child, m_model.childModule(visit.module, *name), visit.depth + 1});
    }
}

void SavedModules::readAttribute(const Visit &visit, std::string_view name, ValueId value)
{
    auto &attributes = m_modules[visit.saved.index].attributes;
    if (const auto pickled = archive::pickledTensor(m_pickle, value)) {
        const ir::TensorId id = tensor(*pickled, value, pathOf(visit.saved, name), ir::Tensor::Kind::Constant);
        attributes.try_emplace(name, id);
        return;
    }
    attributes.try_emplace(name, value);
    if (name.starts_with('_'))
        return;
    auto &module = m_model.modules.edit(visit.module.index);
    const auto add = [&](const ir::Type &type, ir::Operand operand) {
        module.attributes.push_back({m_model.context->name(name), m_model.context->type(type), std::move(operand)});
    };
    using Number = ir::NumberType;
    const auto text = m_pickle.text(value);
    if (const auto *boolean = m_pickle.as<bool>(value))
        add(Number{Number::Kind::Bool, {}}, *boolean);
    else if (const auto integer = m_pickle.integer(value))
        add(Number{Number::Kind::Int, {}}, *integer);
    else if (const auto *real = m_pickle.as<double>(value))
        add(Number{Number::Kind::Float, {}}, *real);
    else if (text && text->size() <= limits::maxObjectNameLength)
        add(ir::PlainType{ir::PlainType::Kind::String}, ir::String{m_model.context->name(*text)});
    else if (const auto sizes = m_pickle.integers(value, limits::maxRank); sizes && !sizes->empty()) {
        const ir::TypeId integerType = m_model.context->type(Number{Number::Kind::Int, {}});
        add(ir::CompoundType{ir::CompoundType::Kind::List, {integerType}, {}, {}},
            ir::List{{sizes->begin(), sizes->end()}, ir::List::Kind::List});
    }
}

ir::TensorId SavedModules::tensor(const archive::PickledTensor &pickled, ValueId value, const std::string &path,
                                  ir::Tensor::Kind kind)
{
    if (const auto known = m_tensors.find(value); known != m_tensors.end())
        return known->second;
    ir::Tensor made = orThrow(m_storages.tensor(pickled, path, archive::storagesOf(m_saved)));
    made.kind = kind;
    m_model.tensors.push_back(std::move(made));
    const ir::TensorId id{static_cast<std::uint32_t>(m_model.tensors.size() - 1)};
    m_newTensors.push_back(id);
    m_tensors.emplace(value, id);
    return id;
}

std::optional<ir::Operand> SavedModules::constant(ValueId value, const std::string &path)
{
    if (m_depth >= limits::maxConstantDepth || ++m_constants > limits::maxConstants)
        return std::nullopt;
    if (auto scalar = scalarOf(m_pickle, value))
        return scalar;
    if (const auto text = m_pickle.text(value))
        return text->size() <= limits::maxObjectNameLength
            ? std::optional<ir::Operand>(ir::String{m_model.context->name(*text)})
            : std::nullopt;
    if (const auto pickled = archive::pickledTensor(m_pickle, value))
        return tensor(*pickled, value, path, ir::Tensor::Kind::Constant);
    if (const auto *global = m_pickle.as<Pickle::Global>(value))
        return namedConstant(*global);
    if (const auto content = packedContent(m_pickle, value)) {
        ++m_depth; // limits the recursion: an object may contain itself
        auto read = constant(*content, path);
        --m_depth;
        return read;
    }
    if (const auto sizes = m_pickle.integers(value, limits::maxRank); sizes && m_pickle.as<Pickle::Call>(value))
        return ir::List{{sizes->begin(), sizes->end()}, ir::List::Kind::Tuple};
    if (const auto *items = m_pickle.as<Pickle::Items>(value); items && items->kind != Pickle::Items::Kind::Set)
        return list(items->items,
                    items->kind == Pickle::Items::Kind::List ? ir::List::Kind::List : ir::List::Kind::Tuple, path);
    const auto *call = m_pickle.as<Pickle::Call>(value);
    return call ? called(*call) : std::nullopt;
}

std::optional<ir::Operand> SavedModules::list(std::span<const ValueId> items, ir::List::Kind kind,
                                              const std::string &path)
{
    ir::List made{{}, kind};
    ++m_depth;
    for (const ValueId item : items) {
        auto read = constant(item, formatted("{}.{}", path, made.items.size()));
        if (!read)
            break;
        made.items.push_back(std::move(*read));
    }
    --m_depth;
    return made.items.size() == items.size() ? std::optional<ir::Operand>(std::move(made)) : std::nullopt;
}

/// Returns the device of a call torch.device("cuda", 0).
std::optional<ir::Operand> SavedModules::called(const Pickle::Call &call) const
{
    if (!m_pickle.isGlobal(call.callee, "torch", "device"))
        return std::nullopt;
    const auto arguments = m_pickle.items(call.arguments);
    const auto kind = arguments && !arguments->empty() ? m_pickle.text(arguments->front()) : std::nullopt;
    if (!kind || kind->size() > limits::maxStorageKeyLength)
        return std::nullopt;
    ir::Device device{m_model.context->name(*kind), {}};
    if (const auto index = arguments->size() > 1 ? m_pickle.integer((*arguments)[1]) : std::nullopt)
        device.index = static_cast<int>(std::clamp<std::int64_t>(*index, 0, 1000));
    return device;
}

} // namespace cutaway::formats::fx
