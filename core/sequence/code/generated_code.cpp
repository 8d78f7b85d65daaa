// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/code/generated_code.h"

#include "core/sequence/excerpt.h"
#include "core/sequence/printed.h"
#include "core/sequence/statements.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cutaway::sequence {

namespace {

constexpr std::array<std::string_view, 3> libraryPrefixes{"extern_kernels.", "torch.ops.", "aoti_torch_"};

bool isName(std::string_view text) { return !text.empty() && std::ranges::all_of(text, isNameCharacter); }

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

bool isClosing(char c) { return c == ')' || c == ']' || c == '}'; }

/// Returns the end of the argument that starts at `at`: the position of the next comma or closing bracket outside of
/// inner brackets and strings, or the end of the text.
std::size_t endOfArgument(std::string_view text, std::size_t at)
{
    int depth = 0;
    char quote = '\0';
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (quote != '\0')
            quote = c == quote ? '\0' : quote;
        else if (c == '\'' || c == '"')
            quote = c;
        else if (c == '(' || c == '[' || c == '{')
            ++depth;
        else if (depth == 0 && (c == ',' || isClosing(c)))
            return at;
        else if (isClosing(c))
            --depth;
    }
    return at;
}

Access accessOf(std::string_view parameter)
{
    if (parameter.starts_with("in_out_ptr"))
        return Access::ReadWrite;
    if (parameter.starts_with("in_ptr"))
        return Access::Read;
    if (parameter.starts_with("out_ptr"))
        return Access::Write;
    // These are sizes, offsets of random numbers, and the sizes of blocks, which are in capitals.
    const bool isNumber = parameter.starts_with("ks") || parameter.ends_with("numel") || parameter.contains("offset")
        || parameter.ends_with("BLOCK") || parameter == "num_warps" || parameter == "num_stages";
    return isNumber ? Access::None : Access::Unknown;
}

/// Returns the name of a parameter in Python or C++: `in_ptr0`, `XBLOCK : tl.constexpr`, `const float* in_ptr0`.
std::string_view parameterName(std::string_view text)
{
    text = trimmed(text.substr(0, text.find_first_of(":=")));
    std::size_t start = text.size();
    while (start > 0 && isNameCharacter(text[start - 1]))
        --start;
    return text.substr(start);
}

/// Reads code line by line.
class CodeReading {
public:
    /// Reads a line. Returns false if the following lines are for benchmarks.
    bool add(std::string_view line)
    {
        ++m_line;
        if (m_isInDefinition) {
            takeSource(line);
            return true;
        }
        if (line.starts_with("def benchmark_compiled_module") || line.starts_with("def get_args"))
            return false;
        const std::string_view text = trimmed(line);
        if (text.starts_with("#"))
            takeComment(text);
        else if (const std::size_t at = line.find(" = async_compile."); at != std::string_view::npos)
            begin(trimmed(line.substr(0, at)), line.substr(at));
        else
            m_statements.add(line, [this](std::string_view statement) { take(statement); });
        return true;
    }

    GeneratedCode finish() { return std::move(m_code); }

private:
    void takeComment(std::string_view text)
    {
        constexpr std::string_view handle = "# [Provenance debug handles] ", sources = "Source Nodes: [";
        if (text.starts_with(handle)) {
            m_handle = text.substr(handle.size());
        } else if (const std::size_t at = text.find(sources); at != std::string_view::npos) {
            m_sources.clear();
            const std::string_view list = text.substr(at + sources.size());
            for (std::size_t i = 0; i < list.size() && list[i] != ']';) {
                const std::size_t end = std::min(list.find_first_of(",]", i), list.size());
                m_sources.emplace_back(trimmed(list.substr(i, end - i)));
                i = end + (end < list.size() && list[end] == ',' ? 1 : 0);
            }
        } else if (const std::size_t node = text.find('%');
                   node != std::string_view::npos && text.contains("call_function[")) {
            m_fragment.emplace_back(trimmed(text.substr(node + 1, text.find_first_of(" :", node) - node - 1)));
        }
    }

    /// Begins a definition, whose source is a string of several lines.
    void begin(std::string_view name, std::string_view rest)
    {
        m_code.byName.emplace(name, m_code.definitions.size());
        m_code.definitions.push_back({std::string(name), m_line, m_line, {}, std::move(m_fragment)});
        m_fragment.clear();
        m_signature.clear();
        const std::size_t quotes = rest.find("'''");
        m_isInDefinition = quotes != std::string_view::npos && rest.find("'''", quotes + 3) == std::string_view::npos;
    }

    void takeSource(std::string_view line)
    {
        KernelDefinition &definition = m_code.definitions.back();
        definition.lastLine = m_line;
        if (trimmed(line).starts_with("'''"))
            m_isInDefinition = false;
        else if (definition.parameters.empty())
            takeSignature(line, definition);
    }

