// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/survey/model_reports.h"

#include "core/base/process.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <mutex>
#include <thread>

namespace cutaway::survey {

namespace {

/// Returns a name such as "0012-resnet50.html". It has a number, since files in several folders may have the same name,
/// and only characters that an address may have.
std::string reportName(std::size_t place, const std::string &path)
{
    const std::string number = std::to_string(place + 1);
    std::string name = std::filesystem::path(path).stem().string();
    std::ranges::replace_if(
        name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_'; }, '-');
    return std::string(number.size() < 4 ? 4 - number.size() : 0, '0') + number + "-" + name.substr(0, 100) + ".html";
}

class ReportsWriter {
public:
    ReportsWriter(const std::vector<Entry> &entries, const std::filesystem::path &folder, const Workers &workers,
                  const Task &task)
        : m_entries(entries),
          m_folder(folder),
          m_workers(workers),
          m_task(task)
    {
    }

    ReportNames write()
    {
        {
            std::vector<std::jthread> threads;
            for (unsigned i = 0; i < m_workers.count; ++i)
                threads.emplace_back([this] { work(); });
        }
        return std::move(m_names);
    }

private:
    void work()
    {
        for (std::size_t place = m_next++; place < m_entries.size() && !m_task.stopRequested(); place = m_next++)
            if (m_entries[place].state == State::Read)
                writeOne(place);
    }

    void writeOne(std::size_t place)
    {
        const std::string &path = m_entries[place].path;
        const std::string name = reportName(place, path);
        std::vector<std::string> command = m_workers.command;
        command.insert(command.end(), {path, "-o", (m_folder / name).string()});
        const auto output = runProcess(command, {}, m_workers.limit, m_task.stop);
        if (!output || output->timedOut || output->exitCode != 0)
            return;
        const std::scoped_lock lock(m_mutex);
        m_names.emplace(path, name);
    }

    const std::vector<Entry> &m_entries;
    const std::filesystem::path &m_folder;
    const Workers &m_workers;
    const Task &m_task;
    std::atomic<std::size_t> m_next = 0;
    std::mutex m_mutex;
    ReportNames m_names;
};

} // namespace

Result<ReportNames> writeModelReports(const std::vector<Entry> &entries, const std::filesystem::path &folder,
                                      const Workers &workers, const Task &task)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return backendError(folder.string() + ": " + error.message());
    ReportNames names = ReportsWriter(entries, folder, workers, task).write();
    return task.stopRequested() ? Result<ReportNames>(cancelled()) : names;
}

} // namespace cutaway::survey
