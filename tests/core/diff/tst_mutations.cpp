// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/text/operand_printer.h"

#include "compared.h"

#include <algorithm>
#include <array>
#include <random>

/// 200 seeded edits of networks whose blocks are alike, so that only the structure around tells nodes apart. Each must
/// be reported, exactly that and nothing else. Edits keep the ids of nodes, which the comparison does not look at.
namespace cutaway::test {
namespace {

constexpr int blocks = 5, edits = 200;

std::string header()
{
    return R"(storage 0: 4096 bytes missing "a test"
        tensor @k: float32[8, 8, 3, 3] parameter in storage 0
        tensor @w: float32[8, 8] parameter in storage 0
        tensor @b: float32[8] parameter in storage 0
        )";
}

std::string weightLines()
{
    return "weight %k: float32[8, 8, 3, 3] = @k weight %w: float32[8, 8] = @w weight %b: float32[8] = @b\n";
}

std::string numbered(std::string text, int i)
{
    for (std::size_t at = text.find('#'); at != text.npos; at = text.find('#'))
        text.replace(at, 1, std::to_string(i));
    for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<'))
        text.replace(at, 1, std::to_string(i - 1));
    return text;
}

/// `block` as often as there are blocks; # is its number and < that of the one before. The last value is %x#.
std::string network(const std::string &input, const std::string &block)
{
    std::string text = header() + "graph @forward(%x0: " + input + ") {" + weightLines();
    for (int i = 1; i <= blocks; ++i)
        text += numbered(block, i);
    return text + "return %x" + std::to_string(blocks) + " }";
}

const std::array networks{
    network("float32[1, 8, 9, 9]", R"(
        %c# = aten::conv2d(input=%x<, weight=%k, bias=none, stride=[1, 1], padding=[1, 1])
        %n# = aten::batch_norm(input=%c#, weight=%b, bias=%b, running_mean=%b, running_var=%b, training=false,
            momentum=0.1, eps=1e-05, cudnn_enabled=true)
        %r# = aten::relu(self=%n#)
        %d# = aten::conv2d(input=%r#, weight=%k, bias=%b, stride=[1, 1], padding=[1, 1])
        %s# = aten::add(self=%d#, other=%x<, alpha=1)
        %x# = aten::relu(self=%s#)
        )"),
    network("float32[2, 4, 8]", R"(
        %n# = aten::layer_norm(input=%x<, normalized_shape=[8], weight=%b, bias=%b, eps=1e-05)
        %q# = aten::linear(input=%n#, weight=%w, bias=%b)
        %k# = aten::linear(input=%n#, weight=%w, bias=%b)
        %v# = aten::linear(input=%n#, weight=%w, bias=%b)
        %a# = aten::scaled_dot_product_attention(query=%q#, key=%k#, value=%v#, dropout_p=0.0)
        %s# = aten::add(self=%a#, other=%x<, alpha=1)
        %l# = aten::linear(input=%s#, weight=%w, bias=%b)
        %g# = aten::silu(self=%l#)
        %x# = aten::mul(self=%g#, other=%s#)
        )"),
    network("float32[1, 8, 9, 9]", R"(
        %c# = onnx::Conv(%x<, %k, %b, pads=[1, 1, 1, 1], strides=[1, 1])
        %g# = onnx::Sigmoid(%c#)
        %m# = onnx::Mul(%c#, %g#)
        %s# = onnx::Add(%m#, %x<)
        %x# = onnx::LeakyRelu(%s#, alpha=0.1)
        )"),
};

/// One edit of a model, and what must be said of it.
class Edit {
public:
    Edit(ir::Model &model, std::mt19937 &random) : m_model(model), m_graph(model.functions[0].graph), m_random(random)
    {
    }

    /// The expected difference; "" if nothing fitting was found.
    std::string apply(unsigned kind)
    {
        switch (kind) {
        case 0:
            return swapOperator();
        case 1:
            return changeArgument();
        case 2:
            return removeNode();
        case 3:
            return insertNode();
        default:
            return rewire();
        }
    }

private:
    std::uint32_t below(std::size_t n) { return static_cast<std::uint32_t>(m_random() % n); }

