// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/read/folder.h"

#include "core/sequence/limits.h"
#include "core/sequence/read/placing.h"
#include "core/sequence/read/text_log.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cutaway::sequence {

namespace {

namespace fs = std::filesystem;

bool isNumeral(char c) { return c >= '0' && c <= '9'; }

/// Orders names so that numbers in them are compared as numbers: "a2" comes before "a10".
bool isBefore(std::string_view a, std::string_view b)
{
    while (!a.empty() && !b.empty()) {
        if (isNumeral(a.front()) && isNumeral(b.front())) {
            const auto takeNumber = [](std::string_view &text) {
                text.remove_prefix(std::min(text.find_first_not_of('0'), text.size()));
                const auto *end = std::ranges::find_if_not(text, isNumeral);
                const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
                text.remove_prefix(digits.size());
                return digits;
            };
            const std::string_view x = takeNumber(a), y = takeNumber(b);
            if (x != y)
                return x.size() != y.size() ? x.size() < y.size() : x < y;
            continue;
        }
        if (a.front() != b.front())
            return a.front() < b.front();
        a.remove_prefix(1);
        b.remove_prefix(1);
    }
    return a.empty() && !b.empty();
}

std::vector<fs::path> entriesOf(const fs::path &folder)
{
    std::error_code error;
    std::vector<fs::path> entries;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        if (!entry->path().filename().string().starts_with('.'))
            entries.push_back(entry->path());
    std::ranges::sort(entries, [](const fs::path &a, const fs::path &b) {
        const std::string x = a.filename().string(), y = b.filename().string();
        return isBefore(x, y) || (!isBefore(y, x) && x < y);
    });
    return entries;
}

/// Collects a page of tlparse: the log in its folder or, if that is missing, the texts made of it. Returns false if the
/// folder is no page.
bool collectPage(const fs::path &folder, FolderFiles &files)
{
    if (!isTlparsePage(folder))
        return false;
    std::error_code error;
    if (fs::exists(folder / "raw.log", error)) {
        files.others.push_back(folder / "raw.log");
        return true;
    }
    for (const fs::path &entry : entriesOf(folder))
        if (const auto texts = fs::is_directory(entry, error) ? tlparseFolder(entry) : std::nullopt)
            files.tlparse.push_back(*texts);
    return true;
}

void collect(const fs::path &folder, int depth, FolderFiles &files)
{
    if (collectPage(folder, files))
        return;
    for (const fs::path &entry : entriesOf(folder)) {
        std::error_code error;
        const bool isFolder = fs::is_directory(entry, error);
        if (const auto debug = isFolder ? debugFolder(entry) : std::nullopt)
            files.debug.push_back(*debug);
        else if (isFolder && !fs::is_symlink(entry, error) && depth < limits::maxFolderDepth)
            collect(entry, depth + 1, files);
        else if (fs::is_regular_file(entry, error))
            files.others.push_back(entry);
        if (files.others.size() + files.debug.size() + files.tlparse.size() >= limits::maxFilesInFolder) {
            files.isCut = true;
            return;
        }
    }
}

Part partOf(const DebugFolder &folder) { return folder.part == "backward" ? Part::Backward : Part::Forward; }

Direction directionOf(const DebugFolder &folder)
{
    return folder.part == "backward" ? Direction::Backward
        : folder.part == "forward"   ? Direction::Forward
                                     : Direction::Inference;
}

std::optional<File> mapped(const fs::path &path)
{
    auto file = MappedFile::open(path);
    return file ? std::optional(std::make_shared<const MappedFile>(std::move(*file))) : std::nullopt;
}

/// Returns the only graph of a file; nothing if it has none or several.
std::optional<Step> graphIn(const fs::path &path, const DebugFolder &folder, Document &document, const Task &task)
{
    const auto file = mapped(path);
    if (!file)
        return std::nullopt;
    Document found;
    readTextLog(*file, found, task);
    std::ranges::move(found.diagnostics, std::back_inserter(document.diagnostics));
    if (found.sequences.size() != 1 || found.sequences.front().steps.size() != 1)
        return std::nullopt;
    Step step = std::move(found.sequences.front().steps.front());
    step.kind = Kind::PostGrad;
    step.direction = directionOf(folder);
    return step;
}

struct KeptFile {
    std::string_view file, record;
};
constexpr std::array keptFiles{
    KeptFile{"output_code.py", "inductor_output_code"},
    KeptFile{"inductor_provenance_tracking_node_mappings.json", "inductor_provenance_tracking_node_mappings"},
    KeptFile{"inductor_provenance_tracking_kernel_stack_traces.json",
             "inductor_provenance_tracking_kernel_stack_traces"},
    KeptFile{"ir_pre_fusion.txt", "ir_pre_fusion"},
    KeptFile{"ir_post_fusion.txt", "ir_post_fusion"},
    KeptFile{"fx_graph_runnable.py", "fx_graph_runnable"}};

void addFolder(const DebugFolder &folder, Sequence &sequence, Document &document, const Task &task)
{
    for (const char *name : {"fx_graph_readable.py", "fx_graph_transformed.py"})
        if (auto step = graphIn(folder.path / name, folder, document, task))
            sequence.steps.push_back(std::move(*step));
    for (const KeptFile &kept : keptFiles)
        if (const auto file = mapped(folder.path / kept.file))
            sequence.records.push_back(
                {std::string(kept.record), 1, Excerpt{*file, {{0, textOf(**file).size()}}, false}});
}

} // namespace

std::optional<DebugFolder> debugFolder(const fs::path &path)
{
    constexpr std::string_view mark = "__"; // it comes after "model", or the name that the model was given
    const std::string name = path.filename().string();
    const std::size_t at = name.rfind(mark);
    if (at == std::string::npos)
        return std::nullopt;
    DebugFolder folder{path, 0, {}};
    const auto [end, error] = std::from_chars(name.data() + at + mark.size(), name.data() + name.size(), folder.aotId);
    if (error != std::errc() || *end != '_')
        return std::nullopt;
    const std::string_view rest(end + 1);
    folder.part = rest.substr(0, rest.find('_'));
    const bool isKnown = folder.part == "forward" || folder.part == "backward" || folder.part == "inference";
    return isKnown ? std::optional(folder) : std::nullopt;
}

FolderFiles filesIn(const fs::path &folder)
{
    FolderFiles files;
    collect(folder, 0, files);
    return files;
}

void readDebugFolders(std::vector<DebugFolder> folders, Document &document, const Task &task)
{
    std::ranges::stable_sort(folders, {}, [](const DebugFolder &folder) {
        return std::tuple(folder.path.parent_path(), folder.aotId, partOf(folder));
    });
    for (std::size_t i = 0; i < folders.size(); ++i) {
        const bool goesOn = i > 0 && folders[i].path.parent_path() == folders[i - 1].path.parent_path()
            && folders[i].aotId == folders[i - 1].aotId && partOf(folders[i]) == partOf(folders[i - 1]);
        if (!goesOn) {
            document.sequences.emplace_back();
            document.sequences.back().part = partOf(folders[i]);
        }
        addFolder(folders[i], document.sequences.back(), document, task);
        compareNeighbours(document.sequences.back());
        document.sequences.back().status = document.sequences.back().steps.empty() ? Status::Empty : Status::Ok;
    }
}

} // namespace cutaway::sequence
