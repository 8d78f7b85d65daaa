// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/graph_cases.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <optional>

namespace cutaway::test {

extern const char *const dataFolder;

namespace {

constexpr std::string_view caseMark = "// ----- ", divider = "// versus", resultMark = "=>";

struct Line {
    std::string text; ///< without spaces at its end
    int number = 0;
};

std::string withoutEnd(std::string text)
{
    text.erase(text.find_last_not_of(" \n") + 1); // npos + 1 is 0
    return text;
}

/// Without spaces at the ends of lines and lines at the end that have nothing else.
std::string tidied(const std::string &text)
{
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        out += withoutEnd(text.substr(at, end - at)) + "\n";
        at = end + 1;
    }
    return withoutEnd(std::move(out));
}

std::vector<Line> linesOf(const std::string &path)
{
    std::vector<Line> lines;
    std::ifstream file(path);
    for (std::string text; std::getline(file, text);)
        lines.push_back({withoutEnd(text), static_cast<int>(lines.size()) + 1});
    return lines;
}

/// NAME and VALUE of "// NAME: VALUE", whose name is one word in small letters.
std::optional<std::pair<std::string, std::string>> optionIn(const std::string &line)
{
    const std::size_t end =
        line.starts_with("// ") ? line.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", 3) : line.npos;
    if (end == line.npos || end == 3 || line.compare(end, 2, ": ") != 0)
        return std::nullopt;
    return std::pair(line.substr(3, end - 3), line.substr(end + 2));
}

bool isName(std::string_view name)
{
    return !name.empty() && std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

/// Reads the lines of a file one by one; what it has not seen the end of is the case `m_case`.
class CaseReader {
public:
    explicit CaseReader(std::string path) : m_path(std::move(path)) { }

    CaseFile take()
    {
        for (const Line &line : linesOf(m_path)) {
            if (line.text.starts_with(caseMark) || line.text == withoutEnd(std::string(caseMark)))
                begin(line);
            else if (!m_inCase)
                addToFile(line.text);
            else
                addToCase(line);
        }
        finish();
        if (m_file.cases.empty())
            m_file.faults.push_back({1, "the file has no case; each begins with '// ----- itsName'"});
        return std::move(m_file);
    }

private:
    void fault(int line, const std::string &message) { m_file.faults.push_back({line, message}); }

    void begin(const Line &line)
    {
        finish();
        m_inCase = true;
        m_hasResult = false;
        m_case = {.name = line.text.substr(std::min(caseMark.size(), line.text.size())),
                  .graphs = {m_fileText},
                  .expected = {},
                  .options = m_fileOptions,
                  .path = m_path,
                  .line = line.number,
                  .optionsAsked = {}};
        if (!isName(m_case.name))
            fault(line.number, "'" + m_case.name + "' is no name of a test: letters, digits and '_'");
        if (!m_names.insert(m_case.name).second)
            fault(line.number, "another case has the name '" + m_case.name + "'");
    }

    void addToFile(const std::string &line)
    {
        if (const auto option = optionIn(line))
            m_fileOptions.insert_or_assign(option->first, option->second);
        else
            m_fileText += line + "\n";
    }

    void addToCase(const Line &line)
    {
        if (m_hasResult) {
            m_case.expected += line.text + "\n";
        } else if (line.text.starts_with(resultMark)) {
            m_hasResult = true;
            if (const std::size_t text = line.text.find_first_not_of(' ', resultMark.size()); text != line.text.npos)
                m_case.expected = line.text.substr(text) + "\n";
        } else if (line.text == divider) {
            m_case.graphs.push_back(m_fileText);
        } else if (const auto option = optionIn(line.text)) {
            m_case.options.insert_or_assign(option->first, option->second);
        } else {
            m_case.graphs.back() += line.text + "\n";
        }
    }

    void finish()
    {
        if (!m_inCase)
            return;
        if (!m_hasResult)
            fault(m_case.line, "the case '" + m_case.name + "' has no line that begins with '=>'");
        if (std::ranges::any_of(m_case.graphs,
                                [&](const std::string &graph) { return tidied(graph) == tidied(m_fileText); }))
            fault(m_case.line, "the case '" + m_case.name + "' has no graph");
        m_case.expected = tidied(m_case.expected);
        m_file.cases.push_back(std::move(m_case));
    }

    std::string m_path;
    CaseFile m_file;
    std::set<std::string> m_names;
    std::map<std::string, std::string> m_fileOptions;
    std::string m_fileText;
    GraphCase m_case;
    bool m_inCase = false, m_hasResult = false;
};

class CaseTest : public ::testing::Test {
public:
    CaseTest(GraphCase given, ResultOfCase result) : m_case(std::move(given)), m_result(std::move(result)) { }

    void TestBody() override
    {
        const ::testing::ScopedTrace trace(m_case.path.c_str(), m_case.line, "the case " + m_case.name);
        const std::string result = tidied(m_result(m_case));
        for (const auto &[name, value] : m_case.options)
            EXPECT_TRUE(m_case.optionsAsked.contains(name)) << "there is no option '" << name << "'";
        if (result == m_case.expected || HasFailure())
            return;
        if (std::getenv("CUTAWAY_REWRITE_CASES")) {
            rewriteResult(m_case, result);
            GTEST_SKIP() << "its expected result was rewritten";
        }
        EXPECT_EQ(m_case.expected, result);
    }

private:
    GraphCase m_case;
    ResultOfCase m_result;
};

/// Stands for what could not be read.
class FaultTest : public ::testing::Test {
public:
    FaultTest(std::string path, CaseFault fault) : m_path(std::move(path)), m_fault(std::move(fault)) { }
    void TestBody() override { ADD_FAILURE_AT(m_path.c_str(), m_fault.line) << m_fault.message; }

private:
    std::string m_path;
    CaseFault m_fault;
};

/// "DeadCode" of "dead-code"
std::string capitalized(std::string_view stem)
{
    std::string name;
    bool isStart = true;
    for (const char c : stem) {
        if (c != '-' && c != '_')
            name += isStart ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
        isStart = c == '-' || c == '_';
    }
    return name;
}

void registerFault(const std::string &suite, const std::string &path, const CaseFault &fault)
{
    const std::string name = "line" + std::to_string(fault.line) + "IsWrong";
    ::testing::RegisterTest((suite + "Cases").c_str(), name.c_str(), nullptr, nullptr, path.c_str(), fault.line,
                            [=]() -> FaultTest * { return new FaultTest(path, fault); });
}

void registerFile(const std::string &suite, const std::string &path, const ResultOfCase &result)
{
    const CaseFile file = readCases(path);
    for (const CaseFault &fault : file.faults)
        registerFault(suite, path, fault);
    if (!file.faults.empty())
        return;
    for (const GraphCase &one : file.cases)
        ::testing::RegisterTest(suite.c_str(), one.name.c_str(), nullptr, nullptr, path.c_str(), one.line,
                                [=]() -> CaseTest * { return new CaseTest(one, result); });
}

} // namespace

CaseFile readCases(const std::string &path) { return CaseReader(path).take(); }

void rewriteResult(const GraphCase &given, const std::string &result)
{
    std::string text;
    bool isThisCase = false, isOldResult = false;
    for (const Line &line : linesOf(given.path)) {
        if (line.text.starts_with(caseMark)) {
            isThisCase = line.text == std::string(caseMark) + given.name;
            isOldResult = false;
        }
        if (isThisCase && !isOldResult && line.text.starts_with(resultMark)) {
            isOldResult = true;
            text += std::string(resultMark) + (result.contains('\n') ? "\n" : " ") + result + "\n\n";
        }
        if (!isOldResult)
            text += line.text + "\n";
    }
    std::ofstream(given.path) << withoutEnd(std::move(text)) << "\n";
}

std::string GraphCase::option(const std::string &wanted) const
{
    optionsAsked.insert(wanted);
    const auto found = options.find(wanted);
    return found == options.end() ? "" : found->second;
}

bool forEachCase(const std::string &suite, std::string_view folder, const ResultOfCase &result)
{
    const std::filesystem::path path = std::filesystem::path(dataFolder) / folder;
    std::vector<std::string> files;
    std::error_code none;
    for (const auto &entry : std::filesystem::directory_iterator(path, none))
        if (entry.path().extension() == ".graph")
            files.push_back(entry.path().string());
    std::ranges::sort(files);
    for (const std::string &file : files)
        registerFile(suite + "/" + capitalized(std::filesystem::path(file).stem().string()), file, result);
    if (files.empty())
        registerFault(suite, path.string(), {0, "the folder has no file *.graph"});
    return true;
}

} // namespace cutaway::test
