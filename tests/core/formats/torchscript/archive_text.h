// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/core/formats/zip_writer.h"

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Hand-written pickles: each function gives the opcodes that leave one value on the stack.
namespace cutaway::tests::pickled {

inline std::string bytes(std::uint64_t n, int count)
{
    std::string text;
    for (int i = 0; i < count; ++i)
        text += static_cast<char>(n >> (8 * i));
    return text;
}

inline const std::string none = "N";
inline const std::string yes = "\x88";
inline const std::string no = "\x89";

inline std::string integer(std::int32_t n) { return "J" + bytes(static_cast<std::uint32_t>(n), 4); }
inline std::string real(double x) { return "G" + bytes(std::byteswap(std::bit_cast<std::uint64_t>(x)), 8); }
inline std::string text(std::string_view s) { return "X" + bytes(s.size(), 4) + std::string(s); }
inline std::string global(const std::string &module, const std::string &name)
{
    return "c" + module + "\n" + name + "\n";
}

inline std::string joined(const std::vector<std::string> &items)
{
    std::string all;
    for (const std::string &item : items)
        all += item;
    return all;
}

inline std::string tuple(const std::vector<std::string> &items) { return "(" + joined(items) + "t"; }
inline std::string list(const std::vector<std::string> &items) { return "](" + joined(items) + "e"; }
inline std::string dict(const std::vector<std::pair<std::string, std::string>> &entries)
{
    std::string all;
    for (const auto &[key, value] : entries)
        all += key + value;
    return "}(" + all + "u";
}

inline std::string call(const std::string &callee, const std::string &arguments) { return callee + arguments + "R"; }
inline std::string tagged(const std::string &function, const std::vector<std::string> &arguments)
{
    return call(global("torch.jit._pickle", function), tuple(arguments));
}
/// An instance of "__torch__.net" and "Net" with a state.
inline std::string object(const std::string &module, const std::string &name, const std::string &state)
{
    return global(module, name) + ")\x81" + state + "b";
}

/// Keeps the value for get().
inline std::string put(const std::string &value, int slot) { return value + "q" + static_cast<char>(slot); }
inline std::string get(int slot) { return std::string("h") + static_cast<char>(slot); }

struct TensorText {
    std::string key = "0";
    std::string storage = "FloatStorage";
    std::int32_t elements = 6;
    std::vector<std::int32_t> shape = {2, 3};
    std::vector<std::int32_t> strides = {3, 1};
    std::int32_t offset = 0;
    std::string device = "cpu";

    std::string opcodes() const
    {
        const std::string place =
            tuple({text("storage"), global("torch", storage), text(key), text(device), integer(elements)}) + "Q";
        return call(global("torch._utils", "_rebuild_tensor_v2"),
                    tuple({place, integer(offset), integers(shape), integers(strides), no, hooks()}));
    }

    static std::string hooks() { return call(global("collections", "OrderedDict"), tuple({})); }
    static std::string integers(const std::vector<std::int32_t> &numbers)
    {
        std::vector<std::string> items;
        for (const std::int32_t n : numbers)
            items.push_back(integer(n));
        return tuple(items);
    }
};

inline std::string pickle(const std::string &value) { return "\x80\x02" + value + "."; }

} // namespace cutaway::tests::pickled

namespace cutaway::tests {

/// A TorchScript archive: data.pkl, constants.pkl and code in the folder "net".
struct ArchiveText {
    std::string data = pickled::object("__torch__", "Net", pickled::dict({}));
    std::string constants = pickled::tuple({});
    std::string code = "class Net(Module):\n  __parameters__ = []\n  __buffers__ = []\n";
    std::vector<ZipEntry> more = {}; ///< with their folder
    std::string version = "3\n";

    std::string bytes() const
    {
        std::vector<ZipEntry> entries{{"net/data.pkl", pickled::pickle(data)},
                                      {"net/constants.pkl", pickled::pickle(constants)},
                                      {"net/code/__torch__.py", code},
                                      {"net/version", version}};
        entries.insert(entries.end(), more.begin(), more.end());
        return zipArchive(entries, ZipStyle::PyTorch);
    }
};

} // namespace cutaway::tests
