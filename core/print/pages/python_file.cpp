// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/pages/python_file.h"

#include "core/base/formatted.h"
#include "core/base/mapped_file.h"
#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/ir/context.h"
#include "core/print/pages/lines.h"

#include <algorithm>
#include <optional>

// A path that a model records may be anything, as it was made on another machine: only files in the user's folders are
// opened. A file that is found by the end of its path may be another one of that name, so its lines are compared with
// those that the model recorded.

namespace cutaway::print {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t maxPythonFile = 4 << 20; ///< limit of bytes: more slows the editor, and no code is so long

/// A node's innermost frame in a file.
struct Frame {
    ir::NodeId node;
    std::uint32_t line = 0;
    std::string_view text; ///< the text of the line as recorded; "" if it was not recorded
};

std::vector<Frame> framesIn(const ir::Model &model, const ir::Graph &graph, std::string_view file)
{
    std::vector<Frame> frames;
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const ir::Node &node = graph.at(ir::NodeId{i});
        ir::LocationId at = node.removed ? ir::LocationId{} : node.location;
        while (at != ir::LocationId{} && model.context->text(model.context->at(at).file) != file)
            at = model.context->at(at).caller;
        if (const ir::Location &place = model.context->at(at); at != ir::LocationId{} && place.line > 0)
            frames.push_back({ir::NodeId{i}, place.line, model.context->text(place.text)});
    }
    return frames;
}

bool isInside(const fs::path &path, const fs::path &folder)
{
    const auto [rest, unused] = std::ranges::mismatch(folder, path);
    return rest == folder.end();
}

/// Returns the regular file at a path below the folder, with all links followed; nothing if there is none.
std::optional<fs::path> fileBelow(const fs::path &folder, const fs::path &path)
{
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    return !error && isInside(real, folder) && fs::is_regular_file(real, error) ? std::optional(real) : std::nullopt;
}

/// Returns the files that may be meant by a name, the most likely first: the path itself, then paths with the same end.
std::vector<fs::path> candidates(const fs::path &name, std::span<const fs::path> roots)
{
    std::vector<fs::path> found;
    const auto add = [&](const fs::path &root, const fs::path &path) {
        if (auto file = fileBelow(root, path); file && !std::ranges::contains(found, *file))
            found.push_back(*std::move(file));
    };
    std::vector<fs::path> folders;
    std::error_code error;
    for (const fs::path &root : roots)
        if (fs::path real = fs::canonical(root, error); !error)
            folders.push_back(std::move(real));
    for (const fs::path &folder : folders)
        if (name.is_absolute())
            add(folder, name);
    const fs::path parts = name.relative_path();
    for (auto from = parts.begin(); from != parts.end(); ++from) {
        fs::path end;
        for (auto part = from; part != parts.end(); ++part)
            end /= *part;
        for (const fs::path &folder : folders)
            add(folder, folder / end);
    }
    return found;
}

/// Returns the page of a file. Lines that are not as recorded belong to another version of the file, and so to no node.
SourcePage comparedPage(std::string text, const std::vector<Frame> &frames)
{
    SourcePage page{std::move(text), "Python", {}};
    const LineStarts lines(page.text);
    std::size_t changed = 0;
    for (const Frame &frame : frames)
        if (frame.line <= lines.count() && (frame.text.empty() || lines.trimmed(frame.line) == frame.text))
            page.lines.push_back({frame.line, frame.node});
        else
            ++changed;
    if (changed > 0)
        page.note =
            formatted("{} of {} {} of lines that stand otherwise in this file: it was changed since the model was "
                      "made",
                      changed, quantity(frames.size(), "node"), changed == 1 ? "is" : "are");
    return page;
}

Result<std::string> pythonText(const fs::path &path)
{
    std::error_code error;
    if (const std::uintmax_t size = fs::file_size(path, error); error || size > maxPythonFile)
        return unreadable(error ? error.message() : "the file is longer than 4 MiB", path.string());
    CUTAWAY_TRY(const auto file, MappedFile::open(path));
    std::string text(reinterpret_cast<const char *>(file.bytes().data()), file.bytes().size());
    CUTAWAY_RETURN_IF_ERROR(file.checkUnchanged());
    return text;
}

} // namespace

Result<SourcePage> pythonFile(const ir::Model &model, ir::FunctionId function, const std::string &file,
                              std::span<const fs::path> roots)
{
    const std::vector<Frame> frames = framesIn(model, model.at(function).graph, file);
    for (const fs::path &path : candidates(file, roots)) {
        CUTAWAY_TRY(auto text, pythonText(path));
        SourcePage page = comparedPage(std::move(text), frames);
        if (!page.lines.empty() || path == fs::path(file))
            return page;
    }
    return usageError(formatted("'{}' is in none of the folders that code may be read from", sanitized(file)));
}

} // namespace cutaway::print
