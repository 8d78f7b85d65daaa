// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/kernels.h"

#include "core/sequence/code/generated_code.h"
#include "core/sequence/printed.h"
#include "core/sequence/provenance.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <map>
#include <unordered_map>
#include <unordered_set>

// Newer logs record which nodes each call of a kernel computes. For other logs, the calls in the code are compared with
// the graph that it was made of. The comment above a kernel that Triton compiles lists the kernel's nodes. Calls of
// library kernels stand for nodes of the same operator: for one that the comment above the call names, else for the
// next one in order. The other kernels are found by exclusion. A kernel may compute a node if the node depends on no
// later library call, no earlier one depends on the node, and the kernel gets the inputs of the graph that the node
// reads. If several kernels are possible, one is taken that comes after the kernels whose results the node reads, and
// whose name contains the node's operator; that is not sure.

namespace cutaway::sequence {

namespace {

constexpr std::array<std::string_view, 2> aheadOfTime{"inductor_aot_code", "inductor_aot_wrapper_code"};

/// Parses "name:2" into the name and the number 2.
Kernel kernelNamed(std::string_view text)
{
    Kernel kernel;
    const std::size_t colon = text.rfind(':');
    std::uint64_t call = 0;
    if (colon != std::string_view::npos
        && std::from_chars(text.data() + colon + 1, text.data() + text.size(), call).ec == std::errc()) {
        kernel.call = call;
        text = text.substr(0, colon);
    }
    kernel.name = text;
    return kernel;
}

/// Returns the calls of kernels in the code, in order.
std::vector<Kernel> callsIn(const GeneratedCode &code)
{
    std::vector<Kernel> kernels;
    for (const KernelCall &call : code.calls) {
        Kernel &kernel = kernels.emplace_back();
        kernel.name = call.kernel;
        kernel.call = call.number;
        kernel.line = call.line;
    }
    return kernels;
}

/// Returns the part of an operator's name that identifies it: "addmm" for `torch.ops.aten.addmm_.default`.
std::string_view operatorIn(std::string_view path)
{
    constexpr std::string_view operators = "torch.ops.";
    if (path.starts_with(operators) && std::ranges::count(path, '.') >= 4)
        path = path.substr(0, path.rfind('.'));
    path = path.substr(path.rfind('.') + 1);
    // The call may write into a buffer, as an in-place operator does, where the node does not.
    path.remove_suffix(path.ends_with('_') ? 1 : 0);
    return path;
}

std::string_view operatorOf(const PrintedValue &node)
{
    return operatorIn(std::string_view(node.code).substr(0, node.code.find('(')));
}

/// Finds the nodes of kernels by the order of calls and by the graph.
class KernelMatching {
public:
    KernelMatching(const GeneratedCode &code, const PrintedGraph &graph)
        : m_code(code),
          m_calls(callsIn(code)),
          m_graph(graph),
          m_callOf(graph.nodes.size())
    {
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            m_indices.emplace(m_graph.nodes[i].name, i);
        for (const PrintedValue &input : m_graph.inputs)
            m_inputs.insert(input.name);
    }

    std::vector<Kernel> run()
    {
        findNamed();
        matchLibraryCalls();
        matchFragments();
        findBounds();
        findArguments();
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            if (!m_callOf[i])
                matchFused(i);
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            if (m_callOf[i])
                m_calls[*m_callOf[i]].nodes.push_back(m_graph.nodes[i].name);
        addShared();
        for (std::size_t call = 0; call < m_calls.size(); ++call)
            m_calls[call].how = m_isNamed[call] ? How::Name : How::Structure;
        return std::move(m_calls);
    }

private:
    /// Finds the calls whose nodes are known without the order of the graph. The comment above a kernel counts for its
    /// first call.
    void findNamed()
    {
        std::unordered_set<std::string_view> seen;
        for (const Kernel &call : m_calls) {
            const KernelDefinition *definition = m_code.definition(call.name);
            const bool isFirst = seen.insert(call.name).second;
            m_isNamed.push_back(isOfLibrary(call.name) || (definition && !definition->nodes.empty() && isFirst));
        }
    }

    void matchLibraryCalls()
    {
        for (std::size_t call = 0; call < m_calls.size(); ++call) {
            if (!isOfLibrary(m_calls[call].name))
                continue;
            const auto node = nodeOf(call);
            m_calls[call].isSure = node.has_value();
            if (node)
                m_callOf[*node] = call;
        }
    }

