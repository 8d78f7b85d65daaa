// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cutaway::formats::onnx {

/// The texts that the reader kept as attachments of the model because the IR has no place for them: doc strings,
/// metadata, denotations. Each is returned only once: objects of one name get theirs in the order of the file.
class KeptTexts {
public:
    explicit KeptTexts(const ir::Model &model);

    using Texts = std::vector<std::pair<std::string_view, std::string_view>>; ///< pairs of key and text

    /// Takes the texts of an object ("value x", "tensor w", "graph then", "function d::f", "model", "main graph").
    Texts take(std::string_view kind, std::string_view name = {});
    /// Returns, once, a text of an object; "" if it has none.
    std::string_view take(std::string_view kind, std::string_view name, std::string_view key);
    bool has(std::string_view kind, std::string_view name) const;
    /// Returns the names of the values that still have a text of this key.
    std::vector<std::string_view> valuesWith(std::string_view key) const;

private:
    struct Entry {
        std::string_view text;
        bool taken = false;
    };
    std::multimap<std::string_view, Entry, std::less<>> m_entries;
};

} // namespace cutaway::formats::onnx
