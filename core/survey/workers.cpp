// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/survey/workers.h"

#include "core/base/overloaded.h"
#include "core/base/result.h"
#include "core/plugin/process.h"
#include "core/survey/last_line.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <set>
#include <unistd.h>

namespace cutaway::survey {

using Clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds pollInterval{100}; ///< how often a survey checks whether to stop
constexpr std::size_t maxErrorText = 4096;             ///< limit of the bytes that are kept of a worker's error output

/// Appends everything that can be read without waiting to `text`; returns false at the end or on an error.
bool readSome(int descriptor, std::string &text)
{
    std::array<char, 65536> part{};
    for (;;) {
        const ssize_t size = ::read(descriptor, part.data(), part.size());
        if (size > 0)
            text.append(part.data(), static_cast<std::size_t>(size));
        else if (size == 0)
            return false;
        else if (errno != EINTR)
            return errno == EAGAIN;
    }
}

/// Writes all of a text to a worker. Requests are short, so they fit into the pipe of a worker that waits for one.
bool writeAll(int descriptor, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t size = ::write(descriptor, text.data(), text.size());
        if (size < 0 && errno == EINTR)
            continue;
        if (size < 0 && errno == EAGAIN) {
            pollfd ready{descriptor, POLLOUT, 0};
            ::poll(&ready, 1, -1);
            continue;
        }
        if (size < 0)
            return false;
        text.remove_prefix(static_cast<std::size_t>(size));
    }
    return true;
}

/// A process and its current model.
class Worker {
public:
    Worker(plugin::Process process, Clock::duration limit) : m_process(std::move(process)), m_limit(limit) { }

    void begin(const std::filesystem::path &model)
    {
        m_model = model;
        m_deadline = Clock::now() + m_limit;
        writeAll(m_process.input(), model.native() + std::string(1, '\0'));
    }
    const std::optional<std::filesystem::path> &model() const { return m_model; }
    Clock::time_point deadline() const { return m_deadline; }

    std::array<pollfd, 2> watched() const
    {
        return {pollfd{m_process.output(), POLLIN, 0}, pollfd{m_process.error(), POLLIN, 0}};
    }

    /// Returns the answer if it has come, or a record on why the worker cannot go on; nothing if it is still at work.
    std::optional<Record> look()
    {
        readSome(m_process.error(), m_errors);
        if (m_errors.size() > maxErrorText)
            m_errors.erase(0, m_errors.size() - maxErrorText);
        const bool isOpen = readSome(m_process.output(), m_answer);
        if (const std::size_t end = m_answer.find('\n'); end != m_answer.npos) {
            auto record = parseRecord(std::string_view(m_answer).substr(0, end));
            m_answer.clear();
            if (!record)
                return ended(State::Crashed, record.error().text());
            m_isUsable = record->state != State::OutOfMemory; // a worker that ran out of memory may still hold some
            return std::move(*record);
        }
        if (!isOpen)
            return crashed();
        if (Clock::now() >= m_deadline)
            return ended(State::TimedOut,
                         "it took more than "
                             + std::to_string(std::chrono::duration_cast<std::chrono::seconds>(m_limit).count())
                             + " seconds");
        return std::nullopt;
    }
    bool isUsable() const { return m_isUsable; }
    void finish() { m_model.reset(); }

private:
    Record ended(State state, std::string message)
    {
        m_isUsable = false;
        m_process.kill();
        Record record;
        record.state = state;
        record.message = std::move(message);
        return record;
    }

    Record crashed()
    {
        const auto ending = m_process.wait(std::chrono::seconds(5)).value_or(plugin::Killed{9});
        const std::string how = std::visit(
            Overloaded{[](plugin::Exited exited) { return "exit code " + std::to_string(exited.code); },
                       [](plugin::Killed killed) { return std::string("signal ") + ::strsignal(killed.signal); }},
            ending);
        const std::string last = lastLine(m_errors);
        return ended(State::Crashed, "the worker ended with " + how + (last.empty() ? "" : ": " + last));
    }

    plugin::Process m_process;
    Clock::duration m_limit;
    std::optional<std::filesystem::path> m_model;
    Clock::time_point m_deadline;
    std::string m_answer, m_errors;
    bool m_isUsable = true;
};

class Pool {
public:
    Pool(const std::vector<std::filesystem::path> &models, const Request &request, const Workers &workers,
         const Task &task, const TakeRecord &take)
        : m_models(models),
          m_request(print(request) + "\n"),
          m_workers(workers),
          m_task(task),
          m_take(take)
    {
    }

