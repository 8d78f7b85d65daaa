// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/sequence.h"

#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/formats/archive/probe.h"
#include "core/formats/format.h"
#include "core/sequence/read/folder.h"
#include "core/sequence/read/model_file.h"
#include "core/sequence/read/placing.h"
#include "core/sequence/read/structured_log.h"
#include "core/sequence/read/text_log.h"

#include <algorithm>

namespace cutaway::sequence {

namespace {

namespace fs = std::filesystem;

/// Whether a file has a binary format; no text begins with such bytes.
bool isBinary(const MappedFile &file)
{
    constexpr std::size_t looksAt = 4096;
    return textOf(file).substr(0, looksAt).contains('\0');
}

class Reader {
public:
    Reader(Document &document, const Task &task) : m_document(document), m_task(task) { }

    Result<void> add(const std::string &source)
    {
        std::error_code missing;
        if (fs::is_directory(source, missing))
            return addFolder(source);
        CUTAWAY_TRY(File file, mapped(source));
        if (addLog(file))
            return {};
        return addModel(source).transform_error([&](Error error) {
            if (!isBinary(*file) && !textOf(*file).empty())
                error.message =
                    "no graph was found: expected a log of torch.compile, a graph as torch.fx prints it, or "
                    "a model file";
            return error;
        });
    }

    void finish() { endRow(); }

private:
    static Result<File> mapped(const std::string &path)
    {
        CUTAWAY_TRY(auto file, MappedFile::open(path));
        return std::make_shared<const MappedFile>(std::move(file));
    }

    /// Adds the graphs of a log or a text. Returns false if the file is neither.
    bool addLog(const File &file)
    {
        const std::size_t count = m_document.sequences.size();
        const bool isStructured = isStructuredLog(*file);
        if (isStructured) {
            endRow();
            readStructuredLog(file, m_document, m_task);
        } else if (isBinary(*file) || !readTextLog(file, m_document, m_task)) {
            return false;
        }
        takeIntoRow(count, file->path().string());
        return true;
    }

    /// Adds a source with a single graph to the sequence of its neighbours; any other source ends that sequence.
    /// `count`: the number of sequences before `source` was read.
    void takeIntoRow(std::size_t count, const std::string &source)
    {
        if (m_document.sequences.size() != count + 1 || m_document.sequences[count].steps.size() != 1
            || m_document.sequences[count].steps.front().address != source)
            return endRow();
        if (m_row && *m_row != count) {
            m_document.sequences[*m_row].steps.push_back(std::move(m_document.sequences[count].steps.front()));
            m_document.sequences.pop_back();
        } else {
            m_row = count;
        }
    }

    void endRow()
    {
        if (m_row)
            compareNeighbours(m_document.sequences[*m_row]);
        m_row.reset();
    }

    Result<void> addModel(const std::string &path)
    {
        CUTAWAY_TRY(const Outline outline, outlineOfModel(path, m_task));
        const std::size_t count = m_document.sequences.size();
        Step step{.name = fs::path(path).filename().string(),
                  .kind = Kind::File,
                  .direction = {},
                  .source = path,
                  .text = {},
                  .line = {},
                  .outline = outline};
        step.address = path;
        m_document.sequences.emplace_back().steps.push_back(std::move(step));
        takeIntoRow(count, path);
        return {};
    }

    /// Reads the files in a folder whose format is known. Only models in formats that Cutaway reads itself count.
    Result<void> addFolder(const std::string &folder)
    {
        FolderFiles files = filesIn(folder);
        readDebugFolders(std::move(files.debug), m_document, m_task);
        readTlparseFolders(files.tlparse, m_document, m_task);
        if (m_task.stopRequested())
            return cancelled();
        std::size_t unknown = 0;
        for (const fs::path &path : files.others) {
            if (m_task.stopRequested())
                return cancelled();
            unknown += !addFromFolder(path);
        }
        endRow();
        if (m_document.sequences.empty() && files.others.empty())
            return unreadable("the folder holds no log of torch.compile, graph as torch.fx prints it, or model file");
        if (m_document.sequences.empty() && unknown == files.others.size())
            return unreadable((unknown == 1 ? "the only file in the folder is not"
                                            : formatted("none of the {} files in the folder is", unknown))
                              + " a log of torch.compile, a graph as torch.fx prints it, or a model file");
        if (unknown > 0)
            m_document.diagnostics.push_back(
                {ir::Severity::Info,
                 formatted("{} in the folder {} no graph", quantity(unknown, "file"), unknown == 1 ? "holds" : "hold"),
                 folder,
                 {}});
        if (files.isCut)
            m_document.diagnostics.push_back(
                {ir::Severity::Warning,
                 formatted("the folder has more files than are looked at ({})", files.others.size()),
                 folder,
                 {}});
        return {};
    }

    bool addFromFolder(const fs::path &path)
    {
        const auto file = mapped(path.string());
        if (!file)
            return false;
        if (addLog(*file))
            return true;
        if (!formats::formatOf(formats::archive::Probe(*file)))
            return false;
        const auto added = addModel(path.string());
        if (!added)
            m_document.diagnostics.push_back({ir::Severity::Error, added.error().text(), path.string(), {}});
        return added.has_value();
    }

    Document &m_document;
    const Task &m_task;
    std::optional<std::size_t> m_row; ///< the unfinished sequence of sources with one graph each
};

} // namespace

Result<Document> read(std::span<const std::string> sources, const Task &task)
{
    Document document;
    Reader reader(document, task);
    for (const std::string &source : sources) {
        document.sources.push_back(source);
        CUTAWAY_RETURN_IF_ERROR(withSubject(source, reader.add(source)));
        if (task.stopRequested())
            return cancelled();
    }
    reader.finish();
    return document;
}

} // namespace cutaway::sequence