    std::string_view opName(const ir::Node &node) const
    {
        return m_model.context->text(m_model.context->at(node.op).name);
    }

    std::string name(ir::NodeId node) const { return nameOf(m_graph, node); }
    ir::ValueId result(ir::NodeId node) const { return m_graph.at(node).outputs[0]; }

    template <class Fits>
    std::optional<ir::NodeId> anyNode(const Fits &fits)
    {
        std::vector<ir::NodeId> nodes;
        for (const ir::NodeId node : m_graph.at(ir::Graph::body).nodes)
            if (fits(m_graph.at(node)))
                nodes.push_back(node);
        return nodes.empty() ? std::nullopt : std::optional(nodes[below(nodes.size())]);
    }

    static bool isElementwise(std::string_view op)
    {
        return op == "relu" || op == "silu" || op == "Sigmoid" || op == "LeakyRelu";
    }
    static bool isBinary(std::string_view op) { return op == "add" || op == "mul" || op == "Add" || op == "Mul"; }

    ir::NodeId insertBefore(ir::NodeId next, ir::OpId op, std::vector<ir::Argument> arguments)
    {
        const ir::NameId own = m_model.context->name("new");
        const ir::NodeId made = m_graph.insertBefore(next,
                                                     {.op = op,
                                                      .name = own,
                                                      .scope = {},
                                                      .location = {},
                                                      .arguments = std::move(arguments),
                                                      .origins = {},
                                                      .metadata = {}});
        m_graph.addOutput(made, own, {});
        return made;
    }

    void dissolve(ir::NodeId node, ir::ValueId instead)
    {
        m_graph.replaceUses(result(node), instead);
        m_graph.remove(node);
    }

    std::string swapOperator()
    {
        const auto node = anyNode([](const ir::Node &) { return true; });
        const ir::Operator op = m_model.context->at(m_graph.at(*node).op);
        const std::string_view dialect = m_model.context->text(op.dialect);
        const bool binary = isBinary(opName(m_graph.at(*node)));
        const ir::OpId other = m_model.context->op(
            dialect, dialect == "onnx" ? (binary ? "Sub" : "Softplus") : (binary ? "sub" : "softplus"));
        const std::string was = m_model.context->print(m_graph.at(*node).op);
        const ir::NodeId made = insertBefore(*node, other, m_graph.at(*node).arguments);
        const std::string expected =
            "~ " + name(*node) + ": operator " + was + " -> " + m_model.context->print(other) + "\n";
        dissolve(*node, result(made));
        return expected;
    }

    std::string changeArgument()
    {
        const auto node = anyNode([](const ir::Node &candidate) {
            return std::ranges::any_of(candidate.arguments, [](const auto &given) { return isConstant(given); });
        });
        std::vector<ir::Argument> arguments = m_graph.at(*node).arguments;
        std::uint32_t place = below(arguments.size());
        while (!isConstant(arguments[place]))
            place = below(arguments.size());
        ir::Argument &argument = arguments[place];
        const std::string was = text(argument.value);
        if (auto *number = std::get_if<std::int64_t>(&argument.value.v))
            *number += 1;
        else if (auto *real = std::get_if<double>(&argument.value.v))
            *real += 0.5;
        else if (auto *flag = std::get_if<bool>(&argument.value.v))
            *flag = !*flag;
        else
            std::get<ir::List>(argument.value.v).items[0] = std::int64_t{2};
        const std::string expected = "~ " + name(*node) + ": " + std::string(m_model.context->text(argument.name)) + " "
            + was + " -> " + text(argument.value) + "\n";
        const bool isSame = was == text(argument.value);
        m_graph.setArguments(*node, std::move(arguments));
        return isSame ? "" : expected;
    }

