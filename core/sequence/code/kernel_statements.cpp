// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/code/kernel_statements.h"

#include "core/sequence/code/generated_code.h"
#include "core/sequence/excerpt.h"
#include "core/sequence/printed.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

namespace cutaway::sequence {

namespace {

/// Calls that give a value another type or shape. In C++, the types themselves are called for that.
constexpr std::array<std::string_view, 22> conversions{
    "float",    "double",           "half",       "bfloat16",    "bool",
    "int8_t",   "uint8_t",          "int16_t",    "int32_t",     "int64_t",
    "convert",  "bit_cast",         "Vectorized", "VectorizedN", "static_cast",
    "decltype", "broadcast_to",     "reshape",    "expand_dims", "upcast_compute_type",
    "trans",    "promote_to_tensor"};

/// The signs of operators with their names, the longer signs first.
constexpr std::array<std::pair<std::string_view, std::string_view>, 15> signs{{{"<=", "le"},
                                                                               {">=", "ge"},
                                                                               {"==", "eq"},
                                                                               {"!=", "ne"},
                                                                               {"//", "floor_divide"},
                                                                               {"<", "lt"},
                                                                               {">", "gt"},
                                                                               {"*", "mul"},
                                                                               {"/", "div"},
                                                                               {"+", "add"},
                                                                               {"-", "sub"},
                                                                               {"?", "where"},
                                                                               {"&", "bitwise_and"},
                                                                               {"|", "bitwise_or"},
                                                                               {"~", "invert"}}};

bool isDecimal(char c) { return c >= '0' && c <= '9'; }
bool isValue(std::string_view name) { return name.starts_with("tmp") || name.starts_with("_tmp"); }
bool isConversion(std::string_view function) { return std::ranges::contains(conversions, function); }

/// Returns the length of a group in brackets with which the text begins.
std::size_t groupLength(std::string_view text)
{
    constexpr std::string_view opening = "([{<", closing = ")]}>";
    const std::size_t kind = opening.find(text.front());
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        depth += text[i] == opening[kind] ? 1 : text[i] == closing[kind] ? -1 : 0;
        if (depth == 0)
            return i + 1;
    }
    return text.size();
}

/// Returns the names of values and pointers in a text.
std::vector<KernelOperand> namesOfOperands(std::string_view text)
{
    std::vector<KernelOperand> names;
    for (const std::string_view name : namesIn(text))
        if (isValue(name) || isKernelPointer(name))
            names.emplace_back(std::string(name));
    return names;
}

/// Reads an expression from left to right: nesting does not matter, since a statement has one operation or is not
/// understood.
class ExpressionReading {
public:
    /// `depth`: the number of calls around the text.
    ExpressionReading(std::string_view text, KernelStatement &statement, int depth = 0)
        : m_rest(text),
          m_statement(statement),
          m_depth(depth)
    {
    }

    void read()
    {
        while (!m_rest.empty())
            take();
    }

private:
    void take()
    {
        const char c = m_rest.front();
        if (isDecimal(c))
            return takeNumber(1);
        if (isNameCharacter(c))
            return takeName();
        if (c == '.')
            return takeMember();
        if (c == '"')
            return takeText();
        if (c == '[' || c == '{')
            return m_rest.remove_prefix(groupLength(m_rest));
        if (c == '-' && m_isOperandNext)
            return takeMinus();
        if (const auto sign =
                std::ranges::find_if(signs, [this](const auto &each) { return m_rest.starts_with(each.first); });
            sign != signs.end()) {
            m_statement.operations.emplace_back(sign->second);
            m_isOperandNext = true;
            return m_rest.remove_prefix(sign->first.size());
        }
        m_isOperandNext = m_isOperandNext || c == '(' || c == ',';
        m_rest.remove_prefix(1);
    }

    void takeMinus()
    {
        m_rest.remove_prefix(1);
        if (!m_rest.empty() && isDecimal(m_rest.front()))
            return takeNumber(-1);
        m_statement.operations.emplace_back("neg");
    }

