// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/write/weight_writer.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/formats/pt2/write/type_writer.h"
#include "core/formats/unusable.h"
#include "core/ir/node_ref.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace cutaway::formats::pt2 {

namespace {

using InputKind = ir::FunctionInput::Kind;

constexpr std::string_view kinds[] = {"weights", "constants"};

bool isSameView(const ir::Model &a, const ir::Tensor &x, const ir::Model &b, const ir::Tensor &y)
{
    if (x.dtype != y.dtype || x.shape != y.shape || x.strides != y.strides || x.offset != y.offset
        || x.layout != y.layout || x.requiresGrad != y.requiresGrad || x.parts.size() != y.parts.size()
        || a.at(x.storage).data != b.at(y.storage).data)
        return false;
    for (std::size_t i = 0; i < x.parts.size(); ++i)
        if (!isSameView(a, a.at(x.parts[i]), b, b.at(y.parts[i])))
            return false;
    return true;
}

/// Returns a device as torch.save writes it, "cuda:0"; "" for no device.
std::string locationOf(const ir::Context &context, const std::optional<ir::Device> &device)
{
    if (!device)
        return {};
    const std::string kind(context.text(device->kind));
    return device->index ? formatted("{}:{}", kind, *device->index) : kind;
}

std::optional<ir::Device> deviceOf(const ir::ValueRef &value)
{
    const ir::TensorType *type = value.tensorType();
    return type ? type->device : std::nullopt;
}

class WeightWriter {
public:
    WeightWriter(MemberChanges &changes, const ir::Model &model, const Package &package)
        : m_changes(changes),
          m_model(model),
          m_package(package)
    {
    }

    void write(const WrittenProgram &program);
    void dropUnused();

private:
    void writeKind(const WrittenProgram &program, std::string_view kind, const std::vector<Weight> &weights);
    std::optional<std::string> pickleOf(const WrittenProgram &program, std::string_view kind) const;
    void writePickle(const WrittenProgram &program, const std::string &member, const std::vector<Weight> &weights);
    std::optional<Weight> before(const WrittenProgram &program, std::string_view target) const;
    bool hasSameView(const WrittenProgram &program, const Weight &weight) const;
    bool hasMoved(const WrittenProgram &program, const Weight &weight) const;
    bool isUnchanged(const WrittenProgram &program, const Weight &weight) const
    {
        return hasSameView(program, weight) && !hasMoved(program, weight);
    }
    std::string moved(const WrittenProgram &program, const Weight &weight, Json entry) const;
    std::string payload(const Weight &weight, std::string_view kind);
    std::uint64_t nextNumber(std::string_view prefix) const;

