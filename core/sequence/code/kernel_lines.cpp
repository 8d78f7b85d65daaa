// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inductor writes no origins into the sources of its kernels, so they have to be found: each call of a kernel is
// followed statement by statement, with the values of the graph that its arguments are (kernel_run.h).
#include "core/sequence/code/kernel_lines.h"

#include "core/base/formatted.h"
#include "core/sequence/code/computations.h"
#include "core/sequence/code/generated_code.h"
#include "core/sequence/code/kernel_run.h"
#include "core/sequence/code/kernel_statements.h"
#include "core/sequence/excerpt.h"
#include "core/sequence/limits.h"
#include "core/sequence/printed.h"

#include <algorithm>
#include <map>

namespace cutaway::sequence {

namespace {

/// Follows the calls of the code, and keeps which values are in its buffers.
class CodeRun {
public:
    CodeRun(const Computations &all, const GeneratedCode &code, std::string_view text) : m_all(all), m_code(code)
    {
        while (!text.empty()) {
            m_lines.push_back(text.substr(0, text.find('\n')));
            text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
        }
    }

    std::vector<KernelLine> run()
    {
        for (const CodeStatement &statement : m_code.statements)
            if (statement.call) {
                if (!call(statement, m_code.calls[*statement.call]))
                    break;
            } else if (!statement.name.empty()) {
                m_buffers[statement.name] = valuesIn(statement.value);
            }
        std::ranges::sort(m_found);
        m_found.erase(std::ranges::unique(m_found).begin(), m_found.end());
        return std::move(m_found);
    }

private:
    /// Returns the values that an expression stands for, those of the first name in it that is a buffer or an input:
    /// `reinterpret_tensor(buf0, …)`, `buf1[0]`.
    Values valuesIn(std::string_view expression) const
    {
        for (const std::string_view name : namesIn(expression)) {
            if (const auto buffer = m_buffers.find(name); buffer != m_buffers.end())
                return buffer->second;
            if (const auto input = m_all.input(name))
                return {*input};
        }
        return {};
    }

    /// Returns the statements of a kernel, which are read once for all of its calls.
    const std::vector<KernelStatement> &statementsOf(const KernelDefinition &definition)
    {
        const auto [found, isNew] = m_statements.try_emplace(definition.firstLine);
        if (isNew && definition.firstLine < definition.lastLine) {
            const std::string_view first = m_lines[definition.firstLine], last = m_lines[definition.lastLine - 1];
            const std::string_view source(first.data(),
                                          static_cast<std::size_t>(last.data() - first.data()) + last.size());
            found->second = kernelStatements(source, static_cast<std::uint32_t>(definition.firstLine + 1));
        }
        return found->second;
    }

    /// Follows a call. Returns false if the kernel has more lines than are left, or the limit of steps is reached.
    bool call(const CodeStatement &statement, const KernelCall &call)
    {
        const std::vector<Computation> &nodes = m_all.of(formatted("{}:{}", call.kernel, call.number));
        const KernelDefinition *definition = m_code.definition(call.kernel);
        if (!definition) {
            callLibrary(statement, nodes);
            return true;
        }
        const std::uint64_t lines = definition->lastLine - definition->firstLine;
        if (lines > m_linesLeft)
            return false;
        m_linesLeft -= lines;
        const auto arguments = argumentsIn(statement.value);
        const std::size_t count = std::min(arguments.size(), definition->parameters.size());
        KernelRun run(m_all, nodes, m_stepsLeft);
        for (std::size_t i = 0; i < count; ++i)
            run.point(definition->parameters[i].name, valuesIn(arguments[i]));
        for (const KernelStatement &each : statementsOf(*definition))
            run.add(each);
        run.finish();
        if (m_stepsLeft == 0)
            return false;
        if (run.hasMatch())
            run.addLines(m_found);
        for (std::size_t i = 0; i < count; ++i)
            if (const auto names = namesIn(arguments[i]); definition->parameters[i].access != Access::Read)
                for (const std::string_view name : names)
                    if (const auto buffer = m_buffers.find(name); buffer != m_buffers.end())
                        buffer->second = run.valuesAt(definition->parameters[i].name);
        return true;
    }

    void callLibrary(const CodeStatement &statement, const std::vector<Computation> &nodes)
    {
        Values results;
        for (const Computation &node : nodes)
            if (!node.isMoving)
                std::ranges::copy(node.results, std::back_inserter(results));
        if (results.size() > mostValues)
            results.clear();
        constexpr std::string_view out = "out=";
        for (const std::string_view argument : argumentsIn(statement.value))
            if (argument.starts_with(out))
                m_buffers[std::string(argument.substr(out.size()))] = results;
        if (!statement.name.empty())
            m_buffers[statement.name] = std::move(results);
    }

    const Computations &m_all;
    const GeneratedCode &m_code;
    std::vector<std::string_view> m_lines;
    std::map<std::string, Values, std::less<>> m_buffers;
    std::map<std::uint64_t, std::vector<KernelStatement>> m_statements; ///< by the first line of the kernel
    std::vector<KernelLine> m_found;
    std::size_t m_linesLeft = limits::maxKernelLines, m_stepsLeft = limits::maxKernelSteps;
};

} // namespace

std::vector<KernelLine> kernelLines(const ir::Model &model, ir::FunctionId function, std::string_view code)
{
    const Computations computations(model.at(function));
    const GeneratedCode generated = generatedCode(code);
    return CodeRun(computations, generated, code).run();
}

} // namespace cutaway::sequence