    std::optional<std::size_t> nodeOf(std::size_t call) const
    {
        const std::string_view wanted = operatorIn(m_calls[call].name);
        const auto isIt = [&](std::size_t i) { return !m_callOf[i] && operatorOf(m_graph.nodes[i]) == wanted; };
        for (const std::string &name : m_code.calls[call].comment)
            if (const auto named = m_indices.find(name); named != m_indices.end() && isIt(named->second))
                return named->second;
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            if (isIt(i))
                return i;
        return std::nullopt;
    }

    /// Calls visit(std::size_t call, std::size_t node) for each node that the comment above a kernel lists.
    template <class Visit>
    void forEachListed(Visit &&visit)
    {
        for (const KernelDefinition &definition : m_code.definitions) {
            const auto call = std::ranges::find(m_calls, definition.name, &Kernel::name);
            for (const std::string &name : definition.nodes)
                if (const auto node = m_indices.find(name); node != m_indices.end() && call != m_calls.end())
                    visit(static_cast<std::size_t>(call - m_calls.begin()), node->second);
        }
    }

    /// Takes the nodes that the comments above kernels list, except those that a library call or an earlier kernel has.
    void matchFragments()
    {
        forEachListed([this](std::size_t call, std::size_t node) {
            if (!m_callOf[node])
                m_callOf[node] = call;
        });
    }

    void addShared()
    {
        forEachListed([this](std::size_t call, std::size_t node) {
            if (m_callOf[node] != call)
                m_calls[call].nodes.push_back(m_graph.nodes[node].name);
        });
    }

    /// Finds for each node the last call with known nodes that it depends on, and the first one that depends on it.
    void findBounds()
    {
        m_after.assign(m_graph.nodes.size(), 0);
        m_before.assign(m_graph.nodes.size(), m_calls.size());
        std::vector<std::vector<std::size_t>> operands(m_graph.nodes.size());
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            for (const std::string_view name : namesIn(m_graph.nodes[i].code))
                if (const auto found = m_indices.find(name); found != m_indices.end() && found->second < i)
                    operands[i].push_back(found->second);
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            for (const std::size_t operand : operands[i])
                m_after[i] = std::max(m_after[i], m_callOf[operand] ? *m_callOf[operand] + 1 : m_after[operand]);
        for (std::size_t i = m_graph.nodes.size(); i-- > 0;)
            for (const std::size_t operand : operands[i])
                m_before[operand] = std::min(m_before[operand], m_callOf[i] ? *m_callOf[i] : m_before[i]);
    }

    /// Finds for each call the names of its arguments, and the earlier names of the same memory: a buffer may reuse
    /// that of an input.
    void findArguments()
    {
        m_arguments.resize(m_calls.size());
        std::unordered_map<std::string_view, std::string_view> same; // by name: the previous name of the same memory
        std::unordered_set<std::string_view> given;
        for (const CodeStatement &statement : m_code.statements) {
            const std::vector<std::string_view> names = namesIn(statement.value);
            if (!statement.call && !statement.name.empty() && !names.empty())
                same[statement.name] = names[names.front() == "reinterpret_tensor" && names.size() > 1 ? 1 : 0];
            if (!statement.call)
                continue;
            auto &arguments = m_arguments[*statement.call];
            for (std::string_view name : names)
                while (arguments.insert(name).second) // damaged code may rename in a circle
                    if (const auto before = same.find(name); before != same.end())
                        name = before->second;
        }
        for (const auto &arguments : m_arguments)
            given.insert(arguments.begin(), arguments.end());
        // Code may have other names than the graph, so inputs that no call names do not count.
        std::erase_if(m_inputs, [&](std::string_view input) { return !given.contains(input); });
    }

    /// Whether a call gets the inputs of the graph that a node reads.
    bool hasInputs(std::size_t call, const std::vector<std::string_view> &operands) const
    {
        return std::ranges::all_of(operands, [&](std::string_view name) {
            return !m_inputs.contains(name) || m_arguments[call].contains(name);
        });
    }

    void matchFused(std::size_t node)
    {
        const std::vector<std::string_view> operands = namesIn(m_graph.nodes[node].code);
        std::size_t first = 0; // the last call that makes an operand of the node
        for (const std::string_view name : operands)
            if (const auto operand = m_indices.find(name); operand != m_indices.end() && m_callOf[operand->second])
                first = std::max(first, *m_callOf[operand->second]);
        const std::string_view operation = operatorOf(m_graph.nodes[node]);
        const auto preference = [&](std::size_t call) {
            return std::pair(call >= first, m_calls[call].name.contains(operation));
        };
        std::optional<std::size_t> chosen;
        std::size_t candidates = 0;
        for (std::size_t call = m_after[node]; call < m_before[node]; ++call) {
            if (m_isNamed[call] || !hasInputs(call, operands))
                continue;
            ++candidates;
            if (!chosen || preference(call) > preference(*chosen))
                chosen = call;
        }
        m_callOf[node] = chosen;
        if (chosen)
            m_calls[*chosen].isSure = m_calls[*chosen].isSure && candidates == 1;
    }

