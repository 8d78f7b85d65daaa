// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/ir/text/function_parser.h"

#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/ir/text/text_words.h"
#include "core/ir/text/type_names.h"
#include "core/ir/text/type_parser.h"

#include <algorithm>

namespace cutaway::ir {

namespace {

class FunctionParser {
public:
    FunctionParser(TextLexer &lexer, Context &context, TextTables &tables, Function::Kind kind)
        : m_lexer(lexer),
          m_context(context),
          m_tables(tables),
          m_operands(lexer, context, tables.labels)
    {
        m_function.kind = kind;
        m_operands.setValues(&m_values);
    }

    FunctionDraft take(std::uint32_t index)
    {
        const std::size_t start = m_lexer.position();
        const FunctionId slot = m_operands.takeFunction();
        if (m_lexer.failed())
            return {};
        if (!m_tables.labels.functions.define(slot.index, index))
            m_lexer.failWith("a function of this label is there already", start);
        m_function.name = m_tables.labels.functions.entries()[slot.index].name;
        takeInputs();
        const bool hasOutputs = m_lexer.accept("->");
        if (hasOutputs)
            takeOutputs();
        takeClauses();
        m_lexer.expect("{");
        takeStatements(m_function.graph.body, !hasOutputs);
        finishValues();
        return std::move(m_function);
    }

private:
    // ---- values

    ValueId takeDefinition()
    {
        const std::size_t start = m_lexer.position();
        const ValueId value = m_operands.takeValue();
        const TypeId type = m_lexer.accept(":") ? parseType(m_lexer, m_context) : TypeId{};
        if (m_lexer.failed())
            return value;
        const auto &entry = m_values.entries()[value.index];
        if (!m_values.define(value.index, value.index))
            m_lexer.failWith("%" + sanitized(m_context.text(entry.name)) + " is defined twice; write the second as %"
                                 + sanitized(m_context.text(entry.name)) + "#1",
                             start);
        auto &values = m_function.graph.values;
        values.resize(std::max<std::size_t>(values.size(), value.index + 1));
        values[value.index] = {entry.name, type, {}};
        return value;
    }

    /// Reports values that are used but not defined: buildGraph() relies on all being defined.
    void finishValues()
    {
        for (const auto &entry : m_values.entries())
            if (!entry.target && !m_lexer.failed())
                m_lexer.failWith("%" + sanitized(m_context.text(entry.name)) + " is not defined", entry.position);
        m_function.graph.values.resize(m_values.entries().size());
    }

    NameId nameOf(const Operand &operand) const
    {
        const auto *value = operand.as<ValueId>();
        return value && !m_lexer.failed() ? m_values.entries()[value->index].name : NameId{};
    }

    // ---- the signature

    void takeInputs()
    {
        m_lexer.expect("(");
        while (!m_lexer.failed() && !m_lexer.accept(")")) {
            if (m_lexer.acceptWord("unlisted"))
                m_function.graph.body.inputs.push_back(takeDefinition());
            else
                takeInput();
            if (!m_lexer.startsWith(")"))
                m_lexer.expect(",");
        }
    }

    template <class Kind, class Names>
    Kind takeKind(const Names &names)
    {
        const auto kind = kindNamed<Kind>(names, m_lexer.peekWord());
        if (kind)
            m_lexer.acceptWord(m_lexer.peekWord());
        return kind.value_or(Kind::User);
    }

    void takeInput()
    {
        FunctionInput input;
        input.kind = takeKind<FunctionInput::Kind>(inputKinds);
        const bool isWeight = m_lexer.acceptWord("weight");
        if (isWeight) {
            const ValueId value = takeDefinition();
            m_function.graph.body.weights.push_back(value);
            input.value = value;
        } else if (m_lexer.acceptWord("ref")) {
            input.value = m_operands.take();
        } else {
            const ValueId value = takeDefinition();
            m_function.graph.body.inputs.push_back(value);
            input.value = value;
        }
        input.name = m_lexer.acceptWord("named") ? takeTextName() : nameOf(input.value);
        if (m_lexer.accept("="))
            input.tensor = m_operands.takeTensor();
        else if (isWeight)
            m_lexer.fail("'=' and the weight's tensor");
        if (m_lexer.acceptWord("default"))
            input.defaultValue = m_operands.take();
        if (isWeight && !m_lexer.failed())
            m_function.graph.values[input.value.as<ValueId>()->index].weight = input.tensor;
        input.target = m_lexer.acceptWord("target") ? takeTextName() : NameId{};
        m_function.inputs.push_back(std::move(input));
    }

    FunctionOutput takeOutput()
    {
        FunctionOutput output;
        output.kind = takeKind<FunctionOutput::Kind>(outputKinds);
        output.value = m_operands.take();
        output.name = m_lexer.acceptWord("named") ? takeTextName() : nameOf(output.value);
        output.target = m_lexer.acceptWord("target") ? takeTextName() : NameId{};
        return output;
    }

    void takeOutputs()
    {
        m_lexer.expect("(");
        while (!m_lexer.failed() && !m_lexer.accept(")")) {
            m_function.outputs.push_back(takeOutput());
            if (!m_lexer.startsWith(")"))
                m_lexer.expect(",");
        }
    }

    void takeClauses()
    {
        while (!m_lexer.failed() && !m_lexer.startsWith("{")) {
            if (m_lexer.acceptWord("attributes")) {
                m_function.attributes = m_operands.takeArguments();
            } else if (m_lexer.acceptWord("doc")) {
                m_function.documentation = m_lexer.takeText();
            } else if (m_lexer.acceptWord("next")) {
                m_lexer.expect("#");
                m_function.graph.nodeCount = m_lexer.takeInteger<std::uint32_t>();
            } else {
                m_lexer.fail("'->', 'attributes', 'doc', 'next' or '{'");
            }
        }
    }

