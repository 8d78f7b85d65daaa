// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/about/pages.h"

#include "app/about/completions.h"
#include "app/about/manual.h"
#include "app/about/reference.h"
#include "app/about/version.h"

#include <cstdio>
#include <fstream>

namespace cutaway::about {

namespace {

namespace fs = std::filesystem;

struct Page {
    fs::path path;
    std::string text;
};

std::vector<Page> pagesOf(const DeclaredCommand &program)
{
    const std::string &name = program.name();
    std::vector<Page> pages{{fs::path("man1") / (name + ".1"), manualPage(program, version(), releaseDate())},
                            {fs::path("bash-completion") / name, bashCompletion(program)},
                            {fs::path("zsh") / ("_" + name), zshCompletion(program)},
                            {fs::path("fish") / (name + ".fish"), fishCompletion(program)},
                            {fs::path("reference") / (name + ".md"), referencePage(program)}};
    for (const DeclaredCommand &command : program.commands)
        pages.push_back(
            {fs::path("man1") / (name + "-" + command.name() + ".1"), manualPage(command, version(), releaseDate())});
    return pages;
}

} // namespace

Result<void> writePages(const DeclaredCommand &program, const fs::path &folder)
{
    for (const Page &page : pagesOf(program)) {
        const fs::path path = folder / page.path;
        std::error_code error;
        fs::create_directories(path.parent_path(), error);
        std::ofstream file(path, std::ios::binary);
        file << page.text;
        if (!file.flush())
            return std::unexpected(Error{ErrorKind::Backend, "the file cannot be written", path.string()});
    }
    return {};
}

std::optional<int> answeredPages(const CLI::App &program, int argc, char **argv)
{
    if (argc != 3 || std::string_view(argv[1]) != "--write-pages")
        return std::nullopt;
    const Result<void> written = writePages(declared(program), argv[2]);
    if (!written)
        std::fprintf(stderr, "cutaway: %s\n", written.error().text().c_str());
    return written ? 0 : 4;
}

} // namespace cutaway::about
