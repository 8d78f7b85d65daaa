#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Converts TorchScript and .pt2 files to ONNX with Cutaway and with torch.onnx.export, and compares both.

usage: beside_exporter.py CUTAWAY_CLI FILE_OR_FOLDER... [--records FOLDER] [--share 0.1 [--seed N]] [--seconds 120]
                          [--keep FOLDER]
       beside_exporter.py --make-llama FOLDER      a decoder of 32 layers, as TorchScript and .pt2, to be converted

Files, inputs and the judge are those of converted.py. The exporter is the one that torch has without further packages:
it gets the ScriptModule, or the module of the exported program, which it traces. Times are of a process each: of Cutaway
the command, of the exporter loading the file and exporting it, without starting Python and importing torch. Prints for
each file both verdicts, processor time and wall time, then shares and sums over the files that both convert.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
import warnings

import converted

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "networks"))
from without_onnx import without_onnx

MARK = "exported: "


def exported(torch, job):
    """Seconds of processor and wall that loading and exporting took."""
    generator = torch.Generator().manual_seed(7)
    start, used = time.perf_counter(), time.process_time()
    module, arguments, named, _ = converted.program_of(torch, job["file"], job["record"], generator)
    with torch.no_grad():
        torch.onnx.export(module, tuple(arguments), job["theirs"], kwargs=named or None, opset_version=17, dynamo=False,
                          training=torch.onnx.TrainingMode.PRESERVE,  # an exported module has no other one
                          input_names=[name for name, *_ in job["inputs"]])
    return {"processor": time.process_time() - used, "wall": time.perf_counter() - start}


def export_all(jobs, seconds):
    import torch
    without_onnx()
    torch.set_num_threads(1)
    warnings.filterwarnings("ignore")
    for job in jobs:
        answer = converted.in_child(lambda: exported(torch, job), seconds)
        print(MARK + json.dumps(answer), flush=True)  # the exporter prints, too


