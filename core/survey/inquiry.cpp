// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/survey/inquiry.h"

#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/base/text.h"

#include <algorithm>
#include <map>

namespace cutaway::survey {

namespace {

bool hasChanged(const Entry &model)
{
    const FileVersion now = versionOf(model.path);
    return now.bytes != model.bytes || now.modified != model.modified;
}

bool isOfRequest(query::Property figure)
{
    using enum query::Property;
    return figure == Flops || figure == OtherFlops || figure == Memory || figure == Time;
}

/// Returns an error if no model has costs for the request, since its texts then differ from those of the survey.
Result<void> checkRequest(const Database &database, const Inquiry &inquiry)
{
    const std::string name = inquiry.request.name();
    if (name.empty() || std::ranges::none_of(modelFiguresIn(inquiry.query), isOfRequest))
        return {};
    CUTAWAY_TRY(auto known, database.requests());
    if (std::ranges::contains(known, name))
        return {};
    for (std::string &each : known)
        each = formatted("'{}'", each);
    return usageError("the survey has no costs for '" + name + "'; it has those for " + joined(known, ", "));
}

/// Answers a query for each model from the database, or from the model's file if the database does not decide.
class Asking {
public:
    Asking(const Inquiry &inquiry, std::vector<Entry> entries) : m_inquiry(inquiry), m_entries(std::move(entries))
    {
        m_result.models = m_entries.size();
    }

    Result<InquiryResult> run(const Workers &workers, const Task &task)
    {
        for (Entry &entry : m_entries)
            take(entry, answerTo(m_inquiry.query, entry));
        CUTAWAY_RETURN_IF_ERROR(askFiles(workers, task));
        std::ranges::sort(m_result.found, {}, &Entry::path);
        std::ranges::sort(m_result.notAsked, {}, &NotAsked::path);
        m_result.notKnown.assign(m_notKnown.begin(), m_notKnown.end());
        return std::move(m_result);
    }

private:
    void take(Entry &entry, const ModelAnswer &answer)
    {
        if (answer.match == query::Match::Yes)
            m_result.found.push_back(std::move(entry));
        else if (answer.match == query::Match::Unknown && answer.needsFile)
            hasChanged(entry) ? notAsked(entry, "its file has changed since the survey, or is gone") : toOpen(entry);
        else if (answer.match == query::Match::Unknown && entry.state != State::Read)
            ++m_result.notRead;
        else
            for (const query::Property property : answer.notKnown)
                ++m_notKnown[property];
    }

    void toOpen(Entry &entry)
    {
        m_files.emplace_back(entry.path);
        m_toOpen.emplace(entry.path, std::move(entry));
    }
    void notAsked(const Entry &entry, const std::string &why) { m_result.notAsked.push_back({entry.path, why}); }

    Result<void> askFiles(const Workers &workers, const Task &task)
    {
        Request request = m_inquiry.request;
        request.asked = NodeQuery{m_inquiry.text};
        m_result.opened = m_files.size();
        return surveyAll(m_files, request, workers, task, [&](const auto &path, const Record &record) -> Result<void> {
            Entry &entry = m_toOpen.at(path.string());
            if (record.state != State::Read) {
                notAsked(entry, std::string(name(record.state)) + ": " + record.message);
                return {};
            }
            ModelAnswer answer = answerTo(m_inquiry.query, entry, &record.nodesFound);
            answer.needsFile = false;
            take(entry, answer);
            return {};
        });
    }

    const Inquiry &m_inquiry;
    std::vector<Entry> m_entries;
    std::vector<std::filesystem::path> m_files;
    std::map<std::string, Entry> m_toOpen;
    std::map<query::Property, std::size_t> m_notKnown;
    InquiryResult m_result;
};

} // namespace

Result<InquiryResult> ask(const Database &database, const Inquiry &inquiry, const Workers &workers, const Task &task)
{
    CUTAWAY_RETURN_IF_ERROR(checkRequest(database, inquiry));
    CUTAWAY_TRY(
        auto entries,
        database.entries(inquiry.request.name(), asksForModules(inquiry.query) ? Modules::Included : Modules::LeftOut));
    return Asking(inquiry, std::move(entries)).run(workers, task);
}

} // namespace cutaway::survey
