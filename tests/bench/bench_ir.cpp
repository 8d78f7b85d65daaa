// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// bench_ir [NODES]: what a node of the IR costs, in bytes taken from malloc and in CPU time, on a residual chain like a
// real network's: convolutions with a weight and attributes, every third node an addition; names, scopes and places
// differ.

#include "core/ir/context.h"
#include "core/ir/json/json.h"
#include "core/ir/text/text.h"
#include "core/ir/verify.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <malloc.h>

using namespace cutaway;
using namespace cutaway::ir;

namespace {

std::size_t allocated()
{
    const auto info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/// Runs `work` and prints its CPU time and what it left allocated, per node too.
template <class Work>
auto measured(const char *what, std::size_t nodes, Work work)
{
    const std::size_t before = allocated();
    const std::clock_t start = std::clock();
    auto result = work();
    const double milliseconds = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    const auto bytes = static_cast<double>(allocated()) - static_cast<double>(before);
    std::printf("%-16s %9.2f ms %9.0f ns/node %9.1f MiB kept %8.1f bytes/node\n", what, milliseconds,
                1e6 * milliseconds / static_cast<double>(nodes), bytes / 1048576, bytes / static_cast<double>(nodes));
    return result;
}

class Builder {
public:
    Model build(std::uint32_t nodes)
    {
        m_model.storages.push_back({NoBytes{"benchmark"}, 4 * 64 * 64 * 9});
        Tensor weight;
        weight.shape = {64, 64, 3, 3};
        m_model.tensors.push_back(weight);
        Graph graph(m_model.context);
        const ValueId input = graph.addInput(Graph::body, name("x"), m_type);
        ValueId skip = input, last = input;
        for (std::uint32_t i = 0; i < nodes; ++i) {
            const bool add = i % 3 == 2;
            const NodeId node = graph.append(Graph::body, add ? addition(i, skip, last) : convolution(graph, i, last));
            last = graph.addOutput(node, graph.at(node).name, m_type);
            skip = add ? last : skip;
        }
        graph.setOutputs(Graph::body, {last});
        const NameId outputName = graph.at(last).name;
        m_model.functions.push_back({name("forward"),
                                     Function::Kind::Main,
                                     std::move(graph),
                                     {{name("x"), FunctionInput::Kind::User, input, {}, {}}},
                                     {{outputName, FunctionOutput::Kind::User, last, {}}},
                                     {},
                                     {}});
        return std::move(m_model);
    }

private:
    NameId name(std::string_view text) { return m_context.name(text); }

    NodeDraft draft(std::uint32_t i, const char *opName, std::vector<Argument> arguments)
    {
        const std::string layer = "layer" + std::to_string(i / 1000);
        NodeDraft draft;
        draft.op = m_context.op("aten", opName, "default");
        draft.name = name(std::string(opName) + "_" + std::to_string(i));
        draft.scope = m_context.childScope(m_context.childScope({}, layer, "Sequential"), std::to_string(i / 10 % 100));
        draft.location = m_context.location({name("net.py"), i % 500 + 1, name("forward"), {}, {}});
        draft.arguments = std::move(arguments);
        return draft;
    }

    NodeDraft addition(std::uint32_t i, ValueId a, ValueId b) { return draft(i, "add", {{m_input, a}, {m_other, b}}); }

    NodeDraft convolution(Graph &graph, std::uint32_t i, ValueId input)
    {
        const ValueId weight = graph.addWeight(Graph::body, name("w_" + std::to_string(i)), m_weightType, TensorId{});
        const Operand ones = List{{std::int64_t{1}, std::int64_t{1}}};
        return draft(i, "conv2d", {{m_input, input}, {m_weight, weight}, {m_stride, ones}, {m_padding, ones}});
    }

    Model m_model;
    Context &m_context = *m_model.context;
    TypeId m_type =
        m_context.type(TensorType{DType::Float32,
                                  Shape{std::int64_t{1}, std::int64_t{64}, std::int64_t{56}, std::int64_t{56}},
                                  {},
                                  {},
                                  Layout::Strided,
                                  false});
    TypeId m_weightType =
        m_context.type(TensorType{DType::Float32,
                                  Shape{std::int64_t{64}, std::int64_t{64}, std::int64_t{3}, std::int64_t{3}},
                                  {},
                                  {},
                                  Layout::Strided,
                                  false});
    NameId m_input = name("input"), m_other = name("other"), m_weight = name("weight"), m_stride = name("stride"),
           m_padding = name("padding");
};

} // namespace

int main(int argc, char **argv)
{
    const auto nodes = static_cast<std::uint32_t>(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100'000);
    std::printf("%u nodes; sizeof Node %zu, Value %zu, Operand %zu, Argument %zu\n", nodes, sizeof(Node), sizeof(Value),
                sizeof(Operand), sizeof(Argument));
    const Model model = measured("build", nodes, [&] { return Builder().build(nodes); });
    Model copy = measured("copy", nodes, [&] { return model; });
    measured("edit one in 1000", nodes, [&] {
        for (std::uint32_t i = 0; i < nodes; i += 1000)
            copy.functions[0].graph.setScope({i}, {});
        return 0;
    });
    const auto findings = measured("verify", nodes, [&] { return verify(model); });
    const std::string text = measured("print text", nodes, [&] { return printText(model); });
    const auto read = measured("parse text", nodes, [&] { return parseText(text); });
    const std::string json = measured("print JSON", nodes, [&] { return printJson(model); });
    const auto readJson = measured("parse JSON", nodes, [&] { return parseJson(json); });
    const bool same = findings.empty() && read && readJson && printText(*read) == text && printText(*readJson) == text;
    std::printf("text %.1f MiB, JSON %.1f MiB, both read back %s\n", static_cast<double>(text.size()) / 1048576,
                static_cast<double>(json.size()) / 1048576, same ? "the same" : "DIFFERENT");
    return same ? 0 : 1;
}