    void takeNumber(double factor)
    {
        double number = 0;
        const char *end = std::from_chars(m_rest.data(), m_rest.data() + m_rest.size(), number).ptr;
        m_rest.remove_prefix(std::max<std::size_t>(1, static_cast<std::size_t>(end - m_rest.data())));
        while (!m_rest.empty() && isNameCharacter(m_rest.front())) // the rest of `1L`, `0.5f`
            m_rest.remove_prefix(1);
        m_statement.operands.emplace_back(factor * number);
        m_isOperandNext = false;
    }

    /// Reads a string. It is an operand if it is a number, as in `float("-inf")`; other strings are messages.
    void takeText()
    {
        const std::string_view text = m_rest.substr(1, m_rest.find('"', 1) - 1);
        m_rest.remove_prefix(std::min(text.size() + 2, m_rest.size()));
        double number = 0;
        if (std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc())
            m_statement.operands.emplace_back(number);
        m_isOperandNext = false;
    }

    std::string_view takeWord()
    {
        const auto end = std::ranges::find_if_not(m_rest, isNameCharacter);
        const std::string_view word = m_rest.substr(0, static_cast<std::size_t>(end - m_rest.begin()));
        m_rest.remove_prefix(word.size());
        return word;
    }

    void takeName()
    {
        std::string_view word = takeWord();
        if (isValue(word) || isKernelPointer(word))
            return takeOperand(word);
        while (m_rest.starts_with("::") || m_rest.starts_with(".")) {
            m_rest.remove_prefix(m_rest.starts_with("::") ? 2 : 1);
            word = takeWord();
        }
        if (m_rest.starts_with('<'))
            m_rest.remove_prefix(groupLength(m_rest));
        if (m_rest.starts_with('('))
            takeCall(word);
    }

    void takeOperand(std::string_view word)
    {
        m_statement.operands.emplace_back(std::string(word));
        m_isOperandNext = false;
        if (isKernelPointer(word) && m_rest.starts_with('[')) {
            takeLoad(m_rest.substr(0, groupLength(m_rest)));
            m_rest.remove_prefix(groupLength(m_rest));
        }
    }

    /// Reads `tmp0.to(tl.float32)`, `(tmp4).erf()` or `tmp_acc0.mean`.
    void takeMember()
    {
        m_rest.remove_prefix(1);
        const std::string_view word = takeWord();
        if (!m_rest.starts_with('('))
            return;
        if (word != "to" && !isConversion(word))
            return takeCall(word);
        m_rest.remove_prefix(groupLength(m_rest));
    }

    void takeCall(std::string_view function)
    {
        const std::string_view group = m_rest.substr(0, groupLength(m_rest));
        const std::vector<std::string_view> arguments = argumentsIn(group);
        const bool masksEndOfBlock =
            function == "where" && arguments.size() == 3 && namesOfOperands(arguments.front()).empty();
        if (function == "load" || function == "loadu") {
            takeLoad(group);
        } else if (masksEndOfBlock || (function == "full" && arguments.size() > 1)) {
            readArgument(arguments[1]);
        } else if (function == "decltype") {
        } else if (isConversion(function)) {
            readArgument(arguments.front());
        } else {
            m_statement.operations.emplace_back(function);
            for (const std::string_view argument : arguments)
                readArgument(argument);
        }
        m_rest.remove_prefix(group.size());
        m_isOperandNext = function == "decltype";
    }

    void readArgument(std::string_view argument)
    {
        constexpr int deepest = 16; // the limit of nested calls; Inductor nests two or three
        if (m_depth < deepest)
            ExpressionReading(argument, m_statement, m_depth + 1).read();
    }

    void takeLoad(std::string_view place)
    {
        m_statement.meaning = KernelStatement::Meaning::Load;
        std::ranges::move(namesOfOperands(place), std::back_inserter(m_statement.operands));
    }

