// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/kernel_bytes.h"

#include "core/analysis/shapes.h"
#include "core/ir/node_ref.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/sequence/address.h"
#include "core/sequence/code/generated_code.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>

// The code is followed statement by statement: it makes buffers (`empty_strided`), gives them other names and shapes
// (`reinterpret_tensor`, `buf2 = buf1`), and passes them to kernels, whose parameters say by their names what is read
// and what is written. A buffer that a kernel both reads and writes, but to which nothing was written before, is not
// read from memory. Sizes of inputs and weights, which the graph has by the same names, come from its analysis, and so
// do the results of library calls. A library call reads and writes what its node does, so it saves nothing.

namespace cutaway::sequence {

namespace {

/// A tensor that a name in the code stands for.
struct Buffer {
    std::size_t storage = 0;
    std::optional<ir::DType> dtype;
    ir::Dim bytes = ir::UnknownDim{};
    std::optional<ir::ValueId> input; ///< the input or weight of the graph; nothing if a kernel makes it
};

/// A graph and the facts of its values, by the names that its text has.
class KnownGraph {
public:
    KnownGraph(const ir::Model &model, const Task &task)
        : m_graph(model.functions.front().graph),
          m_shapes(analysis::inferShapes(model, ir::FunctionId{0}, {}, task))
    {
        for (const ir::NodeRef node : ir::nodesOf(m_graph))
            m_nodes.emplace(node.name(), node);
        for (ir::ValueId id{0}; id.index < m_graph.valueCount(); ++id.index)
            m_values.emplace(ir::ValueRef(m_graph, id).name(), id);
    }

    /// Returns the node with this name, or the node that makes a result with this name: in a printed graph, an item of
    /// a tuple is a node.
    std::optional<ir::NodeRef> node(std::string_view name) const
    {
        if (const auto found = m_nodes.find(name); found != m_nodes.end())
            return ir::NodeRef(m_graph, found->second);
        const auto value = m_values.find(name);
        return value == m_values.end() ? std::nullopt : ir::ValueRef(m_graph, value->second).producer();
    }
    /// Returns the input or weight of a name.
    std::optional<ir::ValueId> source(std::string_view name) const
    {
        const auto found = m_values.find(name);
        const bool isSource = found != m_values.end() && !ir::ValueRef(m_graph, found->second).producer();
        return isSource ? std::optional(found->second) : std::nullopt;
    }
    const ops::TensorFact *tensor(ir::ValueId value) const { return ops::asTensor(m_shapes.of(value)); }
    const ops::Cost &cost(ir::NodeId node) const { return m_shapes.costs[node.index]; }
    ir::Dim moved(ir::NodeId node) const { return ops::plus(cost(node).bytesRead, cost(node).bytesWritten); }

private:
    const ir::Graph &m_graph;
    const analysis::Shapes m_shapes;
    std::unordered_map<std::string_view, ir::NodeId> m_nodes;
    std::unordered_map<std::string_view, ir::ValueId> m_values;
};

ir::Dim dimIn(std::string_view text)
{
    const auto expression = symbolic::parse(text);
    if (!expression)
        return ir::UnknownDim{};
    return expression->kind() == symbolic::Kind::Integer ? ir::Dim(expression->integerValue()) : ir::Dim(*expression);
}

/// Returns the number of elements for a shape in the code: "(4,32)", "(8,)", "()".
ir::Dim elementsIn(std::string_view shape)
{
    ir::Dim elements = std::int64_t{1};
    for (const std::string_view size : argumentsIn(shape))
        if (!size.empty())
            elements = ops::times(elements, dimIn(size));
    return elements;
}

ir::Dim bytesOf(const ir::Dim &elements, std::optional<ir::DType> dtype)
{
    const auto size = dtype ? ir::byteSize(*dtype, 1) : std::nullopt;
    return size ? ops::times(elements, *size) : ir::Dim(ir::UnknownDim{});
}

/// Returns the dtype among arguments: "torch.float32", perhaps after a keyword.
std::optional<ir::DType> dtypeIn(std::span<const std::string_view> arguments)
{
    constexpr std::string_view prefix = "torch.";
    for (const std::string_view argument : arguments)
        if (const std::size_t at = argument.find(prefix); at != std::string_view::npos)
            if (const auto dtype = ir::dtypeFromName(argument.substr(at + prefix.size())))
                return dtype;
    return std::nullopt;
}

/// Follows the statements of the code, and keeps track of the buffers that exist.
class Following {
public:
    Following(const GeneratedCode &code, const KnownGraph &graph) : m_code(code), m_graph(graph) { }

