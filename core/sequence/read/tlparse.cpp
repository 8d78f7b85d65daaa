// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/read/tlparse.h"

#include "core/base/formatted.h"
#include "core/sequence/read/compilations.h"
#include "core/sequence/read/rank.h"
#include "core/sequence/read/stages.h"

#include <algorithm>
#include <charconv>
#include <ranges>
#include <tuple>

namespace cutaway::sequence {

namespace {

namespace fs = std::filesystem;

template <class Number>
std::optional<Number> numberIn(std::string_view text)
{
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::vector<std::string> partsOf(std::string_view name)
{
    std::vector<std::string> parts;
    for (const auto part : std::views::split(name, '_'))
        parts.emplace_back(std::string_view(part));
    return parts;
}

/// A text of a page.
struct Artefact {
    fs::path path;
    std::string name; ///< the name of the record that the text comes from
    std::uint64_t number = 0;
    const TlparseFolder *folder = nullptr;
};

std::optional<Artefact> artefactAt(const fs::path &path, const TlparseFolder &folder)
{
    const std::string stem = path.stem().string();
    const std::size_t mark = stem.rfind('_');
    if (mark == std::string::npos)
        return std::nullopt;
    const auto number = numberIn<std::uint64_t>(std::string_view(stem).substr(mark + 1));
    if (!number)
        return std::nullopt;
    constexpr std::string_view code = "inductor_output_code"; // the name of the code's own file follows
    const std::string name = stem.starts_with(code) ? std::string(code) : stem.substr(0, mark);
    return Artefact{path, name, *number, &folder};
}

/// Returns the files in the order of the log.
std::vector<Artefact> artefactsIn(std::span<const TlparseFolder> folders)
{
    std::vector<Artefact> found;
    for (const TlparseFolder &folder : folders) {
        std::error_code error;
        for (fs::directory_iterator entry(folder.path, error), end; !error && entry != end; entry.increment(error))
            if (auto artefact = artefactAt(entry->path(), folder))
                found.push_back(std::move(*artefact));
    }
    std::ranges::sort(found, {}, [](const Artefact &each) { return std::tie(each.number, each.path); });
    return found;
}

/// Whether a file is text: a record that tlparse shows as HTML is no longer the text that it was.
bool isText(const Artefact &artefact) { return artefact.path.extension() != ".html"; }

void addGraph(const Artefact &artefact, Excerpt text, Compilation &compilation, Document &document)
{
    const Outline outline = outlineOf(text);
    if (!outline.isWhole)
        document.diagnostics.push_back(
            {ir::Severity::Warning, "the text of this graph ends before its results", artefact.path.string(), 1});
    compilation.addGraph({.name = artefact.name,
                          .kind = kindOfRecord(artefact.name),
                          .direction = {},
                          .source = artefact.path.string(),
                          .text = std::move(text),
                          .line = {},
                          .outline = outline});
}

void add(const Artefact &artefact, Compilation &compilation, Document &document)
{
    compilation.frame = artefact.folder->frame;
    compilation.forward.attempt = artefact.folder->attempt;
    if (!isText(artefact)) {
        if (artefact.name == "inductor_output_code")
            compilation.endCode({});
        return;
    }
    auto mapped = MappedFile::open(artefact.path);
    if (!mapped)
        return document.diagnostics.push_back({ir::Severity::Error, mapped.error().text(), artefact.path.string(), {}});
    const auto file = std::make_shared<const MappedFile>(std::move(*mapped));
    Excerpt text{file, {{0, textOf(*file).size()}}, false};
    if (isGraph(text))
        addGraph(artefact, std::move(text), compilation, document);
    else
        compilation.addRecord({artefact.name, 1, std::move(text)});
}

} // namespace

std::optional<TlparseFolder> tlparseFolder(const fs::path &path)
{
    const auto parts = partsOf(path.filename().string());
    if (parts.size() == 2 && parts[0] == "unknown" && numberIn<std::uint64_t>(parts[1]))
        return TlparseFolder{path, {}, {}, 0};
    const auto isId = [](const std::string &part) { return part == "-" || numberIn<std::uint64_t>(part); };
    if (parts.size() != 4 || !std::ranges::all_of(parts, isId))
        return std::nullopt;
    TlparseFolder folder{path, {}, parts[1] + "/" + parts[2], numberIn<int>(parts[3]).value_or(0)};
    if (parts[0] != "-")
        folder.frame = "!" + parts[0] + "/" + folder.frame;
    folder.compileId = folder.attempt > 0 ? formatted("{}_{}", folder.frame, folder.attempt) : folder.frame;
    return folder;
}

bool isTlparsePage(const fs::path &folder)
{
    std::error_code error;
    return fs::exists(folder / "compile_directory.json", error);
}

void readTlparseFolders(const std::vector<TlparseFolder> &folders, Document &document, const Task &task)
{
    const auto page = [](const TlparseFolder &folder) { return folder.path.parent_path(); };
    const auto isOfOnePage = [&](const TlparseFolder &a, const TlparseFolder &b) { return page(a) == page(b); };
    for (const auto &ofPage : folders | std::views::chunk_by(isOfOnePage)) {
        Compilations compilations;
        const std::string path = page(ofPage.front()).string();
        for (const Artefact &artefact : artefactsIn(ofPage)) {
            if (task.stopRequested())
                return;
            add(artefact, compilations.at(rankIn(artefact.folder->path), artefact.folder->compileId, 0), document);
        }
        compilations.addTo(document, path);
    }
}

} // namespace cutaway::sequence