def ours(job, options):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    refused = converted.converted(options.cli, job, options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return refused, {"processor": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
                     "wall": time.perf_counter() - start}


def again(mode, jobs, options, folder):
    listing = os.path.join(folder, mode + ".json")
    pathlib.Path(listing).write_text(json.dumps(jobs), encoding="utf-8")
    return subprocess.run([sys.executable, "-B", __file__, mode, listing, str(options.seconds)], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=True).stdout


def judge(jobs, place, options, folder):
    ready = [{**job, "onnx": job[place]} for job in jobs if os.path.exists(job[place])]
    lines = converted.call_again("--judge", ready, options, folder).splitlines() if ready else []
    verdicts = {job["file"]: json.loads(line) for job, line in zip(ready, lines)}
    return {job["file"]: verdicts.get(job["file"], ["refused", job.get(place + "_why", "")]) for job in jobs}


def compare(options, folder):
    jobs = list(converted.jobs_of(options, folder, converted.SUFFIXES, ".onnx"))
    missing = [job for job in jobs if not os.path.exists(job["place"] + ".json")]
    if missing:
        converted.call_again("--references", missing, options, folder)
    for job in jobs:
        job.update(json.loads(pathlib.Path(job["place"] + ".json").read_text(encoding="utf-8")))
        job["theirs"] = job["onnx"].removesuffix(".onnx") + ".theirs.onnx"
    asked = [job for job in jobs if "failure" not in job]
    for job in asked:
        refused, job["time"] = ours(job, options)
        job["onnx_why"] = str(refused or "")
    answers = [json.loads(line[len(MARK):]) for line in again("--export", asked, options, folder).split("\n")
               if line.startswith(MARK)]
    for job, answer in zip(asked, answers):
        job["their_time"], job["theirs_why"] = answer, answer.get("failure", "")
    return asked, judge(asked, "onnx", options, folder), judge(asked, "theirs", options, folder)


def report(asked, own, their):
    for job in asked:
        name, times = os.path.basename(job["file"]), job["time"]
        theirs = job["their_time"]
        print(f"{name:50} cutaway {own[job['file']][0]:10} {times['processor']:6.2f} s {times['wall']:6.2f} s   exporter "
              f"{their[job['file']][0]:10} {theirs.get('processor', 0):6.2f} s {theirs.get('wall', 0):6.2f} s")
        for verdict in (own[job["file"]], their[job["file"]]):
            if verdict[0] != "agrees":
                print(f"{'':50} {verdict[1][:160]}")
    for name, verdicts in (("cutaway", own), ("exporter", their)):
        good = sum(verdict[0] == "agrees" for verdict in verdicts.values())
        print(f"{name}: {good} of {len(asked)} load in ONNX Runtime and agree, {100 * good / max(1, len(asked)):.1f} %")
    both = [job for job in asked if own[job["file"]][0] == their[job["file"]][0] == "agrees"]
    for name, key in (("cutaway", "time"), ("exporter", "their_time")):
        print(f"{name}: {sum(job[key]['processor'] for job in both):.2f} s of processor, "
              f"{sum(job[key]['wall'] for job in both):.2f} s for the {len(both)} files of both")


def make_llama(folder):
    """32 layers of a decoder with rotary embeddings and grouped heads; hidden size 128."""
    import torch
    from torch import nn

    class Norm(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.weight = nn.Parameter(torch.ones(width))

        def forward(self, x):
            return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6))

    class Layer(nn.Module):
        def __init__(self, width, heads, groups):
            super().__init__()
            self.heads, self.groups, self.size = heads, groups, width // heads
            self.q, self.o = nn.Linear(width, width, bias=False), nn.Linear(width, width, bias=False)
            self.k = nn.Linear(width, groups * self.size, bias=False)
            self.v = nn.Linear(width, groups * self.size, bias=False)
            self.gate, self.up = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, 3 * width, bias=False)
            self.down = nn.Linear(3 * width, width, bias=False)
            self.before, self.behind = Norm(width), Norm(width)

        def turned(self, x, cos, sin):
            half = self.size // 2
            return x * cos + torch.cat((-x[..., half:], x[..., :half]), -1) * sin

        def attention(self, x, cos, sin):
            batch, tokens, width = x.shape
            q = self.q(x).view(batch, tokens, self.heads, self.size).transpose(1, 2)
            k = self.k(x).view(batch, tokens, self.groups, self.size).transpose(1, 2)
            v = self.v(x).view(batch, tokens, self.groups, self.size).transpose(1, 2)
            q, k = self.turned(q, cos, sin), self.turned(k, cos, sin)
            k = k.repeat_interleave(self.heads // self.groups, 1)
            v = v.repeat_interleave(self.heads // self.groups, 1)
            y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            return self.o(y.transpose(1, 2).reshape(batch, tokens, width))

        def forward(self, x, cos, sin):
            x = x + self.attention(self.before(x), cos, sin)
            y = self.behind(x)
            return x + self.down(nn.functional.silu(self.gate(y)) * self.up(y))

    class Decoder(nn.Module):
        def __init__(self, width=128, layers=32, words=512, tokens=64):
            super().__init__()
            self.embed = nn.Embedding(words, width)
            self.layers = nn.ModuleList(Layer(width, 8, 4) for _ in range(layers))
            self.norm, self.head = Norm(width), nn.Linear(width, words, bias=False)
            angles = torch.outer(torch.arange(tokens), 10000 ** -(torch.arange(0, 16, 2) / 16)).repeat(1, 2)
            self.register_buffer("cos", angles.cos())
            self.register_buffer("sin", angles.sin())

        def forward(self, tokens):
            x = self.embed(tokens)
            for layer in self.layers:
                x = layer(x, self.cos, self.sin)
            return self.head(self.norm(x))

    torch.manual_seed(3)
    os.makedirs(folder, exist_ok=True)
    model, tokens = Decoder().eval(), torch.randint(0, 512, (1, 64))
    torch.export.save(torch.export.export(model, (tokens,)), os.path.join(folder, "llama32.pt2"))
    torch.jit.trace(model, (tokens,)).save(os.path.join(folder, "llama32.pt"))
    record = {"args": {"items": [{"t": "tensor", "dtype": "int64", "shape": [1, 64]}]}, "inputs": [{"name": "tokens"}]}
    records = pathlib.Path(folder, "records")
    records.mkdir(exist_ok=True)
    (records / "llama32.pt.json").write_text(json.dumps(record), encoding="utf-8")


def main():
    if sys.argv[1:2] == ["--make-llama"]:
        make_llama(sys.argv[2])
        return
    if sys.argv[1:2] == ["--export"]:
        export_all(json.loads(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")), float(sys.argv[3]))
        return
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("cli")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--records")
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--keep")
    options = parser.parse_args()
    options.opset = 17
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        report(*compare(options, folder))


if __name__ == "__main__":
    main()
