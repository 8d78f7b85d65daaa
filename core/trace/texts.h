// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace cutaway::trace {

/// An entry of Texts; the first one is "".
enum class TextId : std::uint32_t { None = 0 };

/// Texts, each stored once.
class Texts {
public:
    Texts() = default;
    Texts(Texts &&) noexcept = default; // a copy's index would refer to the texts of the original
    Texts &operator=(Texts &&) noexcept = default;

    TextId add(std::string_view text);
    std::string_view at(TextId id) const { return m_texts[static_cast<std::uint32_t>(id)]; }

private:
    std::deque<std::string> m_texts{""};
    std::unordered_map<std::string_view, TextId> m_ids{{"", TextId::None}};
};

} // namespace cutaway::trace
