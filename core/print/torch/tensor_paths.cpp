// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/torch/tensor_paths.h"

#include "core/ir/model_format.h"
#include "core/ir/node_ref.h"
#include "core/print/module_paths.h"
#include "core/print/python_names.h"
#include "core/print/torch/dotted_path.h"

#include <algorithm>
#include <array>

namespace cutaway::print {

namespace {

bool isNumber(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; })
        && (text == "0" || text.front() != '0');
}

/// Whether every torch.nn.Module has an attribute of this name, so that a tensor or module must not have it.
bool isOfModule(std::string_view name)
{
    static constexpr std::array<std::string_view, 24> names{
        "T_destination",   "add_module", "apply",      "bfloat16",   "buffers",
        "call_super_init", "children",   "compile",    "cpu",        "cuda",
        "double",          "eval",       "float",      "forward",    "half",
        "load_state_dict", "modules",    "parameters", "state_dict", "to",
        "train",           "training",   "type",       "zero_grad"};
    return std::ranges::contains(names, name);
}

/// Returns a name as a path of a module tree, each part of which is an identifier or a number; nothing for other names.
std::optional<std::string> modulePath(std::string_view name)
{
    std::string path;
    for (std::size_t at = 0; at <= name.size();) {
        const std::size_t end = std::min(name.find('.', at), name.size());
        const std::string_view part = name.substr(at, end - at);
        if (!isNumber(part) && !isIdentifier(part))
            return std::nullopt;
        path += (path.empty() ? "" : ".") + std::string(part) + (isOfModule(part) ? "_" : "");
        at = end + 1;
    }
    return isNumber(lastName(path)) ? std::nullopt : std::optional(path);
}

} // namespace

TensorPaths::TensorPaths(const ir::Model &model, const ir::Function &function) : m_model(model)
{
    const ir::Graph &graph = function.graph;
    for (const ir::FunctionInput &input : function.inputs)
        if (const auto *value = input.value.as<ir::ValueId>(); value && input.tensor)
            m_byValue.emplace(*value, *input.tensor);
    for (ir::ValueId id{0}; id.index < graph.valueCount(); ++id.index)
        if (const auto tensor = ir::ValueRef(graph, id).weight())
            m_byValue.emplace(id, *tensor);
    findFetched(function);
    findReaders(function);
    addWritten(function);
    for (ir::ValueId id{0}; id.index < graph.valueCount(); ++id.index)
        if (const auto tensor = tensorOf(id); tensor && !graph.at(id).uses.empty())
            add(*tensor);
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
        for (const ir::Argument &argument : graph.at(id).arguments)
            if (!graph.at(id).removed)
                addIn(argument.value);
    for (ir::RegionId id{0}; id.index < graph.regionCount(); ++id.index)
        for (const ir::Operand &output : graph.at(id).outputs)
            addIn(output);
    for (const ir::FunctionOutput &output : function.outputs)
        addIn(output.value);
}

/// Adds the tensors to which an exported program assigns new values.
void TensorPaths::addWritten(const ir::Function &function)
{
    std::set<ir::NameId> written;
    for (const ir::FunctionOutput &output : function.outputs)
        written.insert(output.target);
    for (const ir::FunctionInput &input : function.inputs)
        if (input.tensor && input.target != ir::NameId{} && written.contains(input.target))
            add(*input.tensor);
}

/// Finds the tensors that the function fetches from the model's modules.
void TensorPaths::findFetched(const ir::Function &function)
{
    const ir::Graph &graph = function.graph;
    const ModulePaths fetched(function);
    std::unordered_map<std::string_view, ir::TensorId> byName;
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index) {
        const ir::NodeRef node(graph, id);
        const auto path = node->removed ? std::nullopt : fetched.of(node);
        if (!path)
            continue;
        if (byName.empty())
            for (ir::TensorId tensor{0}; tensor.index < m_model.tensors.size(); ++tensor.index)
                byName.emplace(m_model.context->text(m_model.at(tensor).name), tensor);
        if (const auto known = byName.find(*path); known != byName.end())
            m_byValue.emplace(node.output(0), known->second);
    }
}

