// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A module of data.pkl is a call of its class with a state: a dict of its attributes, or what its __getstate__
// returned. The same module may occur in several places, even within itself, so a stack is used to visit modules,
// each once, in the order of a traversal down the tree; the first path to a module is its path. The size of the paths
// that are made is limited: a short pickle can describe a tree of any depth with names of any length.
#include "core/formats/torchscript/objects.h"

#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/formats/limits.h"
#include "core/formats/torchscript/literal_values.h"
#include "core/formats/torchscript/pickled_values.h"
#include "core/formats/torchscript/state_items.h"
#include "core/ir/context.h"
#include "core/ir/objects/object_parts.h"

#include <algorithm>
#include <unordered_set>

namespace cutaway::formats::torchscript {

namespace {

using archive::Pickle;
using ValueId = Pickle::ValueId;

/// The declarations of the attributes of a class.
struct Declarations {
    struct Declaration {
        std::optional<ir::TypeId> type;
        ir::Tensor::Kind kind = ir::Tensor::Kind::Constant;
    };
    std::unordered_map<std::string_view, Declaration> byName;
    std::vector<Instance::Attribute> constants; ///< Final[T] = …
};

class ModuleReader {
public:
    ModuleReader(ir::Model &model, const Code &code, Types &types, Notes &notes, archive::StorageTable &storages,
                 const PickledMember &member, Objects &objects)
        : m_model(model),
          m_code(code),
          m_types(types),
          m_notes(notes),
          m_pickle(member.pickle),
          m_objects(objects),
          m_firstInstance(static_cast<std::uint32_t>(objects.instances.size())),
          m_firstObject(model.objects.size()),
          m_values(model, types, notes, storages, member, [this](ValueId value) { return instance(value); })
    {
    }

    /// Reads a module with all its contents, or a constant. `path` is the module's path.
    std::variant<ir::Operand, InstanceId> read(ValueId value, const std::string &path);
    /// Adds the contents of the objects among the constants to the lists of the root module.
    void listObjects();

private:
    struct Visit {
        InstanceId instance;
        ir::ModuleId module;
        int depth = 0;
    };

    std::optional<InstanceId> instance(ValueId value);
    void visit(const Visit &visit);
    void readState(ValueId state);
    void readTupleState(std::span<const ValueId> items);
    void readAttribute(std::string_view name, ValueId value);
    void add(std::string_view name, ir::TypeId type, std::variant<ir::Operand, InstanceId> value);
    void addChild(std::string_view name, InstanceId child);
    void addUnstoredObjects();
    const Declarations &declarations(const ClassDefinition *definition);

    Instance &now() { return m_objects.instances[m_now.instance.index]; }
    ir::Module &module() { return m_model.modules.edit(m_now.module.index); }
    ir::NameId name(std::string_view text) { return m_model.context->name(text); }
    std::string pathOf(std::string_view attribute);