    std::string_view m_rest;
    KernelStatement &m_statement;
    int m_depth;
    bool m_isOperandNext = true; ///< whether an operand comes next, so that a minus is a sign
};

/// Reads `tl.store(out_ptr0 + (x0), tmp2, xmask)` or `tmp3.store(out_ptr0 + x0)`.
std::optional<KernelStatement> storeIn(std::string_view line)
{
    constexpr std::array<std::string_view, 2> functions{"store(", "atomic_add("};
    for (const std::string_view function : functions) {
        const std::size_t at = line.find(function);
        if (at == std::string_view::npos)
            continue;
        const auto arguments = argumentsIn(line.substr(at));
        const std::string_view value = !line.starts_with("tl.") ? line.substr(0, at)
            : arguments.size() > 1                              ? arguments[1]
                                                                : std::string_view();
        const auto place = namesOfOperands(arguments.front()), values = namesOfOperands(value);
        if (place.empty() || values.empty())
            continue;
        return KernelStatement{.meaning = KernelStatement::Meaning::Store,
                               .name = std::get<std::string>(place.front()),
                               .operands = {values.front()}};
    }
    return std::nullopt;
}

std::string_view lastName(std::string_view text)
{
    const auto end = std::ranges::find_last_if(text, isNameCharacter).begin();
    text = text.substr(0, end == text.end() ? 0 : static_cast<std::size_t>(end - text.begin()) + 1);
    const auto start = std::ranges::find_last_if_not(text, isNameCharacter).begin();
    return start == text.end() ? text : text.substr(static_cast<std::size_t>(start - text.begin()) + 1);
}

/// Returns the names of values and pointers to which a statement assigns; `left` is its text before the equals sign.
std::vector<std::string_view> assignedNames(std::string_view left)
{
    constexpr std::size_t most = 8; // the limit of names; Inductor's statements have at most three
    std::vector<std::string_view> names;
    for (std::size_t at = 0; at < left.size() && names.size() < most;) {
        const std::size_t end = std::min(left.find(',', at), left.size());
        const std::string_view name = lastName(left.substr(at, end - at));
        if (isValue(name) || isKernelPointer(name))
            names.push_back(name);
        at = end + 1;
    }
    return names;
}

/// Adds a statement for each name that the text assigns to. `text`: without line breaks.
void addStatements(std::string_view text, KernelStatement::Lines lines, std::vector<KernelStatement> &statements)
{
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    constexpr std::string_view equals = " = ";
    const std::size_t at = text.find(equals);
    if (at == std::string_view::npos) {
        if (auto store = storeIn(text)) {
            store->lines = lines;
            statements.push_back(std::move(*store));
        }
        return;
    }
    const std::string_view left = text.substr(0, at);
    const std::size_t bracket = left.find('[');
    KernelStatement statement{.lines = lines};
    ExpressionReading(text.substr(at + equals.size()), statement).read();
    if (bracket != std::string_view::npos)
        statement.meaning = KernelStatement::Meaning::Store;
    if (statement.operands.empty() && statement.operations.empty())
        return;
    for (const std::string_view name : assignedNames(left.substr(0, bracket))) {
        statement.name = name;
        statements.push_back(statement);
    }
}

} // namespace

bool isKernelPointer(std::string_view name) { return name.contains("_ptr"); }

std::vector<KernelStatement> kernelStatements(std::string_view source, std::uint32_t line)
{
    constexpr std::size_t longest = 4096; // the limit of characters of a line; longer lines are skipped
    constexpr std::uint32_t mostLines = 4;
    std::vector<KernelStatement> statements;
    std::string text; // the part that has been read of a call with arguments on separate lines
    std::uint32_t first = line;
    for (; !source.empty(); ++line) {
        const std::string_view read = source.substr(0, source.find('\n'));
        source.remove_prefix(std::min(read.size() + 1, source.size()));
        const bool isGoingOn = !text.empty() && line - first < mostLines;
        if (!isGoingOn) {
            text.clear();
            first = line;
        }
        if (read.size() > longest)
            continue;
        const bool isEnd =
            isGoingOn && read.substr(std::min(read.find_first_not_of(' '), read.size())).starts_with(')');
        if (isGoingOn || read.ends_with('('))
            text += read;
        if (text.empty() || isEnd)
            addStatements(isEnd ? text : read, {first, line + 1}, statements);
        if (isEnd)
            text.clear();
    }
    return statements;
}

} // namespace cutaway::sequence
