// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/onnxruntime/node_naming.h"

#include "core/protocol/made_names.h"

#include <cstdint>
#include <map>

// ONNX Runtime gives a node without a name the name OPERATOR_INDEX, which another node may have. So the protobuf
// message of the model is rewritten with other names of nodes; everything else is copied byte by byte.

namespace cutaway::plugins {

namespace {

/// Thrown if the bytes are no protobuf message.
struct Misunderstood { };

constexpr int maxDepth = 64; ///< the limit of graphs inside each other

struct Field {
    std::uint64_t tag = 0;
    std::string_view whole;   ///< the field with its tag and length
    std::string_view payload; ///< the bytes of a length-delimited field
};

constexpr std::uint64_t bytesTag(std::uint64_t number) { return number << 3 | 2; }

// Fields of ModelProto, GraphProto, NodeProto and AttributeProto.
constexpr std::uint64_t modelGraph = bytesTag(7), graphNode = bytesTag(1), nodeOutput = bytesTag(2),
                        nodeName = bytesTag(3), nodeOperator = bytesTag(4), nodeAttribute = bytesTag(5),
                        attributeGraph = bytesTag(6), attributeGraphs = bytesTag(11);

std::uint64_t takeVarint(std::string_view &rest)
{
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (rest.empty())
            throw Misunderstood();
        const auto byte = static_cast<unsigned char>(rest.front());
        rest.remove_prefix(1);
        value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
        if (byte < 0x80)
            return value;
    }
    throw Misunderstood();
}

std::string_view take(std::string_view &rest, std::uint64_t size)
{
    if (size > rest.size())
        throw Misunderstood();
    const std::string_view taken = rest.substr(0, size);
    rest.remove_prefix(size);
    return taken;
}

template <class Visit>
void forEachField(std::string_view message, const Visit &visit)
{
    while (!message.empty()) {
        const char *const start = message.data();
        Field field{takeVarint(message), {}, {}};
        switch (field.tag & 7) {
        case 0:
            takeVarint(message);
            break;
        case 1:
            take(message, 8);
            break;
        case 2:
            field.payload = take(message, takeVarint(message));
            break;
        case 5:
            take(message, 4);
            break;
        default:
            throw Misunderstood();
        }
        field.whole = {start, static_cast<std::size_t>(message.data() - start)};
        visit(field);
    }
}

void putVarint(std::string &out, std::uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        out += static_cast<char>(value | 0x80);
    out += static_cast<char>(value);
}

void put(std::string &out, std::uint64_t tag, std::string_view payload)
{
    putVarint(out, tag);
    putVarint(out, payload.size());
    out += payload;
}

struct Node {
    std::string_view name, firstOutput, op;
};

Node nodeOf(std::string_view message)
{
    Node node;
    forEachField(message, [&](const Field &field) {
        if (field.tag == nodeName)
            node.name = field.payload;
        else if (field.tag == nodeOperator)
            node.op = field.payload;
        else if (field.tag == nodeOutput && node.firstOutput.empty())
            node.firstOutput = field.payload;
    });
    return node;
}

class Naming {
public:
    /// Counts how many nodes of a graph have each name. Constants are left out, because no time is measured for them.
    void count(std::string_view graph, int depth = 0)
    {
        forEachNode(graph, depth, [&](std::string_view message) {
            if (const Node node = nodeOf(message); !isConstant(node))
                ++m_uses[node.name];
            forEachField(message, [&](const Field &field) {
                if (field.tag == nodeAttribute)
                    forEachField(field.payload, [&](const Field &part) {
                        if (isGraph(part))
                            count(part.payload, depth + 1);
                    });
            });
        });
    }

    /// Whether a node needs a name.
    bool isNeeded() const
    {
        for (const auto &[name, uses] : m_uses)
            if (uses > 1 || !protocol::isPlainName(name))
                return true;
        return false;
    }

    std::string named(std::string_view graph)
    {
        std::string out;
        forEachField(graph, [&](const Field &field) {
            if (field.tag == graphNode)
                put(out, graphNode, namedNode(field.payload));
            else
                out += field.whole;
        });
        return out;
    }

private:
    static bool isConstant(const Node &node) { return node.op == "Constant"; }
    static bool isGraph(const Field &field) { return field.tag == attributeGraph || field.tag == attributeGraphs; }

    template <class Visit>
    static void forEachNode(std::string_view graph, int depth, const Visit &visit)
    {
        if (depth > maxDepth)
            throw Misunderstood();
        forEachField(graph, [&](const Field &field) {
            if (field.tag == graphNode)
                visit(field.payload);
        });
    }

    std::string namedNode(std::string_view message)
    {
        const Node node = nodeOf(message);
        if (isConstant(node))
            return std::string(message);
        const std::size_t nth = ++m_made[node.firstOutput];
        const bool isOwn = m_uses[node.name] == 1 && protocol::isPlainName(node.name);
        std::string out;
        forEachField(message, [&](const Field &field) {
            if (field.tag == nodeAttribute)
                put(out, nodeAttribute, namedAttribute(field.payload));
            else if (field.tag != nodeName || isOwn)
                out += field.whole;
        });
        if (!isOwn && !node.firstOutput.empty())
            put(out, nodeName, protocol::madeName(node.firstOutput, nth));
        return out;
    }

    std::string namedAttribute(std::string_view message)
    {
        std::string out;
        forEachField(message, [&](const Field &field) {
            if (isGraph(field))
                put(out, field.tag, named(field.payload));
            else
                out += field.whole;
        });
        return out;
    }

    std::map<std::string_view, std::size_t> m_uses; ///< by name: how many nodes have it
    std::map<std::string_view, std::size_t> m_made; ///< by name of the first output: how many nodes were met so far
};

} // namespace

std::optional<std::string> withNodeNames(std::string_view model)
try {
    Naming naming;
    forEachField(model, [&](const Field &field) {
        if (field.tag == modelGraph)
            naming.count(field.payload);
    });
    if (!naming.isNeeded())
        return std::nullopt;
    std::string out;
    forEachField(model, [&](const Field &field) {
        if (field.tag == modelGraph)
            put(out, modelGraph, naming.named(field.payload));
        else
            out += field.whole;
    });
    return out;
} catch (const Misunderstood &) {
    return std::nullopt;
}

} // namespace cutaway::plugins