    /// Returns the bytes of each call of a kernel that the code defines, by line. `kernels`: the kernel that a line
    /// calls, by line.
    std::map<std::uint64_t, KernelBytes> run(const std::map<std::uint64_t, const Kernel *> &kernels)
    {
        std::map<std::uint64_t, KernelBytes> bytes;
        for (const CodeStatement &statement : m_code.statements) {
            const auto kernel = kernels.find(statement.line);
            m_kernel = kernel == kernels.end() ? nullptr : kernel->second;
            const KernelDefinition *definition =
                statement.call ? m_code.definition(m_code.calls[*statement.call].kernel) : nullptr;
            if (definition)
                bytes[statement.line] = call(argumentsIn(statement.value), *definition);
            else if (statement.call)
                callLibrary(statement);
            else
                assign(statement);
        }
        return bytes;
    }

private:
    std::size_t newStorage(bool isWritten)
    {
        m_isWritten.push_back(isWritten);
        return m_isWritten.size() - 1;
    }

    Buffer ofGraph(ir::ValueId value)
    {
        const ops::TensorFact *tensor = m_graph.tensor(value);
        return {newStorage(true),
                tensor ? tensor->dtype : std::nullopt,
                tensor ? ops::bytesOf(*tensor) : ir::Dim(ir::UnknownDim{}),
                {}};
    }

    Buffer made(const ir::Dim &elements, std::optional<ir::DType> dtype)
    {
        return {newStorage(false), dtype, bytesOf(elements, dtype), {}};
    }

    void assign(const CodeStatement &statement)
    {
        constexpr std::string_view check = "assert_tensor_metadata";
        if (calledIn(statement.value) == check) {
            const auto arguments = argumentsIn(statement.value);
            const auto known = arguments.size() > 1 ? m_buffers.find(arguments[0]) : m_buffers.end();
            if (known != m_buffers.end() && !ops::isKnown(known->second.bytes)) {
                known->second.dtype = dtypeIn(arguments);
                known->second.bytes = bytesOf(elementsIn(arguments[1]), known->second.dtype);
            }
        } else if (auto buffer = statement.name.empty() ? std::nullopt : bufferOf(statement.value)) {
            m_buffers.insert_or_assign(statement.name, *buffer);
        }
    }

    /// Returns the tensor that an expression gives.
    std::optional<Buffer> bufferOf(std::string_view value)
    {
        const std::string_view called = calledIn(value);
        if (called.starts_with("empty_strided")) {
            const auto arguments = argumentsIn(value);
            return made(elementsIn(arguments.front()), dtypeIn(arguments));
        }
        if (called == "alloc_from_pool") { // the arguments are pool, offset, dtype, shape, strides
            const auto arguments = argumentsIn(value);
            return arguments.size() > 3 ? std::optional(made(elementsIn(arguments[3]), dtypeIn(arguments)))
                                        : std::nullopt;
        }
        if (called == "reinterpret_tensor")
            return viewOf(argumentsIn(value));
        if (!called.empty())
            return std::nullopt;
        return named(value);
    }

    /// Returns the tensor that `reinterpret_tensor` makes from its arguments. Inductor only makes views of named
    /// buffers. Views of other expressions are unknown: to follow them, this would recurse as deep as a file nests
    /// them.
    std::optional<Buffer> viewOf(const std::vector<std::string_view> &arguments)
    {
        auto view = arguments.size() > 1 ? named(arguments[0]) : std::nullopt;
        if (view)
            view->bytes = bytesOf(elementsIn(arguments[1]), view->dtype);
        return view;
    }

    std::optional<Buffer> named(std::string_view name)
    {
        if (const auto known = m_buffers.find(name); known != m_buffers.end())
            return known->second;
        if (const auto item = itemOf(name))
            return item;
        const auto value = m_graph.source(name);
        if (!value)
            return std::nullopt;
        Buffer buffer = ofGraph(*value);
        buffer.input = *value;
        return m_buffers.emplace(name, buffer).first->second;
    }

    /// Returns the tensor of an item such as `buf7[0]` of a library call with several results.
    std::optional<Buffer> itemOf(std::string_view name)
    {
        const auto results = m_results.find(name.substr(0, name.find('[')));
        const ir::Dim index = name.ends_with(']')
            ? dimIn(name.substr(name.find('[') + 1, name.size() - name.find('[') - 2))
            : ir::Dim(ir::UnknownDim{});
        const auto place = ops::number(index);
        if (results == m_results.end() || !place || *place < 0
            || static_cast<std::uint64_t>(*place) >= results->second.outputCount())
            return std::nullopt;
        return ofGraph(results->second.output(static_cast<std::size_t>(*place)));
    }

