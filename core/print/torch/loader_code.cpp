// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/torch/loader_code.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace cutaway::print {

namespace {

constexpr std::string_view reader = R"(

DTYPES = {
    "BOOL": torch.bool, "U8": torch.uint8, "I8": torch.int8, "U16": torch.uint16, "I16": torch.int16,
    "U32": torch.uint32, "I32": torch.int32, "U64": torch.uint64, "I64": torch.int64, "F16": torch.float16,
    "BF16": torch.bfloat16, "F32": torch.float32, "F64": torch.float64, "F8_E5M2": torch.float8_e5m2,
    "F8_E4M3": torch.float8_e4m3fn, "C64": torch.complex64,
}


def read_safetensors(path):
    """The tensors of a .safetensors file by name; their pages are read when they are needed."""
    with open(path, "rb") as file:
        size = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(size))
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        count, dtype = math.prod(entry["shape"]), DTYPES[entry["dtype"]]
        offset = 8 + size + entry["data_offsets"][0]
        flat = torch.frombuffer(data, dtype=dtype, count=count, offset=offset) if count else torch.empty(0, dtype=dtype)
        tensors[name] = flat.reshape(entry["shape"])
    return tensors


def load(path=None):
    """The model with its weights, which are in the .safetensors file beside this one."""
    with torch.device("meta"):
        model = $MODEL()
    weights = read_safetensors(path or pathlib.Path(__file__).with_suffix(".safetensors"))
    model.load_state_dict(weights, assign=True)
    return model.eval()
)";

constexpr std::string_view runner = R"(

if __name__ == "__main__":
    torch.manual_seed(0)
    with torch.no_grad():
        results = load()($EXAMPLES)
    for result in torch.utils._pytree.tree_leaves(results):
        print(tuple(result.shape) if isinstance(result, torch.Tensor) else result)
)";

constexpr std::string_view shower = R"(

if __name__ == "__main__":
    print(load())  # what it is called with is not known: no sizes are recorded of its inputs
)";

std::string replaced(std::string_view text, std::string_view what, const std::string &by)
{
    std::string all(text);
    if (const std::size_t at = all.find(what); at != all.npos)
        all.replace(at, what.size(), by);
    return all;
}

} // namespace

std::string importsCode(std::string_view classes, const std::string &modelPath)
{
    std::string text = "# Made by Cutaway of " + sanitized(std::filesystem::path(modelPath).filename().string())
        + ". The weights are in the .safetensors file beside this one.\nimport json\nimport math\nimport mmap\nimport "
          "pathlib\n";
    for (const std::string_view module : {"types", "warnings"})
        if (classes.contains(std::string(module) + "."))
            text += "import " + std::string(module) + "\n";
    text += "\nimport torch\n";
    if (classes.contains("torch.ops.quantized_decomposed."))
        text += "import torch.ao.quantization.fx._decomposed  # which has these operators\n";
    if (classes.contains("F."))
        text += "import torch.nn.functional as F\n";
    return text + "from torch import nn\n";
}

std::string loaderCode(const std::string &mainClass, const std::vector<std::string> &examples)
{
    const bool isKnown = !std::ranges::contains(examples, "");
    return replaced(reader, "$MODEL", mainClass)
        + (isKnown ? replaced(runner, "$EXAMPLES", joined(examples, ", ")) : std::string(shower));
}

} // namespace cutaway::print
