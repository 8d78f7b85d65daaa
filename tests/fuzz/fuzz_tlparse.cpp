// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/temporary_folder.h"
#include "core/base/whole_file.h"
#include "core/sequence/read/tlparse.h"
#include "tests/fuzz/read_document.h"

#include <cstdint>

namespace {

std::string_view takeLine(std::string_view &text)
{
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    return line;
}

/// Whether a folder can hold a file of this name.
bool isFileName(std::string_view name)
{
    return !name.empty() && name.size() < 200 && name != "." && name != ".." && !name.contains('/')
        && !name.contains('\0');
}

} // namespace

/// A page of one folder with one text, whose names are the first two lines of the input, is read, and what it refers to
/// is there.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace cutaway;
    std::string_view text(reinterpret_cast<const char *>(data), size);
    const std::string_view folderName = takeLine(text), fileName = takeLine(text);
    const auto page = TemporaryFolder::make();
    if (!page || !isFileName(folderName) || !isFileName(fileName))
        return 0;
    const auto folder = sequence::tlparseFolder(page->path() / folderName);
    std::error_code error;
    if (!folder || !std::filesystem::create_directory(folder->path, error)
        || !writeWholeFile(folder->path / fileName, text))
        return 0;
    sequence::Document document;
    sequence::readTlparseFolders({*folder}, document, {});
    test::readDocument(document);
    return 0;
}