    /// Follows a library call: its result is that of its node, and is written to the buffer that the argument `out=`
    /// names.
    void callLibrary(const CodeStatement &statement)
    {
        for (const std::string_view argument : argumentsIn(statement.value))
            if (argument.starts_with("out="))
                if (const auto out = bufferOf(argument.substr(4)))
                    m_isWritten[out->storage] = true;
        const auto node = m_kernel ? mainNode(*m_kernel) : std::nullopt;
        if (statement.name.empty())
            return;
        m_buffers.insert_or_assign(statement.name,
                                   node && node->outputCount() == 1
                                       ? ofGraph(node->output(0))
                                       : Buffer{newStorage(true), {}, ir::UnknownDim{}, {}});
        if (node && node->outputCount() > 1) {
            m_buffers.erase(statement.name);
            m_results.insert_or_assign(statement.name, *node);
        }
    }

    /// Returns the only node of a library call that reads or writes memory; its other nodes are views.
    std::optional<ir::NodeRef> mainNode(const Kernel &kernel) const
    {
        std::optional<ir::NodeRef> found;
        for (const std::string &name : kernel.nodes)
            if (const auto node = m_graph.node(name); node && ops::number(m_graph.moved(*node)) != 0) {
                if (found)
                    return std::nullopt;
                found = node;
            }
        return found;
    }

    KernelBytes call(const std::vector<std::string_view> &arguments, const KernelDefinition &definition)
    {
        KernelBytes bytes{std::int64_t{0}, std::int64_t{0}, ir::UnknownDim{}};
        const bool isKnown = !definition.parameters.empty() && arguments.size() >= definition.parameters.size();
        std::vector<std::size_t> written;
        for (std::size_t i = 0; i < definition.parameters.size() && isKnown; ++i) {
            const Access access = definition.parameters[i].access;
            if (access == Access::None)
                continue;
            const auto buffer = access == Access::Unknown ? std::nullopt : bufferOf(arguments[i]);
            if (!buffer)
                return {};
            if (access == Access::Read || (access == Access::ReadWrite && m_isWritten[buffer->storage]))
                bytes.read = ops::plus(bytes.read, readOf(*buffer));
            if (access != Access::Read) {
                bytes.written = ops::plus(bytes.written, buffer->bytes);
                written.push_back(buffer->storage);
            }
        }
        for (const std::size_t storage : written)
            m_isWritten[storage] = true;
        return isKnown ? bytes : KernelBytes();
    }

    /// Returns the bytes that a kernel reads of a buffer. An input of the graph is passed entirely, even if the kernel
    /// reads only a part of it.
    ir::Dim readOf(const Buffer &buffer) const
    {
        const ops::TensorFact *whole = buffer.input ? m_graph.tensor(*buffer.input) : nullptr;
        if (!whole || !m_kernel || whole->storage == ops::StorageNumber::Weights)
            return buffer.bytes;
        ir::Dim parts = std::int64_t{0};
        std::set<ir::ValueId> seen;
        for (const std::string &name : m_kernel->nodes)
            if (const auto node = m_graph.node(name); node && ops::number(m_graph.cost(*node).bytesRead) != 0)
                for (const ir::Argument &argument : (*node)->arguments)
                    ir::forEachValue(argument.value, [&](ir::ValueId value) {
                        const ops::TensorFact *part = m_graph.tensor(value);
                        if (part && part->storage == whole->storage && seen.insert(value).second)
                            parts = ops::plus(parts, ops::bytesOf(*part));
                    });
        return seen.empty() ? buffer.bytes : ops::minimum(buffer.bytes, parts);
    }

    const GeneratedCode &m_code;
    const KnownGraph &m_graph;
    const Kernel *m_kernel = nullptr; ///< the kernel that the current statement calls
    std::map<std::string, Buffer, std::less<>> m_buffers;
    std::map<std::string, ir::NodeRef, std::less<>> m_results; ///< by name: the library call with several results
    std::vector<bool> m_isWritten;                             ///< by storage: whether something was written to it
};

/// Compares the memory traffic of the kernels of one graph with that of their nodes run one by one; `bytes` is by index
/// of the kernel.
class Comparing {
public:
    Comparing(const KnownGraph &graph, const std::vector<Kernel> &kernels, std::vector<KernelBytes> &bytes)
        : m_graph(graph),
          m_kernels(kernels),
          m_bytes(bytes)
    {
    }

