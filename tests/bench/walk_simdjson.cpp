// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The yardstick for .pt2: simdjson's DOM of the program in a file, and nothing else. Members of these archives are
// stored, so the program is found by its first key.
#include "core/base/mapped_file.h"

#include <simdjson.h>
#include <string_view>

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    const auto file = cutaway::MappedFile::open(argv[1]);
    if (!file)
        return 3;
    const std::string_view all(reinterpret_cast<const char *>(file->bytes().data()), file->bytes().size());
    const std::size_t start = all.rfind(R"({"graph_module":)");
    if (start == std::string_view::npos)
        return 1;
    const std::string_view rest = all.substr(start);
    const std::size_t end = rest.find("PK\x07\x08"); // the data descriptor behind the member
    if (end == std::string_view::npos)
        return 1;
    simdjson::dom::parser parser;
    return parser.parse(simdjson::padded_string(rest.substr(0, end))).error() == simdjson::SUCCESS ? 0 : 1;
}