    MemberChanges &m_changes;
    const ir::Model &m_model;
    const Package &m_package;
    std::set<std::string, std::less<>> m_used; ///< the members that a list of weights refers to
    bool m_hasChanged = false;
};

std::optional<Weight> WeightWriter::before(const WrittenProgram &program, std::string_view target) const
{
    const ir::Model &model = program.original->model();
    const ir::Function &function = program.original->function();
    for (const ir::FunctionInput &input : function.inputs)
        if (const auto *value = input.value.as<ir::ValueId>();
            value && input.tensor && model.context->text(input.target) == target)
            return Weight{std::string(target), *input.tensor, false, deviceOf({function.graph, *value})};
    return std::nullopt;
}

bool WeightWriter::hasSameView(const WrittenProgram &program, const Weight &weight) const
{
    const ir::Model &old = program.original->model();
    const auto known = before(program, weight.target);
    return known && isSameView(m_model, m_model.at(weight.tensor), old, old.at(known->tensor));
}

bool WeightWriter::hasMoved(const WrittenProgram &program, const Weight &weight) const
{
    const auto known = before(program, weight.target);
    return known && weight.device
        && locationOf(*m_model.context, weight.device) != locationOf(*program.original->model().context, known->device);
}

/// Returns the entry of a weight that moved to another device: `entry` with the new device.
std::string WeightWriter::moved(const WrittenProgram &program, const Weight &weight, Json entry) const
{
    if (entry["use_pickle"].boolean().value_or(false))
        unwritable("a tensor that has a pickle for itself cannot be moved to another device", sanitized(weight.target));
    const auto withMember = [&](Json object, std::string_view key, const auto &written) {
        std::string text = "{";
        object.forEachMember([&](std::string_view each, Json part) {
            addMember(text, each, each == key ? written(part) : program.original->copied(part));
        });
        return text + "}";
    };
    return withMember(entry, "tensor_meta", [&](Json meta) {
        return withMember(meta, "device", [&](Json) { return deviceJson(*m_model.context, *weight.device); });
    });
}

void WeightWriter::write(const WrittenProgram &program)
{
    const std::vector<Weight> weights = weightsOf(m_model, *program.function);
    for (const std::string_view kind : kinds) {
        std::vector<Weight> ofKind;
        std::ranges::copy_if(weights, std::back_inserter(ofKind),
                             [&](const Weight &weight) { return weight.isConstant == (kind == "constants"); });
        const auto pickle = pickleOf(program, kind);
        if (!pickle)
            writeKind(program, kind, ofKind);
        else
            writePickle(program, *pickle, ofKind);
    }
}

/// Returns the member that torch.save made of all weights of a kind (in torch 2.1 with the suffix .json), if any.
std::optional<std::string> WeightWriter::pickleOf(const WrittenProgram &program, std::string_view kind) const
{
    if (m_package.layout == Package::Layout::Flat) {
        const std::string stem = kind == "weights" ? "serialized_state_dict" : "serialized_constants";
        return m_package.zip.find(stem + ".json") ? stem + ".json" : stem + ".pt";
    }
    const std::string path = formatted("{}data/{}/{}.pt", m_package.root, kind, program.name);
    return m_package.zip.find(path) ? std::optional(path) : std::nullopt;
}

/// Writes a pickle of all weights anew if one of them is new or changed. Otherwise the old pickle stays, even if it has
/// weights that nothing reads any more.
void WeightWriter::writePickle(const WrittenProgram &program, const std::string &member,
                               const std::vector<Weight> &weights)
{
    if (std::ranges::all_of(weights, [&](const Weight &weight) { return isUnchanged(program, weight); }))
        return;
    const auto isInPickle = [&](const ir::Object &object) { return object.member == member; };
    if (std::ranges::any_of(program.original->model().objects, isInPickle))
        unwritable("there are objects among the weights, and new ones cannot be put beside them", member);
    for (const Weight &weight : weights)
        m_changes.saved[member].push_back(
            {weight.target, weight.tensor, weight.device ? locationOf(*m_model.context, weight.device) : "cpu"});
}

/// Returns the number after the largest one in the names of members that begin with the prefix.
std::uint64_t WeightWriter::nextNumber(std::string_view prefix) const
{
    std::uint64_t next = 0;
    const auto see = [&](std::string_view name) {
        std::uint64_t n = 0;
        if (name.starts_with(prefix)
            && std::from_chars(name.data() + prefix.size(), name.data() + name.size(), n).ec == std::errc{})
            next = std::max(next, n + 1);
    };
    for (const archive::Member &member : m_package.zip.members())
        see(member.name);
    for (const auto &[name, tensor] : m_changes.tensors)
        see(name);
    return next;
}

/// Makes the elements of a new weight a member of the archive. Returns the weight's entry in the config file, as JSON.
std::string WeightWriter::payload(const Weight &weight, std::string_view kind)
{
    const ir::Tensor &tensor = m_model.at(weight.tensor);
    const std::string_view stem = kind == "weights" ? "weight_" : "tensor_";
    const std::string folder = formatted("{}data/{}/", m_package.root, kind);
    const std::string name = formatted("{}{}", stem, nextNumber(folder + std::string(stem)));
    m_changes.tensors.emplace_back(folder + name, weight.tensor);
    ir::TensorType type;
    type.dtype = tensor.dtype;
    type.shape.emplace(tensor.shape.begin(), tensor.shape.end());
    type.requiresGrad = tensor.requiresGrad;
    type.device = weight.device;
    return formatted(R"({{"path_name":"{}","is_param":{},"use_pickle":false,"tensor_meta":{}}})", name,
                     tensor.kind == ir::Tensor::Kind::Parameter, tensorMeta(*m_model.context, type));
}

void WeightWriter::writeKind(const WrittenProgram &program, std::string_view kind, const std::vector<Weight> &weights)
{
    const std::string folder = formatted("{}data/{}/", m_package.root, kind);
    const std::string path = formatted("{}{}_{}_config.json", folder, program.name, kind);
    const archive::Member *member = m_package.zip.find(path);
    const auto content = member ? m_package.zip.read(*member) : unreadable("");
    const auto document = content ? JsonDocument::parse(content->text(), path) : unreadable("");
    const Json config = document ? document->root()["config"] : Json();
    std::map<std::string_view, const Weight *> ofKind;
    for (const Weight &weight : weights)
        ofKind.emplace(weight.target, &weight);
    std::string list;
    bool isSame = true;
    const auto add = [&](std::string_view name, std::string_view json) {
        list += (list.empty() ? "" : ",") + quotedJson(name) + ":";
        list += json;
    };
    config.forEachMember([&](std::string_view name, Json entry) {
        const auto found = ofKind.find(name);
        const bool stays = found != ofKind.end() ? hasSameView(program, *found->second) : !before(program, name);
        const bool isMoved = stays && found != ofKind.end() && hasMoved(program, *found->second);
        isSame &= stays && !isMoved;
        if (!stays)
            return;
        add(name, isMoved ? moved(program, *found->second, entry) : program.original->copied(entry));
        m_used.insert(folder + std::string(entry["path_name"].text().value_or("")));
        ofKind.erase(name);
    });
    for (const auto &[name, weight] : ofKind) {
        if (isUnchanged(program, *weight))
            continue; // this weight has no bytes in the file
        add(name, payload(*weight, kind));
        isSame = false;
    }
    if (!isSame)
        m_changes.texts[path] = "{\"config\":{" + list + "}}";
    m_hasChanged |= !isSame;
}

/// Drops the members of weights to which no list refers any more, if any list has changed.
void WeightWriter::dropUnused()
{
    for (const archive::Member &member : m_package.zip.members())
        for (const std::string_view stem : {"data/weights/weight_", "data/constants/tensor_"})
            if (m_hasChanged && m_package.relative(member).starts_with(stem) && !m_used.contains(member.name))
                m_changes.dropped.emplace(member.name);
}

} // namespace

