// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/formats/round_trip/content_text.h"

#include "core/base/formatted.h"
#include "core/ir/tensors/tensor_bytes.h"
#include "core/ir/text/text.h"

#include <algorithm>
#include <regex>
#include <sstream>

namespace cutaway::tests {

namespace {

/// FNV-1a
class Hash {
public:
    void add(std::span<const std::byte> bytes)
    {
        for (const std::byte b : bytes)
            m_hash = (m_hash ^ std::to_integer<std::uint64_t>(b)) * 0x100000001b3;
    }
    std::string text() const { return formatted("{:016x}", m_hash); }

private:
    std::uint64_t m_hash = 0xcbf29ce484222325;
};

std::string elementsOf(const ir::Model &model, ir::TensorId id)
{
    const ir::Storage &storage = model.at(model.at(id).storage);
    if (std::holds_alternative<ir::InlineStrings>(storage.data) || model.at(id).layout != ir::Layout::Strided)
        return {};
    Hash hash;
    const auto read = ir::visitElements(model, id, [&](std::span<const std::byte> bytes) { hash.add(bytes); });
    return read ? hash.text() : "none: " + read.error().message;
}

std::string bytesOf(const ir::Model &model, const ir::FileRange &range)
{
    const auto bytes = ir::bytesOf(model, ir::Storage{range, range.length});
    Hash hash;
    if (bytes)
        hash.add(bytes->bytes);
    return bytes ? hash.text() : bytes.error().message;
}

/// A storage for each tensor, which says what its elements are.
void replaceStorages(ir::Model &model, const ir::Model &original)
{
    model.storages = {};
    for (std::uint32_t i = 0; i < model.tensors.size(); ++i) {
        ir::Storage storage = original.at(original.tensors[i].storage);
        if (!std::holds_alternative<ir::InlineStrings>(storage.data))
            storage = {ir::NoBytes{elementsOf(original, ir::TensorId{i})}, 0};
        model.storages.push_back(std::move(storage));
        model.tensors.edit(i).storage = {i};
    }
}

std::string replaced(std::string line, std::string_view what, const std::string &by)
{
    if (const std::size_t at = line.find(what); at != line.npos)
        line.replace(at, what.size(), by);
    return line;
}

/// "@w#2" → "@w": tensors are numbered as they stand in the file.
std::string withoutNumbers(const std::string &line)
{
    static const std::regex number(R"((@("[^"]*"|[^ ,#"]*))#[0-9]+)");
    return line.contains('#') ? std::regex_replace(line, number, "$1") : line;
}

/// The storages' lines put into those of their tensors, and these sorted.
std::string inAnyOrder(const std::string &text)
{
    std::istringstream lines(text);
    std::vector<std::string> storages, tensors;
    std::string head, rest;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("storage "))
            storages.push_back(line.substr(line.find(": ")));
        else if (line.starts_with("tensor "))
            tensors.push_back(
                withoutNumbers(replaced(line, formatted("storage {}", tensors.size()), storages[tensors.size()])));
        else
            (tensors.empty() ? head : rest) += withoutNumbers(line) + "\n";
    }
    std::ranges::sort(tensors);
    for (const std::string &tensor : tensors)
        head += tensor + "\n";
    return head + rest;
}

} // namespace

std::string contentText(const ir::Model &original)
{
    ir::Model model = original;
    replaceStorages(model, original);
    for (ir::Attachment &attachment : model.attachments)
        if (attachment.range) {
            attachment.name += " " + bytesOf(original, *attachment.range);
            attachment.range.reset();
        }
    std::ranges::sort(model.attachments, {}, [](const ir::Attachment &a) { return std::pair(a.name, a.text); });
    if (model.format == "pt2")
        model.name.clear(); // the file's
    model.path.clear();
    model.files.clear();
    model.diagnostics.clear();
    return inAnyOrder(ir::printText(model));
}

std::string difference(const std::string &a, const std::string &b)
{
    std::istringstream left(a), right(b);
    std::string x, y;
    for (int line = 1; a != b; ++line) {
        const bool more = bool(std::getline(left, x)), moreRight = bool(std::getline(right, y));
        if (more != moreRight || x != y)
            return formatted("line {}: {} | {}", line, more ? x : "(end)", moreRight ? y : "(end)");
        if (!more)
            break;
    }
    return {};
}

} // namespace cutaway::tests
