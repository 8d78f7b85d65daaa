#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of well-known transformers as PyTorch writes them, with random weights:

  packaging/env --with-checks python3 -B tests/networks/transformers.py FOLDER [NAME...] [--as FORM...] [--layers N] [--width N]

Names: bert gpt2 gpt2-cached llama llama-cached t5 vit swin clip whisper. Forms: traced.pt scripted.pt static.pt2 dynamic.pt2 onnx.
The files are FOLDER/NAME-FORM and NAME.onnx. The modules have the names and operators of the published models; unless told
otherwise they are as deep, and narrow, so that their files are small. What a form cannot have is said, and is no failure.
"""
import argparse
import dataclasses
import pathlib
import sys
import traceback
import warnings

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import decoders
import encoders
import vision


@dataclasses.dataclass
class Sizes:
    layers: int = 12
    width: int = 96
    heads: int = 12
    vocabulary: int = 1000
    positions: int = 128
    image: int = 224
    patch: int = 16
    frames: int = 200   # of sound
    eager: bool = False  # attention as matrix products and a softmax
    cached: bool = False  # keys and values of earlier tokens go in and out


BATCH, LENGTH, PAST = 2, 16, 5


def tokens(sizes, length=LENGTH):
    return torch.randint(1, sizes.vocabulary, (BATCH, length))


def images(sizes):
    return torch.randn(BATCH, 3, sizes.image, sizes.image)


def past_of(sizes, key_heads):
    one = (BATCH, key_heads, PAST, sizes.width // sizes.heads)
    return tuple((torch.randn(one), torch.randn(one)) for _ in range(sizes.layers))


def ones(length=LENGTH):
    return torch.ones(BATCH, length, dtype=torch.long)


def cached(key_heads):
    return lambda s: {"input_ids": tokens(s, 1), "attention_mask": ones(PAST + 1),
                      "past_key_values": past_of(s, key_heads(s))}


@dataclasses.dataclass
class Network:
    module: type
    inputs: object      # by name, of sizes
    dynamic: dict       # by input: {dimension: name}
    changes: dict = dataclasses.field(default_factory=dict)  # of sizes


TEXT = {0: "batch", 1: "sequence"}
NETWORKS = {
    "bert": Network(encoders.BertForSequenceClassification,
                    lambda s: {"input_ids": tokens(s), "attention_mask": ones(), "token_type_ids": 0 * ones()},
                    {"input_ids": TEXT, "attention_mask": TEXT, "token_type_ids": TEXT}),
    "gpt2": Network(decoders.GPT2LMHeadModel, lambda s: {"input_ids": tokens(s), "attention_mask": ones()},
                    {"input_ids": TEXT, "attention_mask": TEXT}),
    "gpt2-cached": Network(decoders.GPT2LMHeadModel, cached(lambda s: s.heads),
                           {"input_ids": {0: "batch"}, "attention_mask": {0: "batch", 1: "total"},
                            "past_key_values": {0: "batch", 2: "past"}}, {"cached": True}),
    "llama": Network(decoders.LlamaForCausalLM, lambda s: {"input_ids": tokens(s), "attention_mask": ones()},
                     {"input_ids": TEXT, "attention_mask": TEXT}),
    "llama-cached": Network(decoders.LlamaForCausalLM, cached(lambda s: s.heads // 4),
                            {"input_ids": {0: "batch"}, "attention_mask": {0: "batch", 1: "total"},
                             "past_key_values": {0: "batch", 2: "past"}}, {"cached": True}),
    "t5": Network(encoders.T5ForConditionalGeneration,
                  lambda s: {"input_ids": tokens(s), "attention_mask": ones(), "decoder_input_ids": tokens(s, LENGTH // 2)},
                  {"input_ids": TEXT, "attention_mask": TEXT, "decoder_input_ids": {0: "batch", 1: "target"}}),
    "vit": Network(vision.ViTForImageClassification, lambda s: {"pixel_values": images(s)}, {"pixel_values": {0: "batch"}}),
    "swin": Network(vision.SwinForImageClassification, lambda s: {"pixel_values": images(s)}, {"pixel_values": {0: "batch"}},
                    {"heads": 3}),
    "clip": Network(vision.CLIPModel,
                    lambda s: {"input_ids": tokens(s), "pixel_values": images(s), "attention_mask": ones()},
                    {"input_ids": TEXT, "pixel_values": {0: "images"}, "attention_mask": TEXT}),
    "whisper": Network(vision.WhisperForConditionalGeneration,
                       lambda s: {"input_features": torch.randn(BATCH, 80, s.frames), "decoder_input_ids": tokens(s, 4)},
                       {"input_features": {0: "batch"}, "decoder_input_ids": {0: "batch", 1: "target"}}),
}
FORMS = ("traced.pt", "scripted.pt", "static.pt2", "dynamic.pt2", "onnx")


def over_tensors(value, change):
    """The same tuples of tuples, with each tensor changed."""
    return tuple(over_tensors(item, change) for item in value) if isinstance(value, tuple) else change(value)


def dynamic_shapes(network, inputs):
    dims = {name: torch.export.Dim(name, min=2, max=64) for axes in network.dynamic.values() for name in axes.values()}
    if "total" in dims:  # what was and the one token that is
        dims["past"] = torch.export.Dim("past", min=2, max=63)
        dims["total"] = dims["past"] + 1
    return {name: over_tensors(inputs[name], lambda _, axes=axes: {axis: dims[dim] for axis, dim in axes.items()})
            for name, axes in network.dynamic.items()}


def names_of(name, value):
    """ONNX has no tuples: a name per tensor."""
    if not isinstance(value, tuple):
        return [name]
    return [f"{name}.{layer}.{part}" for layer in range(len(value)) for part in ("key", "value")]


def write_onnx(network, module, inputs, file):
    axes = {each: network.dynamic.get(name, {}) for name, value in inputs.items() for each in names_of(name, value)}
    torch.onnx.export(module, tuple(inputs.values()), str(file), input_names=list(axes), dynamic_axes=axes,
                      opset_version=17, dynamo=False)


def write(network, module, inputs, form, file):
    values = tuple(inputs.values())
    if form == "traced.pt":
        torch.jit.save(torch.jit.trace(module, values, check_trace=False), file)
    elif form == "scripted.pt":
        torch.jit.save(torch.jit.script(module), file)
    elif form == "onnx":
        write_onnx(network, module, inputs, file)
    else:
        shapes = dynamic_shapes(network, inputs) if form == "dynamic.pt2" else None
        torch.export.save(torch.export.export(module, values, dynamic_shapes=shapes, strict=False), file)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help=" ".join(NETWORKS))
    parser.add_argument("--as", dest="forms", nargs="+", default=FORMS, choices=FORMS, metavar="FORM", help=" ".join(FORMS))
    parser.add_argument("--layers", type=int, default=Sizes.layers)
    parser.add_argument("--width", type=int, default=Sizes.width)
    parser.add_argument("--eager", action="store_true", help="attention as matrix products in all forms, not in ONNX alone")
    parser.add_argument("--why", action="store_true", help="where a form fails, all that Python says")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore")
    for name in options.names or NETWORKS:
        network = NETWORKS[name]
        for form in options.forms:
            torch.manual_seed(0)
            sizes = Sizes(layers=options.layers, width=options.width, eager=options.eager or form == "onnx",
                          **network.changes)
            file = options.folder / (f"{name}.onnx" if form == "onnx" else f"{name}-{form}")
            try:
                with torch.no_grad():
                    write(network, network.module(sizes).eval(), network.inputs(sizes), form, file)
                print(file, flush=True)
            except Exception as error:  # torch's exporters raise anything
                print(f"{file}: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}", flush=True)
                if options.why:
                    traceback.print_exc()


if __name__ == "__main__":
    main()