std::optional<ir::TensorId> TensorPaths::tensorOf(ir::ValueId value) const
{
    const auto known = m_byValue.find(value);
    return known == m_byValue.end() ? std::nullopt : std::optional(known->second);
}

std::optional<ir::TensorId> TensorPaths::tensorOf(const ir::Operand &operand) const
{
    if (const auto *tensor = operand.as<ir::TensorId>())
        return *tensor;
    const auto *value = operand.as<ir::ValueId>();
    return value ? tensorOf(*value) : std::nullopt;
}

void TensorPaths::findReaders(const ir::Function &function)
{
    const ir::Graph &graph = function.graph;
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index) {
        const ir::NodeRef node(graph, id);
        if (node->removed)
            continue;
        const std::string_view scope = m_model.context->text(node.scope().path);
        for (const ir::Argument &argument : node->arguments) {
            const auto tensor = tensorOf(argument.value);
            if (!tensor)
                continue;
            Readers &readers = m_readers[*tensor];
            if (readers.count++ == 0)
                readers = {std::string(scope), std::string(m_model.context->text(argument.name)), 1};
            while (!isWithinPath(scope, readers.module))
                readers.module = parentPath(readers.module);
        }
    }
}

/// Returns a path for a tensor whose name is no path, such as the constant of an ONNX exporter: in the module that
/// reads it.
std::string TensorPaths::homeOf(ir::TensorId tensor) const
{
    const std::string_view name = m_model.context->text(m_model.at(tensor).name);
    const std::size_t cut = name.find_last_of("/.");
    std::string wanted = identifierFrom(cut == name.npos ? name : name.substr(cut + 1));
    const auto readers = m_readers.find(tensor);
    std::string module;
    if (readers != m_readers.end() && modulePath(readers->second.module + ".x")) {
        module = readers->second.module;
        if (readers->second.count == 1 && isIdentifier(readers->second.parameter) && !module.empty())
            wanted = readers->second.parameter;
    }
    if (isOfModule(wanted) || wanted == "_")
        wanted = "tensor" + wanted;
    return module.empty() ? wanted : module + "." + wanted;
}

void TensorPaths::addIn(const ir::Operand &operand)
{
    if (const auto tensor = tensorOf(operand))
        add(*tensor);
    const auto *list = operand.as<ir::List>();
    const auto *dict = operand.as<ir::Dict>();
    if (list || dict)
        for (const ir::Operand &item : list ? list->items : dict->items)
            addIn(item);
}

void TensorPaths::add(ir::TensorId tensor)
{
    const auto [path, isNew] = m_paths.try_emplace(tensor);
    if (!isNew)
        return;
    m_tensors.push_back(tensor);
    path->second = freePath(tensor);
    m_taken.insert(path->second);
    for (std::string_view above = parentPath(path->second); !above.empty(); above = parentPath(above))
        m_modules.emplace(above);
}

std::string TensorPaths::freePath(ir::TensorId tensor) const
{
    const auto isFree = [&](const std::string &path) {
        if (m_taken.contains(path) || m_modules.contains(path))
            return false;
        for (std::string_view above = parentPath(path); !above.empty(); above = parentPath(above))
            if (m_taken.contains(above))
                return false;
        return true;
    };
    const std::string_view name = m_model.context->text(m_model.at(tensor).name);
    // Constants of TorchScript lie in a separate list, and constants of ONNX without a path belong to no module.
    const bool isPath = !name.starts_with("CONSTANTS.") && (name.contains('.') || !ir::isOnnx(m_model));
    if (const auto path = modulePath(name); path && isPath && isFree(*path))
        return *path;
    const std::string wanted = homeOf(tensor);
    std::string path = wanted;
    for (int number = 1; !isFree(path); ++number)
        path = wanted + "_" + std::to_string(number);
    return path;
}

} // namespace cutaway::print