std::vector<Weight> weightsOf(const ir::Model &model, const ir::Function &function)
{
    std::vector<Weight> weights;
    const auto add = [&](std::string_view target, ir::TensorId id, const ir::ValueRef &value) {
        const ir::Tensor &tensor = model.at(id);
        const bool isStored = tensor.kind == ir::Tensor::Kind::Parameter
            || (tensor.kind == ir::Tensor::Kind::Buffer && tensor.persistent);
        weights.push_back({std::string(target), id, !isStored, deviceOf(value)});
    };
    std::set<std::uint32_t> isSigned;
    for (const ir::FunctionInput &input : function.inputs)
        if (const auto *value = input.value.as<ir::ValueId>(); value && input.tensor) {
            isSigned.insert(value->index);
            add(model.context->text(input.target), *input.tensor, {function.graph, *value});
        }
    for (std::uint32_t i = 0; i < function.graph.valueCount(); ++i) {
        const ir::ValueRef value(function.graph, ir::ValueId{i});
        if (const auto tensor = value.weight(); tensor && !isSigned.contains(i) && !value->uses.empty())
            add(model.context->text(model.at(*tensor).name), *tensor, value);
    }
    return weights;
}

void changeWeights(MemberChanges &changes, const ir::Model &model, const Package &package,
                   const std::vector<WrittenProgram> &programs)
{
    WeightWriter writer(changes, model, package);
    for (const WrittenProgram &program : programs)
        writer.write(program);
    writer.dropUnused();
}

} // namespace cutaway::formats::pt2