    ir::Model &m_model;
    const Code &m_code;
    Types &m_types;
    Notes &m_notes;
    const Pickle &m_pickle;
    Objects &m_objects;
    std::uint32_t m_firstInstance;
    std::size_t m_firstObject;
    PickledValues m_values;
    std::unordered_map<ValueId, InstanceId> m_instances;
    std::vector<ValueId> m_sources; ///< by instance, from the first one on: the pickled value that it was made from
    std::unordered_map<const ClassDefinition *, Declarations> m_declarations;
    std::unordered_set<InstanceId> m_visited;
    std::unordered_set<std::string> m_withoutCode; ///< the classes for which the archive has no code
    std::vector<Visit> m_stack;
    Visit m_now;
    std::unordered_set<std::string_view> m_names; ///< the attributes that the current module has so far
    std::size_t m_pathBytes = 0;
};

/// Reads an object of a class in the archive. Without code for it, an object whose state is a dict counts as a module.
std::optional<InstanceId> ModuleReader::instance(ValueId value)
{
    if (const auto known = m_instances.find(value); known != m_instances.end())
        return known->second;
    const auto className = calleeOf(m_pickle, value);
    if (!className || !className->starts_with("__torch__.") || className->starts_with("__torch__.torch.classes."))
        return std::nullopt;
    const ClassDefinition *definition = m_code.findClass(*className);
    const auto &state = m_pickle.as<Pickle::Call>(value)->state;
    if (definition ? definition->syntax->kind != Class::Kind::Module : !state || !m_pickle.entries(*state))
        return std::nullopt;
    if (!definition && m_withoutCode.insert(*className).second)
        m_notes.warning("torchscript.class", "the archive has no code of the class " + shown(*className));
    const InstanceId id{static_cast<std::uint32_t>(m_objects.instances.size())};
    m_objects.instances.push_back({*className, definition, {}, {}});
    m_sources.push_back(value);
    m_instances.emplace(value, id);
    return id;
}

std::variant<ir::Operand, InstanceId> ModuleReader::read(ValueId value, const std::string &path)
{
    const auto root = instance(value);
    if (!root)
        return m_values.constant(value, path);
    m_stack.push_back({*root, m_model.moduleAt(path), 0});
    while (!m_stack.empty()) {
        const Visit next = m_stack.back();
        m_stack.pop_back();
        m_model.modules.edit(next.module.index).className = name(plainName(m_objects.at(next.instance).className));
        if (m_visited.insert(next.instance).second)
            visit(next);
    }
    return *root;
}

void ModuleReader::listObjects()
{
    ir::Module &root = m_model.modules.edit(m_model.moduleAt("").index);
    std::vector<ir::ModuleAttribute> attributes = m_values.takeObjectAttributes();
    std::unordered_set<std::string_view> objects;
    for (std::size_t i = m_firstObject; i < m_model.objects.size(); ++i)
        objects.insert(m_model.context->text(m_model.objects[i].name));
    const auto isInObject = [&](std::string_view path) {
        for (std::size_t dot = path.rfind('.'); dot != path.npos && dot > 0; dot = path.rfind('.', dot - 1))
            if (objects.contains(path.substr(0, dot)))
                return true;
        return false;
    };
    for (const ir::TensorId tensor : m_values.takeTensors())
        if (isInObject(m_model.context->text(m_model.at(tensor).name)))
            root.tensors.push_back(tensor);
    std::ranges::move(attributes, std::back_inserter(root.attributes));
}

void ModuleReader::visit(const Visit &visit)
{
    m_now = visit;
    m_names.clear();
    now().path = m_model.context->text(module().path);
    const std::size_t firstChild = m_stack.size();
    const auto &state = m_pickle.as<Pickle::Call>(m_sources[visit.instance.index - m_firstInstance])->state;
    if (state)
        readState(*state);
    for (const Instance::Attribute &constant : declarations(now().definition).constants)
        add(constant.name, constant.type, constant.value);
    std::reverse(m_stack.begin() + static_cast<std::ptrdiff_t>(firstChild), m_stack.end());
    std::ranges::move(m_values.takeTensors(), std::back_inserter(module().tensors));
    std::ranges::move(m_values.takeObjectAttributes(), std::back_inserter(module().attributes));
}

void ModuleReader::readState(ValueId state)
{
    if (const auto items = m_pickle.items(state))
        return readTupleState(*items);
    const auto entries = m_pickle.entries(state);
    if (!entries)
        return readAttribute("state", state);
    for (const auto &[key, value] : *entries) {
        const auto text = m_pickle.text(key);
        if (text && text->size() <= limits::maxObjectNameLength)
            readAttribute(m_model.context->text(name(*text)), value);
        else
            m_notes.warning("torchscript.attribute",
                            "an attribute of " + shown(now().path) + " has no text, or a very long one, for its name");
    }
}

/// Reads the items of a state that is a tuple as the attributes that __setstate__ assigns them to. An item that it
/// does not assign is named by its number.
void ModuleReader::readTupleState(std::span<const ValueId> items)
{
    std::vector<bool> isNamed(items.size());
    for (const StateItem &item : now().definition ? stateItems(*now().definition) : std::vector<StateItem>())
        if (item.index < items.size()) {
            isNamed[item.index] = true;
            readAttribute(m_model.context->text(name(item.name)), items[item.index]);
        }
    for (std::size_t i = 0; i < items.size(); ++i)
        if (!isNamed[i])
            readAttribute(m_model.context->text(name(formatted("state.{}", i))), items[i]);
    addUnstoredObjects();
}

/// Adds the packed parameters that __setstate__ would make from the weights in its state.
void ModuleReader::addUnstoredObjects()
{
    if (!now().definition)
        return;
    for (const Field &field : now().definition->syntax->fields) {
        if (!field.type || m_names.contains(field.name))
            continue;
        const std::string_view type = typeName(now().definition->unit->file.tree, *field.type).value_or("");
        if (!type.starts_with("__torch__.torch.classes."))
            continue;
        const ir::ObjectId id{static_cast<std::uint32_t>(m_model.objects.size())};
        m_model.objects.push_back({name(pathOf(field.name)), name(plainName(type)), "data.pkl"});
        add(m_model.context->text(name(field.name)), m_types.ofClass(type), ir::Operand(id));
    }
}

std::string ModuleReader::pathOf(std::string_view attribute)
{
    return std::string(now().path).append(now().path.empty() ? "" : ".").append(attribute);
}

void ModuleReader::readAttribute(std::string_view name, ValueId value)
{
    const auto &declared = declarations(now().definition).byName;
    const auto found = declared.find(name);
    const auto declaration = found == declared.end() ? Declarations::Declaration() : found->second;
    if (const auto child = instance(value))
        return add(name, declaration.type.value_or(m_types.ofClass(m_objects.at(*child).className)), *child);
    const auto pickled = archive::pickledTensor(m_pickle, value);
    const bool isParameter = !now().definition && pickled && pickled->requiresGrad;
    const ir::Operand operand = pickled
        ? m_values.tensor(*pickled, value, pathOf(name), isParameter ? ir::Tensor::Kind::Parameter : declaration.kind)
        : m_values.constant(value, pathOf(name));
    add(name, declaration.type ? *declaration.type : m_values.typeOf(value, operand), operand);
}

/// Adds an attribute to the current module. A tensor that another module already has becomes a plain attribute here:
/// each is listed as a tensor only once.
void ModuleReader::add(std::string_view name, ir::TypeId type, std::variant<ir::Operand, InstanceId> value)
{
    if (!m_names.insert(name).second)
        return;
    if (const auto *child = std::get_if<InstanceId>(&value))
        addChild(name, *child);
    else if (const auto &operand = std::get<ir::Operand>(value);
             !operand.as<ir::TensorId>() || !m_values.isNew(*operand.as<ir::TensorId>()))
        module().attributes.push_back({this->name(name), type, operand});
    now().attributes.push_back({name, type, std::move(value)});
}

void ModuleReader::addChild(std::string_view name, InstanceId child)
{
    m_pathBytes += now().path.size() + name.size() + 1;
    if (m_now.depth >= limits::maxModuleDepth || m_pathBytes > limits::maxModulePaths)
        m_notes.error("torchscript.modules",
                      formatted("{} and what it holds is left out: modules are nested deeper than {} or have too "
                                "long names",
                                shown(pathOf(name)), limits::maxModuleDepth));
    else
        m_stack.push_back({child, m_model.childModule(m_now.module, name), m_now.depth + 1});
}

const Declarations &ModuleReader::declarations(const ClassDefinition *definition)
{
    const auto [known, isNew] = m_declarations.try_emplace(definition);
    Declarations &made = known->second;
    if (!isNew || !definition)
        return made;
    const Tree &tree = definition->unit->file.tree;
    for (const Field &field : definition->syntax->fields) {
        const std::optional<ir::TypeId> type = field.type ? std::optional(m_types.of(tree, *field.type)) : std::nullopt;
        made.byName.try_emplace(field.name, type);
        if (field.value && type)
            made.constants.push_back({m_model.context->text(name(field.name)), *type,
                                      literalValue(*m_model.context, tree, *field.value).value_or(ir::Operand())});
    }
    for (const auto &[names, kind] : {std::pair(&definition->syntax->parameters, ir::Tensor::Kind::Parameter),
                                      std::pair(&definition->syntax->buffers, ir::Tensor::Kind::Buffer)})
        for (const std::string_view tensor : names->value_or(std::vector<std::string_view>()))
            made.byName[tensor].kind = kind;
    return made;
}

/// Reads the constants of constants.pkl. Only their values are stored, because their types follow from them.
void readConstants(ModuleReader &reader, const PickledMember &member, Notes &notes, Constants &constants)
{
    const auto items = member.pickle.items(member.pickle.root());
    if (!items)
        return notes.error("torchscript.constants", "constants.pkl holds no tuple of constants");
    for (const ValueId item : *items)
        constants.push_back(reader.read(item, formatted("CONSTANTS.c{}", constants.size())));
    reader.listObjects();
}

bool isQuantized(ir::DType dtype)
{
    const ir::ElementKind kind = ir::elementKind(dtype);
    return kind == ir::ElementKind::QuantizedSigned || kind == ir::ElementKind::QuantizedUnsigned;
}

/// Marks the parameters in objects of torch's own classes; other tensors in these describe the packing.
void markPacked(ir::Model &model)
{
    const ir::ObjectParts parts(model);
    for (const ir::Object &object : model.objects) {
        if (!model.context->text(object.className).starts_with("torch.classes."))
            continue;
        for (const ir::TensorId id : parts.tensorsOf(model.context->text(object.name))) {
            const ir::Tensor &tensor = model.at(id);
            if (tensor.kind == ir::Tensor::Kind::Constant
                && (ir::isFloating(tensor.dtype) || isQuantized(tensor.dtype)))
                model.tensors.edit(id.index).kind = ir::Tensor::Kind::Packed;
        }
    }
}

} // namespace

const Instance::Attribute *Instance::find(std::string_view attribute) const
{
    const auto found = std::ranges::find(attributes, attribute, &Attribute::name);
    return found == attributes.end() ? nullptr : &*found;
}

Result<Objects> readObjects(ir::Model &model, ir::FileId file, const archive::Zip &zip, const Code &code, Types &types,
                            Notes &notes)
{
    CUTAWAY_TRY(const auto data, PickledMember::read(zip, file, "data"));
    const auto top = calleeOf(data.pickle, data.pickle.root());
    if (!top || !top->starts_with("__torch__."))
        return unreadable("data.pkl holds " + (top ? "a call of " + shown(*top) : "a value")
                          + " where a TorchScript module was expected");
    Objects objects;
    archive::StorageTable storages(model, notes, "torchscript.weights");
    ModuleReader reader(model, code, types, notes, storages, data, objects);
    if (!std::holds_alternative<InstanceId>(reader.read(data.pickle.root(), "")))
        notes.error("torchscript.modules", "data.pkl holds an object of " + shown(*top) + ", which is not a module");

    const auto constants = PickledMember::read(zip, file, "constants");
    if (!constants) {
        notes.error("torchscript.constants", "the constants cannot be read: " + constants.error().text());
    } else {
        ModuleReader constantReader(model, code, types, notes, storages, *constants, objects);
        readConstants(constantReader, *constants, notes, objects.constants);
    }
    markPacked(model);
    return objects;
}

} // namespace cutaway::formats::torchscript