    /// `places` are the indices of the kernels that one code calls.
    void add(const GeneratedCode &code, std::span<const std::size_t> places)
    {
        std::map<std::uint64_t, const Kernel *> byLine;
        for (const std::size_t place : places)
            if (m_kernels[place].line)
                byLine.emplace(*m_kernels[place].line, &m_kernels[place]);
        std::map<std::uint64_t, KernelBytes> found = Following(code, m_graph).run(byLine);
        // A library call has all the cost of its node. Other kernels with the node's name only lay out its operands.
        for (const std::size_t place : places)
            if (isOfLibrary(m_kernels[place].name))
                setLibrary(place);
        for (const std::size_t place : places)
            if (!isOfLibrary(m_kernels[place].name))
                setFused(place, found);
    }

private:
    /// Sets the traffic of a library call. A library call always reads and writes memory; if its nodes have no traffic,
    /// or were counted for an earlier call, its traffic is unknown.
    void setLibrary(std::size_t place)
    {
        const ops::Cost alone = costAlone(m_kernels[place]);
        if (ops::number(ops::plus(alone.bytesRead, alone.bytesWritten)) != 0)
            m_bytes[place] = {alone.bytesRead, alone.bytesWritten, ops::minus(alone.bytesRead, alone.bytesRead)};
    }

    /// Sets the traffic of a kernel that the code defines; `found`: the traffic of each call, by line.
    void setFused(std::size_t place, const std::map<std::uint64_t, KernelBytes> &found)
    {
        const Kernel &kernel = m_kernels[place];
        const ops::Cost alone = costAlone(kernel);
        if (const auto known = kernel.line ? found.find(*kernel.line) : found.end(); known != found.end())
            m_bytes[place] = known->second;
        if (kernel.isSure)
            m_bytes[place].saved = ops::minus(ops::plus(alone.bytesRead, alone.bytesWritten),
                                              ops::plus(m_bytes[place].read, m_bytes[place].written));
    }

    /// Returns the sum of the costs of a kernel's nodes, each run by itself, without nodes that were counted before;
    /// the traffic is unknown if the kernel has no nodes.
    ops::Cost costAlone(const Kernel &kernel)
    {
        ops::Cost sum;
        for (const std::string &name : kernel.nodes) {
            const auto node = m_graph.node(name);
            if (!node && !m_graph.source(name))
                sum.bytesRead = sum.bytesWritten = ir::UnknownDim{};
            else if (node && m_counted.insert(*node).second)
                sum = ops::plus(sum, m_graph.cost(*node));
        }
        if (kernel.nodes.empty())
            sum.bytesRead = sum.bytesWritten = ir::UnknownDim{};
        return sum;
    }

    const KnownGraph &m_graph;
    const std::vector<Kernel> &m_kernels;
    std::vector<KernelBytes> &m_bytes;
    std::unordered_set<ir::NodeId> m_counted;
};

void compareGraph(const Sequence &sequence, const std::vector<Kernel> &kernels, const std::string &step,
                  const ir::Model &graph, std::vector<KernelBytes> &bytes, const Task &task)
{
    if (graph.functions.empty())
        return;
    const KnownGraph known(graph, task);
    std::map<std::size_t, std::vector<std::size_t>> byCode;
    for (std::size_t i = 0; i < kernels.size(); ++i)
        if (kernels[i].step == step)
            byCode[kernels[i].code].push_back(i);
    for (const auto &[code, places] : byCode)
        Comparing(known, kernels, bytes).add(generatedCode(sequence.records[code].text), places);
}

} // namespace

std::vector<KernelBytes> kernelBytes(const Sequence &sequence, const std::vector<Kernel> &kernels, const Task &task)
{
    std::vector<KernelBytes> bytes(kernels.size());
    for (const Step &step : sequence.steps)
        if (std::ranges::contains(kernels, step.address, &Kernel::step))
            if (const auto graph = openStep(step, task))
                compareGraph(sequence, kernels, step.address, *graph, bytes, task);
    return bytes;
}

std::vector<KernelBytes> kernelBytes(const Sequence &sequence, const std::vector<Kernel> &kernels,
                                     const ir::Model &graph, const Task &task)
{
    std::vector<KernelBytes> bytes(kernels.size());
    if (!kernels.empty())
        compareGraph(sequence, kernels, kernels.front().step, graph, bytes, task);
    return bytes;
}

} // namespace cutaway::sequence