    NameId takeTextName() { return m_context.name(m_lexer.takeText()); }

    // ---- regions and nodes

    /// Parses statements up to the closing brace. If `isBody`, `return` also sets the function's outputs.
    void takeStatements(GraphDraft::DraftRegion &region, bool isBody)
    {
        if (++m_depth > limits::maxNesting)
            m_lexer.failWith("regions are nested more than " + std::to_string(limits::maxNesting) + " deep");
        while (!m_lexer.failed() && !m_lexer.accept("}")) {
            if (m_lexer.acceptWord("return")) {
                takeReturn(region, isBody);
                m_lexer.expect("}");
                break;
            }
            if (m_lexer.acceptWord("weight"))
                takeWeight(region);
            else
                takeNode(region);
        }
        --m_depth;
    }

    void takeReturn(GraphDraft::DraftRegion &region, bool isBody)
    {
        do {
            if (isBody) {
                m_function.outputs.push_back(takeOutput());
                region.outputs.push_back(m_function.outputs.back().value);
            } else {
                region.outputs.push_back(m_operands.take());
            }
        } while (m_lexer.accept(","));
    }

    void takeWeight(GraphDraft::DraftRegion &region)
    {
        const ValueId weight = takeDefinition();
        m_lexer.expect("=");
        const TensorId tensor = m_operands.takeTensor();
        if (m_lexer.failed())
            return;
        m_function.graph.values[weight.index].weight = tensor;
        region.weights.push_back(weight);
    }

    void takeNode(GraphDraft::DraftRegion &region)
    {
        GraphDraft::DraftNode node;
        node.id = {m_lexer.accept("#") ? m_lexer.takeInteger<std::uint32_t>() : m_nextNode};
        m_nextNode = node.id.index + 1;
        if (m_lexer.peek() == '%') {
            do
                node.outputs.push_back(takeDefinition());
            while (m_lexer.accept(","));
            m_lexer.expect("=");
        }
        node.node.op = m_operands.takeOperator();
        node.node.arguments = m_operands.takeArguments();
        if (m_lexer.failed())
            return;
        node.node.name = node.outputs.empty() ? NameId{} : m_values.entries()[node.outputs[0].index].name;
        takeNodeClauses(node);
        region.nodes.push_back(std::move(node));
    }

    void takeNodeClauses(GraphDraft::DraftNode &node)
    {
        while (!m_lexer.failed()) {
            if (m_lexer.acceptWord("name"))
                node.node.name = takeTextName();
            else if (m_lexer.acceptWord("in"))
                node.node.scope = m_tables.scopes.at(m_tables.scopes.takeLabel());
            else if (m_lexer.acceptWord("at"))
                node.node.location = takeLocation();
            else if (m_lexer.acceptWord("from"))
                node.node.origins = takeOrigins();
            else if (m_lexer.acceptWord("meta"))
                node.node.metadata = takeMetadata();
            else if (m_lexer.acceptWord("region"))
                takeRegion(node);
            else
                return;
        }
    }

    LocationId takeLocation()
    {
        const std::size_t start = m_lexer.position();
        if (m_lexer.accept("!"))
            return {m_tables.locations.slotOfNumber(m_lexer.takeInteger<std::uint64_t>(), start)};
        return {m_tables.locations.slotOf(parsePlace(m_lexer, m_context))};
    }

    std::vector<NodeId> takeOrigins()
    {
        std::vector<NodeId> origins;
        do {
            m_lexer.expect("#");
            origins.push_back({m_lexer.takeInteger<std::uint32_t>()});
        } while (m_lexer.accept(","));
        return origins;
    }

    std::vector<std::pair<NameId, NameId>> takeMetadata()
    {
        std::vector<std::pair<NameId, NameId>> metadata;
        m_lexer.expect("{");
        while (!m_lexer.failed() && !m_lexer.accept("}")) {
            const NameId key = takeTextName();
            m_lexer.expect("=");
            metadata.emplace_back(key, takeTextName());
            if (!m_lexer.startsWith("}"))
                m_lexer.expect(",");
        }
        return metadata;
    }

    void takeRegion(GraphDraft::DraftNode &node)
    {
        GraphDraft::DraftRegion region;
        if (m_lexer.peek() == '"')
            region.name = takeTextName();
        if (m_lexer.accept("("))
            while (!m_lexer.failed() && !m_lexer.accept(")")) {
                region.inputs.push_back(takeDefinition());
                if (!m_lexer.startsWith(")"))
                    m_lexer.expect(",");
            }
        m_lexer.expect("{");
        takeStatements(region, false);
        node.regions.push_back(std::move(region));
    }

    TextLexer &m_lexer;
    Context &m_context;
    TextTables &m_tables;
    OperandParser m_operands;
    LabelTable m_values;
    FunctionDraft m_function;
    std::uint32_t m_nextNode = 0;
    int m_depth = 0;
};

} // namespace

FunctionDraft parseFunction(TextLexer &lexer, Context &context, TextTables &tables, Function::Kind kind,
                            std::uint32_t index)
{
    return FunctionParser(lexer, context, tables, kind).take(index);
}

Location parsePlace(TextLexer &lexer, Context &context)
{
    Location location;
    location.file = context.name(lexer.takeText());
    location.line = lexer.accept(":") ? lexer.takeInteger<std::uint32_t>() : 0;
    return location;
}

} // namespace cutaway::ir
