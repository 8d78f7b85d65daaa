// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/flattened_inputs.h"

#include "core/convert/preparation.h"
#include "core/convert/translation.h"
#include "core/ir/context.h"

#include <algorithm>

namespace cutaway::convert {

namespace {

using ir::Operand;
using ir::ValueId;
using ops::Fact;

class InputFlattening {
public:
    InputFlattening(const ir::Model &model, ir::FunctionId function, const analysis::Given &given)
        : m_made{model, given},
          m_function(m_made.model.functions[function.index]),
          m_graph(m_function.graph),
          m_context(*model.context)
    {
    }

    FlattenedInputs run()
    {
        if (const auto &nodes = m_graph.at(ir::Graph::body).nodes; !nodes.empty())
            m_first = nodes.front();
        for (ir::FunctionInput &input : std::exchange(m_function.inputs, {})) {
            if (const auto fact = containerOf(input))
                flatten(input, *fact);
            else if (m_hasFlattened)
                moveBack(input);
            else
                m_function.inputs.push_back(std::move(input));
        }
        return std::move(m_made);
    }

private:
    std::string_view text(ir::NameId name) const { return m_context.text(name); }

    /// Returns the fact of an input that can be flattened, as the user gives it or its type declares it; nothing for
    /// other inputs.
    std::optional<Fact> containerOf(const ir::FunctionInput &input) const
    {
        const auto *value = input.value.as<ValueId>();
        if (!value || input.kind != ir::FunctionInput::Kind::User || !isInput(*value)
            || m_graph.at(*value).uses.empty())
            return std::nullopt;
        const auto found = m_made.given.inputs.find(text(input.name));
        Fact fact =
            found == m_made.given.inputs.end() ? ops::factOf(m_context, m_graph.at(*value).type) : found->second;
        const bool isContainer = fact.as<ops::SequenceFact>() || fact.as<ops::DictFact>();
        return isContainer && isKnown(fact) ? std::optional(std::move(fact)) : std::nullopt;
    }

    static bool isKnown(const Fact &fact)
    {
        if (const auto *list = fact.as<ops::SequenceFact>())
            return list->items() && std::ranges::all_of(list->each(), isKnown);
        if (const auto *dict = fact.as<ops::DictFact>()) {
            const ops::DictFact::Entries *entries = dict->entries();
            bool areKnown = entries != nullptr;
            for (std::size_t i = 0; areKnown && i < entries->size(); ++i)
                areKnown = i % 2 == 0 ? keyOf((*entries)[i]).has_value() : isKnown((*entries)[i]);
            return areKnown;
        }
        return constantOf(fact) || onnxType(fact);
    }

    static std::optional<std::string> keyOf(const Fact &fact)
    {
        if (const auto *key = fact.as<ops::TextFact>())
            return key->text;
        const auto size = ops::asInt(fact);
        const auto number = size ? ops::number(*size) : std::nullopt;
        return number ? std::optional(std::to_string(*number)) : std::nullopt;
    }

    void flatten(const ir::FunctionInput &input, const Fact &fact)
    {
        m_hasFlattened = true;
        const std::string name(text(input.name));
        m_made.given.inputs.erase(name);
        const ValueId before = *input.value.as<ValueId>();
        const Operand made = partOf(fact, name, m_graph.at(before).type);
        takePlace(before, made);
    }

    /// Returns an operand for a part of an input that has this fact; new inputs stand for the tensors in the part.
    Operand partOf(const Fact &fact, const std::string &name, ir::TypeId type)
    {
        if (const auto *list = fact.as<ops::SequenceFact>()) {
            std::vector<Operand> items;
            for (const Fact &item : list->each())
                items.push_back(partOf(item, name + "." + std::to_string(items.size()), elementOf(type, items.size())));
            return made(list->kind == ir::List::Kind::Tuple ? "TupleConstruct" : "ListConstruct", std::move(items),
                        type);
        }
        if (const auto *dict = fact.as<ops::DictFact>()) {
            std::vector<Operand> items;
            const ops::DictFact::Entries &entries = *dict->entries();
            for (std::size_t i = 0; i + 1 < entries.size(); i += 2) {
                const Fact &key = entries[i];
                items.push_back(key.as<ops::TextFact>() ? Operand(ir::String{m_context.name(*keyOf(key))})
                                                        : *constantOf(key));
                items.push_back(partOf(entries[i + 1], name + "." + *keyOf(key), elementOf(type, 1)));
            }
            return made("DictConstruct", std::move(items), type);
        }
        if (const auto constant = constantOf(fact))
            return *constant;
        const ir::NameId id = m_context.name(name);
        const bool isTensor = ops::asTensor(fact) != nullptr;
        const ValueId value = m_graph.addInput(ir::Graph::body, id, isTensor ? m_context.type(*onnxType(fact)) : type);
        m_function.inputs.push_back({id, ir::FunctionInput::Kind::User, value, {}, {}});
        m_made.given.inputs.emplace(name, fact);
        return value;
    }

    /// Returns the type of an item, as the container's type declares it.
    ir::TypeId elementOf(ir::TypeId type, std::size_t position) const
    {
        const auto *declared = std::get_if<ir::CompoundType>(&m_context.at(type));
        using Kind = ir::CompoundType::Kind;
        if (declared && declared->kind == Kind::Optional)
            return elementOf(declared->elements[0], position);
        if (declared && declared->kind == Kind::List)
            position = 0;
        return declared && position < declared->elements.size() ? declared->elements[position] : ir::TypeId{};
    }

    Operand made(std::string_view op, std::vector<Operand> items, ir::TypeId type)
    {
        ir::NodeDraft draft;
        draft.op = m_context.op("prim", op);
        for (Operand &item : items)
            draft.arguments.push_back({{}, std::move(item)});
        const ir::NodeId node = m_first ? m_graph.insertBefore(*m_first, std::move(draft))
                                        : m_graph.append(ir::Graph::body, std::move(draft));
        return m_graph.addOutput(node, {}, type);
    }

    /// Keeps the order of inputs: each input after a flattened one is made anew.
    void moveBack(ir::FunctionInput input)
    {
        if (const auto *value = input.value.as<ValueId>(); value && isInput(*value)) {
            const ValueId before = *value;
            const ValueId made = m_graph.addInput(ir::Graph::body, m_graph.at(before).name, m_graph.at(before).type);
            takePlace(before, made);
            input.value = made;
        }
        m_function.inputs.push_back(std::move(input));
    }

    bool isInput(ValueId value) const { return std::holds_alternative<ir::RegionInput>(m_graph.at(value).definition); }

    void takePlace(ValueId before, const Operand &made)
    {
        m_graph.replaceUses(before, made);
        for (ir::FunctionOutput &output : m_function.outputs)
            ir::replaceValue(output.value, before, made);
        m_graph.removeInput(ir::Graph::body, std::get<ir::RegionInput>(m_graph.at(before).definition).index);
    }

    FlattenedInputs m_made;
    ir::Function &m_function;
    ir::Graph &m_graph;
    ir::Context &m_context;
    std::optional<ir::NodeId> m_first; ///< the first node that the function had before new ones were made
    bool m_hasFlattened = false;
};

} // namespace

FlattenedInputs withFlattenedInputs(const ir::Model &model, ir::FunctionId function, const analysis::Given &given)
{
    return InputFlattening(model, function, given).run();
}

} // namespace cutaway::convert