    static bool isConstant(const ir::Argument &argument)
    {
        const auto *list = argument.value.as<ir::List>();
        return argument.value.as<std::int64_t>() || argument.value.as<double>() || argument.value.as<bool>()
            || (list && list->items[0].as<std::int64_t>());
    }

    std::string text(const ir::Operand &operand) const
    {
        std::string out;
        ir::OperandPrinter(out, m_model).append(operand);
        return out;
    }

    std::string removeNode()
    {
        const auto node = anyNode([&](const ir::Node &candidate) {
            return isElementwise(opName(candidate)) || isBinary(opName(candidate)) || opName(candidate) == "batch_norm";
        });
        const std::string expected = "- " + name(*node) + "\n";
        dissolve(*node, *m_graph.at(*node).arguments[0].value.as<ir::ValueId>());
        return expected;
    }

    std::string insertNode()
    {
        const auto node = anyNode([](const ir::Node &) { return true; });
        const ir::Operator op = m_model.context->at(m_graph.at(*node).op);
        const bool isOnnx = m_model.context->text(op.dialect) == "onnx";
        std::vector<ir::Argument> arguments = m_graph.at(*node).arguments;
        const ir::ValueId read = *arguments[0].value.as<ir::ValueId>();
        const ir::NodeId made =
            insertBefore(*node, isOnnx ? m_model.context->op("onnx", "Tanh") : m_model.context->op("aten", "tanh"),
                         {{isOnnx ? ir::NameId{} : m_model.context->name("self"), read}});
        arguments[0].value = result(made);
        m_graph.setArguments(*node, std::move(arguments));
        return "+ new\n";
    }

    /// Another operand of the same type for a sum or product.
    std::string rewire()
    {
        const auto node = anyNode([&](const ir::Node &candidate) { return isBinary(opName(candidate)); });
        std::vector<ir::Argument> arguments = m_graph.at(*node).arguments;
        const std::uint32_t place = below(2);
        const ir::ValueId was = *arguments[place].value.as<ir::ValueId>();
        std::vector<ir::ValueId> before{m_graph.at(ir::Graph::body).inputs[0]};
        for (const ir::NodeId other : m_graph.at(ir::Graph::body).nodes) {
            if (other == *node)
                break;
            before.push_back(result(other));
        }
        const ir::ValueId is = before[below(before.size())];
        if (is == was)
            return {};
        const std::string what = arguments[place].name == ir::NameId{}
            ? std::to_string(place)
            : std::string(m_model.context->text(arguments[place].name));
        arguments[place].value = is;
        m_graph.setArguments(*node, std::move(arguments));
        return "~ " + name(*node) + ": " + what + " %" + valueName(was) + " -> %" + valueName(is) + "\n";
    }

    std::string valueName(ir::ValueId value) const
    {
        return std::string(m_model.context->text(m_graph.at(value).name));
    }

    ir::Model &m_model;
    ir::Graph &m_graph;
    std::mt19937 &m_random;
};

class Mutations : public ::testing::TestWithParam<bool> { };

TEST_P(Mutations, areReportedAndNothingElse)
{
    std::mt19937 random(20);
    std::vector<Analysed> originals;
    for (const std::string &text : networks)
        originals.emplace_back(parsed(text));
    for (int done = 0, tried = 0; done < edits; ++tried) {
        const Analysed &original = originals[random() % originals.size()];
        ir::Model changed = original.model;
        const std::string expected = Edit(changed, random).apply(static_cast<unsigned>(tried % 5));
        if (expected.empty())
            continue;
        ++done;
        const Analysed other(std::move(changed));
        const diff::Side a = original.side(), b = other.side();
        EXPECT_EQ(print(diff::compare(a, b, {.useNames = GetParam()}), a.graph(), b.graph()), expected)
            << "edit " << tried << "\n"
            << ir::printText(other.model, ir::TextForm::Reading);
    }
}

INSTANTIATE_TEST_SUITE_P(Names, Mutations, ::testing::Values(true, false),
                         [](const auto &row) { return row.param ? "used" : "notUsed"; });

} // namespace
} // namespace cutaway::test
