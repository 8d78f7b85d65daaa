// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/source/source_ranges.h"

#include "core/base/formatted.h"
#include "core/formats/archive/pickle.h"
#include "core/formats/limits.h"
#include "core/formats/unusable.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace cutaway::formats::torchscript {

using archive::Pickle;

/// Reads ("FORMAT_WITH_STRING_TABLE", strings, records). A record is (code offset, range, tag), a range is
/// ((text as ids of strings, file's id, first line), start, end).
class SourceRangesReader {
public:
    explicit SourceRangesReader(const Pickle &pickle) : m_pickle(pickle) { }

    SourceRanges read()
    {
        const auto parts = m_pickle.items(m_pickle.root());
        if (!parts || parts->size() != 3 || m_pickle.text((*parts)[0]) != "FORMAT_WITH_STRING_TABLE")
            unusable("source ranges without a string table, which PyTorch has written since 1.9");
        const auto strings = m_pickle.items((*parts)[1]);
        const auto records = m_pickle.items((*parts)[2]);
        if (!strings || !records)
            unusable("source ranges: expected a list of strings and a list of records");
        m_strings = *strings;
        for (; m_index < records->size(); ++m_index)
            record((*records)[m_index]);
        std::ranges::stable_sort(m_ranges.m_records, {}, &SourceRanges::Record::codeOffset);
        return std::move(m_ranges);
    }

private:
    /// Returns the items of a tuple or list that has at least `count` of them.
    std::optional<std::span<const Pickle::ValueId>> tuple(Pickle::ValueId id, std::size_t count) const
    {
        const auto items = m_pickle.items(id);
        return items && items->size() >= count ? items : std::nullopt;
    }

    std::optional<std::uint32_t> number(Pickle::ValueId id) const
    {
        const auto n = m_pickle.integer(id);
        return n && *n >= 0 && *n < std::numeric_limits<std::int32_t>::max()
            ? std::optional(static_cast<std::uint32_t>(*n))
            : std::nullopt;
    }

    std::optional<std::string_view> string(Pickle::ValueId id) const
    {
        const auto index = number(id);
        return index && *index < m_strings.size() ? m_pickle.text(m_strings[*index]) : std::nullopt;
    }

    void record(Pickle::ValueId id)
    {
        const auto parts = tuple(id, 2);
        const auto range = parts ? tuple((*parts)[1], 2) : std::nullopt;
        const auto codeOffset = parts ? number((*parts)[0]) : std::nullopt;
        const auto start = range ? number((*range)[1]) : std::nullopt;
        if (!codeOffset || !start)
            fail("found something else than (offset, (source, start, end), tag)");
        const std::uint32_t from = source((*range)[0]);
        const bool hasOrigin = *start < m_ranges.m_sources[from].text.size();
        m_ranges.m_records.push_back({*codeOffset, hasOrigin ? std::optional(from) : std::nullopt, *start});
    }

    /// Returns the index of a source. Records share their sources, so each is assembled only once.
    std::uint32_t source(Pickle::ValueId id)
    {
        if (const auto known = m_known.find(id); known != m_known.end())
            return known->second;
        const auto parts = tuple(id, 3);
        const auto ids = parts ? textIds((*parts)[0]) : std::nullopt;
        const auto file = parts ? string((*parts)[1]) : std::nullopt;
        const auto firstLine = parts ? number((*parts)[2]) : std::nullopt;
        if (!ids || !file || !firstLine)
            fail("found something else than (strings of the text, file, first line)");
        m_ranges.m_textSize += file->size();
        SourceRanges::Source made{std::string(*file), {}, {0}, *firstLine, false};
        for (const Pickle::ValueId stringId : *ids) {
            const auto piece = string(stringId);
            if (!piece)
                fail("found a string's number beyond the table");
            m_ranges.m_textSize += piece->size();
            if (m_ranges.m_textSize > limits::maxRangeTexts)
                fail(formatted("the texts are longer than {} bytes", limits::maxRangeTexts));
            made.text += *piece;
        }
        finish(made);
        m_ranges.m_sources.push_back(std::move(made));
        return m_known[id] = static_cast<std::uint32_t>(m_ranges.m_sources.size() - 1);
    }

    std::optional<std::span<const Pickle::ValueId>> textIds(Pickle::ValueId id) const
    {
        const auto arguments = m_pickle.callOf(id, "torch.jit._pickle", "build_intlist");
        return arguments && arguments->size() == 1 ? m_pickle.items(arguments->front()) : std::nullopt;
    }

    [[noreturn]] void fail(std::string message) const
    {
        unusable(std::move(message), formatted("source range {}", m_index));
    }

    static void finish(SourceRanges::Source &source)
    {
        for (std::size_t end = source.text.find('\n'); end != std::string::npos; end = source.text.find('\n', end + 1))
            source.lineStarts.push_back(static_cast<std::uint32_t>(end + 1));
        source.isStack = source.text.starts_with(formatted("{}({}): ", source.file, source.firstLine));
    }

    const Pickle &m_pickle;
    std::span<const Pickle::ValueId> m_strings;
    std::unordered_map<Pickle::ValueId, std::uint32_t> m_known;
    std::size_t m_index = 0; ///< the index of the record that is being read
    SourceRanges m_ranges;
};

Result<SourceRanges> SourceRanges::read(std::span<const std::byte> bytes)
{
    return Pickle::read(bytes).and_then(
        [](const Pickle &pickle) { return resultOf([&] { return SourceRangesReader(pickle).read(); }); });
}

std::optional<Origin> SourceRanges::at(std::uint32_t codeOffset) const
{
    const auto after = std::ranges::upper_bound(m_records, codeOffset, {}, &Record::codeOffset);
    if (after == m_records.begin() || !std::prev(after)->source)
        return std::nullopt;
    const Record &record = *std::prev(after);
    const Source &source = m_sources[*record.source];
    if (source.isStack)
        return TracedStack{source.text};
    return lineAt(source, record.start);
}

ScriptedLine SourceRanges::lineAt(const Source &source, std::uint32_t start)
{
    const auto next = std::ranges::upper_bound(source.lineStarts, start); // the first line starts at 0
    const std::uint32_t lineStart = *std::prev(next);
    const auto index = static_cast<std::uint32_t>(std::prev(next) - source.lineStarts.begin());
    const std::string_view text = std::string_view(source.text).substr(lineStart);
    return {source.file, source.firstLine + index, start - lineStart, text.substr(0, text.find('\n'))};
}

} // namespace cutaway::formats::torchscript