    Result<void> run()
    {
        while (m_done < m_models.size()) {
            if (m_task.stopRequested())
                return cancelled();
            CUTAWAY_RETURN_IF_ERROR(giveWork());
            wait();
            CUTAWAY_RETURN_IF_ERROR(takeAnswers());
        }
        return {};
    }

private:
    Result<void> giveWork()
    {
        std::erase_if(m_pool, [](const Worker &worker) { return !worker.model() && !worker.isUsable(); });
        while (m_pool.size() < m_workers.count && m_pool.size() < left() + busy()) {
            CUTAWAY_TRY(
                auto process,
                plugin::Process::start(m_workers.command, {}, {.memory = m_workers.memory, .processorTime = {}}));
            writeAll(process.input(), m_request);
            m_pool.emplace_back(std::move(process), m_workers.limit);
        }
        for (Worker &worker : m_pool)
            if (!worker.model() && left() > 0)
                worker.begin(next());
        return {};
    }

    /// Returns the number of models that no worker has got yet.
    std::size_t left() const { return m_models.size() - m_next + m_again.size(); }

    std::filesystem::path next()
    {
        if (m_next < m_models.size())
            return m_models[m_next++];
        std::filesystem::path model = std::move(m_again.back());
        m_again.pop_back();
        return model;
    }

    bool isTriedAgain(const std::filesystem::path &model, const Record &record)
    {
        const bool isFirst = record.state == State::Crashed && m_crashed.insert(model).second;
        if (isFirst)
            m_again.push_back(model);
        return isFirst;
    }

    std::size_t busy() const
    {
        return static_cast<std::size_t>(
            std::ranges::count_if(m_pool, [](const Worker &worker) { return worker.model().has_value(); }));
    }

    void wait() const
    {
        std::vector<pollfd> watched;
        for (const Worker &worker : m_pool)
            if (worker.model())
                std::ranges::copy(worker.watched(), std::back_inserter(watched));
        ::poll(watched.data(), watched.size(), static_cast<int>(pollInterval.count()));
    }

    Result<void> takeAnswers()
    {
        for (Worker &worker : m_pool) {
            const auto record = worker.model() ? worker.look() : std::nullopt;
            if (!record)
                continue;
            const std::filesystem::path model = *worker.model();
            worker.finish();
            if (isTriedAgain(model, *record))
                continue;
            ++m_done;
            CUTAWAY_RETURN_IF_ERROR(m_take(model, *record));
            m_task.report("models", m_done, m_models.size());
        }
        return {};
    }

    const std::vector<std::filesystem::path> &m_models;
    const std::string m_request;
    const Workers &m_workers;
    const Task &m_task;
    const TakeRecord &m_take;
    std::vector<Worker> m_pool;
    std::size_t m_next = 0, m_done = 0;
    std::vector<std::filesystem::path> m_again; ///< models to try once more
    std::set<std::filesystem::path> m_crashed;
};

/// Reads the input up to `end`, which is removed; nothing at the end of the input. `rest` keeps what was read beyond
/// `end`.
std::optional<std::string> readTo(int input, char end, std::string &rest)
{
    for (;;) {
        if (const std::size_t place = rest.find(end); place != rest.npos) {
            std::string text = rest.substr(0, place);
            rest.erase(0, place + 1);
            return text;
        }
        std::array<char, 4096> part{};
        const ssize_t size = ::read(input, part.data(), part.size());
        if (size == 0 || (size < 0 && errno != EINTR))
            return std::nullopt;
        if (size > 0)
            rest.append(part.data(), static_cast<std::size_t>(size));
    }
}

} // namespace

Result<void> surveyAll(const std::vector<std::filesystem::path> &models, const Request &request, const Workers &workers,
                       const Task &task, const TakeRecord &take)
{
    return Pool(models, request, workers, task, take).run();
}

int serve(int input, int output)
{
    std::string rest;
    const auto line = readTo(input, '\n', rest);
    const Result<Request> request = line ? parseRequest(*line) : unreadable("there is no request");
    if (!request)
        return 2;
    while (const auto path = readTo(input, '\0', rest))
        if (!writeAll(output, print(surveyed(*path, *request)) + "\n"))
            return 1;
    return 0;
}

} // namespace cutaway::survey
