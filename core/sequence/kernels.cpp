// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/kernels.h"

#include "core/sequence/printed.h"
#include "core/sequence/provenance.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>

// Newer logs record which nodes each call of a kernel computes. Where they do not, the calls in the code are compared
// with the graph that it was made of. Calls of library kernels stand for nodes of the same operator, in their order. A
// generated kernel computes nodes that depend on no later library call and that no earlier one depends on; if several
// kernels are called in between, the one whose name has the node's operator is taken, and that is not sure.

namespace cutaway::sequence {

namespace {

constexpr std::string_view libraryPrefix = "extern_kernels.";

/// Records of the code that calls kernels: in Python, and ahead of time in C++.
constexpr std::array<std::string_view, 3> codeRecords{"inductor_output_code", "inductor_aot_code",
                                                      "inductor_aot_wrapper_code"};
bool isCode(const Record &record) { return std::ranges::contains(codeRecords, record.name); }

/// "name:2" → name and 2
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

std::string_view withoutIndentation(std::string_view line)
{
    return line.substr(std::min(line.find_first_not_of(' '), line.size()));
}

/// The kernel that a line of the wrapper calls: a library's, or one that the code defines.
std::optional<std::string> kernelCalledBy(std::string_view line, const std::vector<std::string> &defined)
{
    line = withoutIndentation(line);
    if (const std::size_t equals = line.find(" = "); equals < line.find('('))
        line.remove_prefix(equals + 3);
    std::string_view called = line.substr(0, line.find('('));
    if (called.size() == line.size())
        return std::nullopt;
    if (called.starts_with(libraryPrefix))
        return std::string(called);
    constexpr std::string_view run = ".run";
    called.remove_suffix(called.ends_with(run) ? run.size() : 0);
    return std::ranges::contains(defined, called) ? std::optional(std::string(called)) : std::nullopt;
}

/// The calls of kernels in the code, in order, and numbered so.
std::vector<Kernel> callsIn(const Excerpt &code)
{
    constexpr std::string_view definition = " = async_compile.", handles = "# [Provenance debug handles] ";
    std::vector<std::string> defined;
    std::vector<Kernel> calls;
    std::optional<Kernel> announced;
    code.forEachLine([&](std::string_view line) {
        if (const std::size_t at = line.find(definition); at != std::string_view::npos)
            defined.emplace_back(withoutIndentation(line.substr(0, at)));
        else if (const std::string_view text = withoutIndentation(line); text.starts_with(handles))
            announced = kernelNamed(text.substr(handles.size()));
        else if (const auto name = kernelCalledBy(line, defined)) {
            Kernel call = announced && announced->name == *name ? *announced : kernelNamed(*name);
            if (!call.call)
                call.call = calls.size() + 1;
            calls.push_back(std::move(call));
            announced.reset();
        }
        return !line.starts_with("def benchmark_compiled_module");
    });
    return calls;
}

/// The last word of the operator's name that a node calls: "addmm" of `torch.ops.aten.addmm.default(…)`.
std::string_view operatorOf(const PrintedValue &node)
{
    std::string_view path = std::string_view(node.code).substr(0, node.code.find('('));
    constexpr std::string_view operators = "torch.ops.";
    if (path.starts_with(operators) && std::ranges::count(path, '.') >= 4)
        path = path.substr(0, path.rfind('.'));
    return path.substr(path.rfind('.') + 1);
}

/// Finds the nodes of kernels by the order of calls and the graph.
class KernelMatching {
public:
    KernelMatching(std::vector<Kernel> calls, const PrintedGraph &graph)
        : m_calls(std::move(calls)),
          m_graph(graph),
          m_callOf(graph.nodes.size())
    {
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            m_indices.emplace(m_graph.nodes[i].name, i);
    }

    std::vector<Kernel> run()
    {
        matchLibraryCalls();
        findBounds();
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            if (!m_callOf[i])
                matchFused(i);
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            if (m_callOf[i])
                m_calls[*m_callOf[i]].nodes.push_back(m_graph.nodes[i].name);
        for (Kernel &call : m_calls)
            call.how = isOfLibrary(call) ? How::Name : How::Structure;
        return std::move(m_calls);
    }

private:
    static bool isOfLibrary(const Kernel &call) { return call.name.starts_with(libraryPrefix); }

    void matchLibraryCalls()
    {
        for (std::size_t call = 0; call < m_calls.size(); ++call) {
            if (!isOfLibrary(m_calls[call]))
                continue;
            const std::string_view wanted = std::string_view(m_calls[call].name).substr(libraryPrefix.size());
            for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
                if (!m_callOf[i] && operatorOf(m_graph.nodes[i]) == wanted) {
                    m_callOf[i] = call;
                    break;
                }
            m_calls[call].isSure = std::ranges::contains(m_callOf, std::optional(call));
        }
    }

    /// For each node the last library call that it depends on, and the first one that depends on it.
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

    void matchFused(std::size_t node)
    {
        std::optional<std::size_t> chosen;
        std::size_t candidates = 0;
        for (std::size_t call = m_after[node]; call < m_before[node]; ++call) {
            if (isOfLibrary(m_calls[call]))
                continue;
            ++candidates;
            if (!chosen
                || (m_calls[call].name.contains(operatorOf(m_graph.nodes[node]))
                    && !m_calls[*chosen].name.contains(operatorOf(m_graph.nodes[node]))))
                chosen = call;
        }
        m_callOf[node] = chosen;
        if (chosen)
            m_calls[*chosen].isSure = m_calls[*chosen].isSure && candidates == 1;
    }

    std::vector<Kernel> m_calls;
    const PrintedGraph &m_graph;
    std::vector<std::optional<std::size_t>> m_callOf; ///< by node
    std::vector<std::size_t> m_after, m_before;       ///< by node: calls it lies between
    std::unordered_map<std::string_view, std::size_t> m_indices;
};

/// The graph that code at a line of the log was made of: the last one of the stage above it.
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

/// The record of provenance that belongs to the code: the next one, before other code.
Provenance provenanceOf(const Sequence &sequence, std::size_t code)
{
    for (std::size_t i = code + 1; i < sequence.records.size(); ++i) {
        if (isCode(sequence.records[i]))
            break;
        if (sequence.records[i].name == provenanceRecord)
            return readProvenance(sequence.records[i]);
    }
    return {};
}

void addKernels(std::vector<Kernel> &all, std::vector<Kernel> added, const Step &step)
{
    for (Kernel &kernel : added) {
        kernel.step = step.address;
        all.push_back(std::move(kernel));
    }
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

std::vector<Kernel> kernelsOf(const Sequence &sequence, bool useProvenance)
{
    std::vector<Kernel> all;
    for (std::size_t i = 0; i < sequence.records.size(); ++i) {
        const Record &code = sequence.records[i];
        const Step *step = isCode(code) ? graphOfCode(sequence, code) : nullptr;
        if (!step)
            continue;
        const Provenance provenance = useProvenance ? provenanceOf(sequence, i) : Provenance();
        std::vector<Kernel> kernels;
        for (const auto &[kernel, nodes] : provenance.kernelToPost) {
            kernels.push_back(kernelNamed(kernel));
            kernels.back().nodes = nodes;
        }
        if (kernels.empty())
            kernels = KernelMatching(callsIn(code.text), printedGraph(*step->text)).run();
        addKernels(all, std::move(kernels), *step);
    }
    return all;
}

} // namespace cutaway::sequence