    const GeneratedCode &m_code;
    std::vector<Kernel> m_calls;
    const PrintedGraph &m_graph;
    std::vector<std::optional<std::size_t>> m_callOf;              ///< by node: the call that computes it
    std::vector<std::size_t> m_after, m_before;                    ///< by node: the calls between which it is computed
    std::vector<bool> m_isNamed;                                   ///< by call, see findNamed()
    std::vector<std::unordered_set<std::string_view>> m_arguments; ///< by call: the names of its arguments
    std::unordered_map<std::string_view, std::size_t> m_indices;
    std::unordered_set<std::string_view> m_inputs;
};

/// Returns the step whose graph the code was made of: the last one of the stage PostGrad above the code in the log;
/// nullptr if there is none.
const Step *graphOfCode(const Sequence &sequence, const Record &code)
{
    const Step *found = nullptr;
    for (const Step &step : sequence.steps) {
        const bool isAbove = step.line.value_or(0) < code.line || step.source != code.text.file->path().string();
        if (step.text && isAbove && step.kind == Kind::PostGrad)
            found = &step;
    }
    return found;
}

/// Returns the provenance that the log records for the code: the next such record, if it comes before other code. It is
/// empty otherwise.
Provenance provenanceOf(const Sequence &sequence, std::size_t code)
{
    for (std::size_t i = code + 1; i < sequence.records.size(); ++i) {
        if (isKernelCode(sequence.records[i].name))
            break;
        if (sequence.records[i].name == provenanceRecord)
            return readProvenance(sequence.records[i]);
    }
    return {};
}

/// Returns the calls that the record lists, each with its line in the code.
std::vector<Kernel> recordedKernels(const Provenance &provenance, const GeneratedCode &code)
{
    std::map<std::pair<std::string_view, std::uint64_t>, std::uint64_t> lines;
    for (const KernelCall &call : code.calls)
        lines.emplace(std::pair(std::string_view(call.kernel), call.number), call.line);
    std::vector<Kernel> kernels;
    for (const auto &[name, nodes] : provenance.kernelToPost) {
        Kernel &kernel = kernels.emplace_back(kernelNamed(name));
        kernel.nodes = nodes;
        const auto line = lines.find({kernel.name, kernel.call.value_or(0)});
        if (line != lines.end())
            kernel.line = line->second;
    }
    return kernels;
}

/// Returns the kernels of one code with their nodes in the graph that it was made of.
std::vector<Kernel> kernelsIn(const Sequence &sequence, std::size_t record, const Step &step, bool useProvenance)
{
    const GeneratedCode code = generatedCode(sequence.records[record].text);
    std::vector<Kernel> kernels =
        useProvenance ? recordedKernels(provenanceOf(sequence, record), code) : std::vector<Kernel>();
    if (kernels.empty())
        kernels = KernelMatching(code, printedGraph(*step.text)).run();
    for (Kernel &kernel : kernels) {
        kernel.step = step.address;
        kernel.code = record;
        if (const KernelDefinition *definition = code.definition(kernel.name)) {
            kernel.firstLine = definition->firstLine;
            kernel.lastLine = definition->lastLine;
        }
    }
    return kernels;
}

} // namespace

std::string_view name(How how)
{
    switch (how) {
    case How::Provenance:
        return "provenance";
    case How::Name:
        return "name";
    case How::Source:
        return "source";
    case How::Structure:
        break;
    }
    return "structure";
}

bool isKernelCode(std::string_view record)
{
    return record == "inductor_output_code" || std::ranges::contains(aheadOfTime, record);
}

std::string_view languageOf(std::string_view record)
{
    return std::ranges::contains(aheadOfTime, record) ? "C++" : "Python";
}

std::string_view kindOf(const Kernel &kernel)
{
    return isOfLibrary(kernel.name) ? "extern" : kernel.name.starts_with("cpp_") ? "cpp" : "triton";
}

std::vector<Kernel> kernelsOf(const Sequence &sequence, bool useProvenance)
{
    std::vector<Kernel> all;
    for (std::size_t i = 0; i < sequence.records.size(); ++i)
        if (const Step *step =
                isKernelCode(sequence.records[i].name) ? graphOfCode(sequence, sequence.records[i]) : nullptr)
            std::ranges::move(kernelsIn(sequence, i, *step, useProvenance), std::back_inserter(all));
    return all;
}

} // namespace cutaway::sequence
