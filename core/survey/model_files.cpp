// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/survey/model_files.h"

#include <algorithm>
#include <array>
#include <glob.h>
#include <set>

namespace cutaway::survey {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 7> suffixes{".onnx", ".pt", ".pt2", ".ptl", ".pth", ".ts", ".torchscript"};

bool isNamedAsAModel(const fs::path &path) { return std::ranges::contains(suffixes, path.extension().string()); }

class Search {
public:
    explicit Search(const Task &task) : m_task(task) { }

    void take(const std::string &named)
    {
        std::error_code error;
        if (const fs::file_status status = fs::status(named, error); fs::exists(status))
            return fs::is_directory(status) ? enter(named) : add(named);
        const std::vector<std::string> matches = matching(named);
        if (matches.empty())
            m_found.leftOut.push_back({named, error ? error.message() : "there is no such file"});
        for (const std::string &match : matches)
            fs::is_directory(match, error) ? enter(match) : add(match);
    }

    ModelFiles result()
    {
        std::ranges::sort(m_found.models);
        const auto same = std::ranges::unique(m_found.models);
        m_found.models.erase(same.begin(), same.end());
        return std::move(m_found);
    }

private:
    static std::vector<std::string> matching(const std::string &pattern)
    {
        glob_t found{};
        std::vector<std::string> paths;
        if (::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found) == 0)
            paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
        ::globfree(&found);
        return paths;
    }

    void add(const fs::path &path)
    {
        std::error_code error;
        const fs::path whole = fs::absolute(path, error).lexically_normal();
        m_found.models.push_back(error ? path : whole);
    }

    void enter(const fs::path &folder)
    {
        std::error_code error;
        const fs::path place = fs::canonical(folder, error);
        if (error)
            return m_found.leftOut.push_back({folder, error.message()});
        if (m_task.stopRequested() || !m_entered.insert(place).second)
            return;
        m_task.report("looking for models", m_found.models.size());
        fs::directory_iterator entries(folder, error);
        if (error)
            return m_found.leftOut.push_back({folder, error.message()});
        for (; entries != fs::directory_iterator(); entries.increment(error)) {
            if (error)
                return m_found.leftOut.push_back({folder, error.message()});
            visit(*entries);
        }
    }

    void visit(const fs::directory_entry &entry)
    {
        std::error_code error;
        const fs::file_status status = entry.status(error);
        if (fs::is_directory(status))
            enter(entry.path());
        else if (fs::is_regular_file(status) && isNamedAsAModel(entry.path()))
            add(entry.path());
        else if (isNamedAsAModel(entry.path()))
            m_found.leftOut.push_back({entry.path(), error ? error.message() : "it is not a file"});
        else
            ++m_found.others;
    }

    const Task &m_task;
    ModelFiles m_found;
    std::set<fs::path> m_entered;
};

} // namespace

bool isUrl(std::string_view path)
{
    const std::size_t end = path.find("://");
    return end != path.npos && end > 0 && path.find('/') == end + 1;
}

ModelFiles findModelFiles(const std::vector<std::string> &named, const Task &task)
{
    Search search(task);
    for (const std::string &each : named)
        search.take(each);
    return search.result();
}

} // namespace cutaway::survey