    /// Reads `extern "C" void kernel(const float* in_ptr0, …)` or `def triton_(in_ptr0, …):`, perhaps on several lines.
    void takeSignature(std::string_view line, KernelDefinition &definition)
    {
        if (m_signature.empty() && !line.starts_with("extern \"C\"") && !line.starts_with("def "))
            return;
        m_signature += line;
        if (!m_signature.contains(')'))
            return;
        for (const std::string_view parameter : argumentsIn(m_signature))
            if (!trimmed(parameter).empty()) {
                const std::string_view name = parameterName(parameter);
                definition.parameters.push_back({std::string(name), accessOf(name)});
            }
        // The signature may be that of a function that precedes the kernel; its parameters have other names.
        const auto isUnknown = [](const KernelParameter &parameter) { return parameter.access == Access::Unknown; };
        if (std::ranges::all_of(definition.parameters, isUnknown)) {
            definition.parameters.clear();
            m_signature.clear();
        }
    }

    void take(std::string_view text)
    {
        CodeStatement statement{m_line, {}, std::string(text), {}};
        if (const std::size_t equals = text.find('=');
            equals != std::string_view::npos && isName(text.substr(0, equals))) {
            statement.name = text.substr(0, equals);
            statement.value = text.substr(equals + 1);
        }
        if (const auto kernel = kernelIn(statement.value)) {
            statement.call = m_code.calls.size();
            m_code.calls.push_back({*kernel, numberOf(*kernel), m_line, std::move(m_sources)});
            m_sources.clear();
        }
        m_code.statements.push_back(std::move(statement));
    }

    /// Returns the kernel that a statement calls.
    std::optional<std::string> kernelIn(std::string_view value) const
    {
        std::string_view called = calledIn(value);
        if (called.starts_with("torch.ops.inductor.") || called.starts_with("aoti_torch_"))
            return std::nullopt; // these only make views of buffers
        if (isOfLibrary(called))
            return std::string(called);
        constexpr std::string_view run = ".run";
        called.remove_suffix(called.ends_with(run) ? run.size() : 0);
        return m_code.definition(called) ? std::optional(std::string(called)) : std::nullopt;
    }

    /// Returns the number of a call from the comment above it, if that comment is about this kernel; else the call's
    /// position among all calls, from 1.
    std::uint64_t numberOf(std::string_view kernel)
    {
        const std::string handle = std::move(m_handle);
        m_handle.clear();
        std::uint64_t number = 0;
        const std::size_t colon = handle.rfind(':');
        if (colon != std::string::npos && handle.substr(0, colon) == kernel
            && std::from_chars(handle.data() + colon + 1, handle.data() + handle.size(), number).ec == std::errc())
            return number;
        return m_code.calls.size() + 1;
    }

    GeneratedCode m_code;
    Statements m_statements;
    std::uint64_t m_line = 0;
    bool m_isInDefinition = false;
    std::string m_signature; ///< the part of a kernel's signature that has been read so far
    std::string m_handle;    ///< the debug handle in the comment above the next call
    std::vector<std::string> m_sources, m_fragment;
};

} // namespace

const KernelDefinition *GeneratedCode::definition(std::string_view name) const
{
    const auto found = byName.find(name);
    return found == byName.end() ? nullptr : &definitions[found->second];
}

std::vector<std::string_view> argumentsIn(std::string_view call)
{
    std::vector<std::string_view> arguments;
    for (std::size_t at = call.find('('); at < call.size() && (arguments.empty() || call[at] == ',');) {
        const std::size_t end = endOfArgument(call, at + 1);
        arguments.push_back(call.substr(at + 1, end - at - 1));
        at = end;
    }
    return arguments;
}

std::string_view calledIn(std::string_view value)
{
    const std::size_t bracket = value.find('(');
    const std::string_view called = value.substr(0, bracket == std::string_view::npos ? 0 : bracket);
    return std::ranges::all_of(called, [](char c) { return isNameCharacter(c) || c == '.'; }) ? called
                                                                                              : std::string_view();
}

bool isOfLibrary(std::string_view kernel)
{
    return std::ranges::any_of(libraryPrefixes, [&](std::string_view prefix) { return kernel.starts_with(prefix); });
}

GeneratedCode generatedCode(const Excerpt &text)
{
    CodeReading reading;
    std::string storage;
    text.forEachLine([&](std::string_view line) { return reading.add(plainLine(line, storage)); });
    return reading.finish();
}

GeneratedCode generatedCode(std::string_view text)
{
    CodeReading reading;
    while (!text.empty() && reading.add(text.substr(0, text.find('\n'))))
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    return reading.finish();
}

} // namespace cutaway::sequence
