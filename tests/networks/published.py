#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes model files of networks as published code has them, with random weights, in every form that PyTorch writes.

usage: published.py FOLDER [NAME...] [--forms FORM,...] [--seconds 240]

What torchvision has beside classifiers, and others written after their papers' code: of families vision, audio,
sequences, detection, segmentation, video, quantized. forms.py says where the files and their records lie. What PyTorch
cannot make is listed with its reason. The programs that judge files take them afterwards:

  tests/against_runtimes/converted.py CUTAWAY_CLI FOLDER/*-* --records FOLDER/records
  tests/networks/inspected.py CUTAWAY_CLI FOLDER/*-* --records FOLDER/records
"""
import argparse
import copy
import pathlib

import forms
import torch
import torchvision
from torch import nn
from torch.ao.quantization import get_default_qconfig, get_default_qconfig_mapping, quantize_dynamic
from torch.ao.quantization.quantize_fx import convert_fx, prepare_fx

import audio
import pictures
import sequences
import transformers
from forms import Network

BATCH = {0: "batch"}
IMAGE = {0: "batch", 2: "height", 3: "width"}


def ints(*shape, below, start=0):
    return torch.randint(start, below, shape)


# ---- torchvision


class Flat(nn.Module):
    """A detector of one image, whose results are tensors."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, image):
        return list(self.model([image])[0].values())


class Entries(nn.Module):
    """A segmentation network, whose results are tensors."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, image):
        return self.model(image)["out"]


def detector(name):
    def made():
        return getattr(torchvision.models.detection, name)(weights=None, weights_backbone=None, num_classes=5)
    return made


def detectors():
    for name in ("fasterrcnn_mobilenet_v3_large_320_fpn", "retinanet_resnet50_fpn", "fcos_resnet50_fpn",
                 "ssdlite320_mobilenet_v3_large", "maskrcnn_resnet50_fpn", "keypointrcnn_resnet50_fpn"):
        made = detector(name)
        if name.startswith("keypoint"):
            made = lambda: torchvision.models.detection.keypointrcnn_resnet50_fpn(weights=None, weights_backbone=None)
        yield name, Network("detection", lambda made=made: Flat(made()), lambda: (torch.rand(3, 96, 128),),
                            {0: {1: "height", 2: "width"}}, without=("script", "strict"))
        # scripted, a detector takes a list of images and returns (losses, detections)
        yield name + "_list", Network("detection", made, lambda: ([torch.rand(3, 96, 128)],),
                                      without=tuple(form for form in forms.FORMS if form != "script"))


def segmentation():
    for name in ("fcn_resnet50", "deeplabv3_mobilenet_v3_large", "lraspp_mobilenet_v3_large"):
        made = lambda name=name: getattr(torchvision.models.segmentation, name)(weights=None, weights_backbone=None)
        yield name, Network("segmentation", lambda made=made: Entries(made()), lambda: (torch.rand(1, 3, 64, 96),),
                            {0: IMAGE})


def video():
    for name in ("r3d_18", "mc3_18", "r2plus1d_18", "s3d", "mvit_v2_s", "swin3d_t"):
        size = (1, 3, 16, 224, 224) if name == "mvit_v2_s" else (1, 3, 16, 64, 64)
        made = lambda name=name: getattr(torchvision.models.video, name)(weights=None)
        yield name, Network("video", made, lambda size=size: (torch.rand(size),), {0: BATCH})


def classifiers():
    for name in ("alexnet", "inception_v3", "mnasnet0_5", "efficientnet_v2_s", "swin_v2_t", "regnet_x_400mf", "maxvit_t",
                 "resnext50_32x4d"):
        size = {"inception_v3": 96, "alexnet": 64, "maxvit_t": 224}.get(name, 64)
        given = {"init_weights": False} if name == "inception_v3" else {}
        made = lambda name=name, given=given: getattr(torchvision.models, name)(weights=None, **given)
        yield name, Network("classifiers", made, lambda size=size: (torch.rand(2, 3, size, size),), {0: BATCH})
    yield "raft_small", Network("vision", lambda: torchvision.models.optical_flow.raft_small(weights=None),
                                lambda: (torch.rand(1, 3, 128, 128), torch.rand(1, 3, 128, 128)), {0: BATCH, 1: BATCH})


# ---- quantized


def calibrated(model, image):
    for _ in range(2):
        model(image())
    return model


def tv_quantized(name):
    def made():
        model = getattr(torchvision.models.quantization, name)(weights=None, quantize=False).eval()
        model.fuse_model(is_qat=False)
        model.qconfig = get_default_qconfig("x86")
        torch.ao.quantization.prepare(model, inplace=True)
        calibrated(model, lambda: torch.rand(1, 3, 64, 64))
        return torch.ao.quantization.convert(model)
    return made


def fx_quantized(make, inputs, backend="x86"):
    def made():
        model = make().eval()
        prepared = prepare_fx(model, get_default_qconfig_mapping(backend), (inputs(),))
        return convert_fx(calibrated(prepared, inputs))
    return made


def pt2e_quantized(make, inputs, quantizer):
    """A program of torch.export with quantized_decomposed operators, as a module that is exported again."""
    def made():
        from torch.ao.quantization.quantize_pt2e import convert_pt2e, prepare_pt2e
        model = torch.export.export_for_training(make().eval(), (inputs(),)).module()
        model = convert_pt2e(calibrated(prepare_pt2e(model, quantizer()), inputs))
        model.eval = lambda: model  # an exported module has no other mode
        return model
    return made


def xnnpack(dynamic=False):
    def made():
        from torch.ao.quantization.quantizer.xnnpack_quantizer import XNNPACKQuantizer, get_symmetric_quantization_config
        return XNNPACKQuantizer().set_global(get_symmetric_quantization_config(is_per_channel=True, is_dynamic=dynamic))
    return made


def x86_inductor():
    from torch.ao.quantization.quantizer import x86_inductor_quantizer as x86
    return x86.X86InductorQuantizer().set_global(x86.get_default_x86_inductor_quantization_config())


class SmallConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8)
        self.conv2, self.bn2 = nn.Conv2d(8, 8, 3, padding=1, groups=2), nn.BatchNorm2d(8)
        self.pool, self.head = nn.AdaptiveAvgPool2d(1), nn.Linear(8, 5)

    def forward(self, x):
        x = torch.relu(self.bn1(self.conv1(x)))
        y = torch.relu(self.bn2(self.conv2(x)))
        x = torch.cat([x + y, nn.functional.max_pool2d(y, 3, 1, 1)], 1)[:, :8]
        return self.head(torch.flatten(self.pool(x), 1))


class EagerConvNet(nn.Module):
    """With stubs and float functionals, as eager quantization wants it."""

    def __init__(self):
        super().__init__()
        self.quant, self.dequant = torch.ao.quantization.QuantStub(), torch.ao.quantization.DeQuantStub()
        self.conv1, self.relu, self.conv2 = nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 8, 3, padding=1)
        self.add, self.joined = nn.quantized.FloatFunctional(), nn.quantized.FloatFunctional()
        self.act, self.fc = nn.Hardswish(), nn.Linear(16, 5)
        self.sigmoid = nn.Sigmoid()

    def forward(self, x):
        x = self.relu(self.conv1(self.quant(x)))
        y = self.act(self.conv2(x))
        x = self.joined.cat([self.add.add(x, y), y], 1)
        x = nn.functional.interpolate(x, scale_factor=2.0, mode="nearest")
        x = self.sigmoid(self.fc(x.mean([2, 3])))
        return self.dequant(x)


def eager():
    model = EagerConvNet().eval()
    model.qconfig = get_default_qconfig("x86")
    torch.ao.quantization.fuse_modules(model, [["conv1", "relu"]], inplace=True)
    torch.ao.quantization.prepare(model, inplace=True)
    calibrated(model, lambda: torch.rand(1, 3, 16, 16))
    return torch.ao.quantization.convert(model)


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.linear = nn.LSTM(8, 16, batch_first=True), nn.Linear(16, 4)

    def forward(self, x):
        return self.linear(self.lstm(x)[0])


def quantized():
    for name in ("mobilenet_v2", "resnet18", "shufflenet_v2_x0_5", "mobilenet_v3_large", "googlenet"):
        yield "q_" + name, Network("quantized", tv_quantized(name), lambda: (torch.rand(1, 3, 64, 64),), {0: BATCH},
                                   ("strict", "nonstrict", "dynamic", "core"))
    image = lambda: torch.rand(1, 3, 16, 16)
    no_programs = ("strict", "nonstrict", "dynamic", "core")
    yield "q_eager", Network("quantized", eager, lambda: (image(),), {0: BATCH}, no_programs)
    yield "q_fx", Network("quantized", fx_quantized(SmallConvNet, image), lambda: (image(),), {0: BATCH}, no_programs)
    yield "q_dynamic", Network("quantized", lambda: quantize_dynamic(Tagger().eval(), {nn.LSTM, nn.Linear}),
                               lambda: (torch.rand(2, 5, 8),), {0: BATCH}, no_programs)
    for name, quantizer in (("xnnpack", xnnpack()), ("xnnpack_dynamic", xnnpack(True)), ("inductor", x86_inductor)):
        yield "q_pt2e_" + name, Network("quantized", pt2e_quantized(SmallConvNet, image, quantizer), lambda: (image(),),
                                        {}, ("script", "trace", "dynamic", "onnx", "onnx_axes"))
    yield "q_pt2e_mobilenet", Network(
        "quantized", pt2e_quantized(lambda: torchvision.models.mobilenet_v2(weights=None),
                                    lambda: torch.rand(2, 3, 64, 64), xnnpack()), lambda: (torch.rand(2, 3, 64, 64),),
        {}, ("script", "trace", "dynamic", "onnx", "onnx_axes"))


# ---- of our own


def of_vision():
    def row(name, make, *shapes, axes=None, **more):
        return name, Network("vision", make, lambda: tuple(torch.rand(shape) for shape in shapes),
                             axes if axes is not None else {i: BATCH for i in range(len(shapes))}, **more)

    yield "diffusion_unet", Network("vision", pictures.DiffusionUNet, lambda: (
        torch.rand(2, 4, 16, 16), torch.tensor([37]), torch.rand(2, 7, 24)), {0: IMAGE, 2: {0: "batch", 1: "words"}})
    yield row("mixer", pictures.Mixer, (2, 3, 32, 32))
    yield row("super_resolution", pictures.SuperResolution, (1, 3, 12, 16), axes={0: IMAGE})
    yield row("vae", pictures.VariationalAutoencoder, (2, 3, 32, 32))
    yield row("vae_sampling", lambda: pictures.VariationalAutoencoder(True), (2, 3, 32, 32))
    yield row("radiance_field", pictures.RadianceField, (6, 3), (6, 3))
    yield row("spatial_transformer", pictures.SpatialTransformer, (2, 1, 28, 28), opset=20)
    yield "deformable_attention", Network("vision", pictures.DeformableAttention, lambda: (
        torch.rand(2, 5, 32), torch.rand(2, 5, 2, 2), torch.rand(2, 80, 32), torch.rand(2, 80) < 0.1),
        {i: BATCH for i in range(4)})
    yield row("convnext_v2", pictures.ConvNeXtV2, (2, 3, 32, 32), axes={0: IMAGE})
    yield row("yolo_head", pictures.YoloHead, (1, 3, 32, 48), axes={0: IMAGE})


def of_audio():
    time = {0: "batch", 1: "time"}
    yield "conformer", Network("audio", audio.Conformer, lambda: (torch.rand(2, 40, 19), torch.tensor([40, 33])),
                               {0: time, 1: BATCH})
    yield "wav2vec", Network("audio", audio.Wav2Vec, lambda: (torch.rand(2, 800),), {0: time})
    yield "vocoder", Network("audio", audio.Vocoder, lambda: (torch.rand(1, 20, 12),), {0: {0: "batch", 2: "frames"}})
    yield "vocoder_parametrized", Network("audio", audio.vocoder_of_parametrizations, lambda: (torch.rand(1, 20, 12),),
                                          {0: {0: "batch", 2: "frames"}})
    yield "tacotron", Network("audio", audio.Tacotron, lambda: (ints(2, 7, below=20), torch.rand(2, 5, 8)),
                              {0: time, 1: BATCH})
    yield "rnnt", Network("audio", audio.Joiner, lambda: (torch.rand(2, 9, 8), ints(2, 4, below=20)),
                          {0: time, 1: {0: "batch", 1: "words"}})
    yield "separation", Network("audio", audio.Separation, lambda: (torch.rand(2, 101),), {0: time})
    yield "spectrogram", Network("audio", audio.Spectrogram, lambda: (torch.rand(2, 400),), {0: time})


def of_sequences():
    def row(name, make, arguments, axes=None, **more):
        return name, Network("sequences", make, arguments, axes or {}, **more)

    state = lambda: (torch.rand(2, 3, 16), torch.rand(2, 3, 16))
    yield row("language_model", sequences.LanguageModel, lambda: (ints(6, 3, below=50), state()), {0: {0: "length"}})
    yield row("packed", sequences.PackedClassifier, lambda: (ints(3, 6, below=50, start=1), torch.tensor([4, 6, 3])),
              {0: {0: "batch", 1: "length"}, 1: BATCH})
    yield row("recommender", sequences.Recommender, lambda: (
        torch.rand(4, 5), ints(3, 9, below=20), torch.tensor([[0, 2, 4, 7]] * 3)), {1: {1: "indices"}})
    yield row("bag_of_words", sequences.BagOfWords, lambda: (
        ints(3, 4, below=30, start=1), torch.rand(3, 4), torch.tensor([0, 4, 8, 12])))
    yield row("deep_fm", sequences.WideAndDeep, lambda: (ints(4, 4, below=10),), {0: BATCH})
    yield row("graph_net", sequences.GraphNet, lambda: (
        torch.rand(7, 6), ints(2, 12, below=7), torch.tensor([0, 0, 0, 1, 1, 1, 1])),
        {0: {0: "nodes"}, 1: {1: "edges"}, 2: {0: "nodes"}})
    yield row("mamba_steps", sequences.SelectiveScan, lambda: (torch.rand(2, 6, 16),), {0: BATCH})
    yield row("mamba", lambda: sequences.SelectiveScan(stepwise=False), lambda: (torch.rand(2, 6, 16),),
              {0: {0: "batch", 1: "length"}})
    yield row("experts", sequences.MixtureOfExperts, lambda: (torch.rand(2, 5, 16),), {0: {0: "batch", 1: "length"}})
    yield row("experts_dense", lambda: sequences.MixtureOfExperts(dense=True), lambda: (torch.rand(2, 5, 16),),
              {0: {0: "batch", 1: "length"}})
    yield row("point_net", sequences.PointNet, lambda: (torch.rand(2, 32, 3), torch.rand(2, 32, 3)), {0: BATCH, 1: BATCH})
    yield row("seq2seq", sequences.Pointer, lambda: (ints(2, 6, below=20),), {0: {0: "batch", 1: "length"}})
    yield row("forecaster", sequences.Forecaster, lambda: (torch.rand(3, 24),), {0: BATCH})
    yield row("transformer", sequences.WindowedTransformer, lambda: (
        ints(2, 7, below=30, start=1), ints(2, 5, below=30)), {0: {0: "batch", 1: "source"}, 1: {0: "batch", 1: "target"}})
    yield row("policy", sequences.Policy, lambda: (
        ints(2, 4, 44, 44, below=256).to(torch.uint8), torch.rand(2, 6) < 0.7), {0: BATCH, 1: BATCH})
    yield row("crf", sequences.Crf, lambda: (torch.rand(2, 5, 8), torch.rand(2, 5) < 0.8), {0: BATCH, 1: BATCH})


def of_transformers():
    """Two layers of each; attention is one operator, or as matrix products and a softmax in ONNX."""
    for name, network in transformers.NETWORKS.items():
        sizes = transformers.Sizes(layers=2, **network.changes)
        axes = {i: network.dynamic.get(argument, {}) for i, argument in enumerate(network.inputs(sizes))}
        for eager in (False, True):
            sizes = transformers.Sizes(layers=2, eager=eager, **network.changes)
            yield name + ("_eager" if eager else ""), Network(
                "hf", lambda network=network, sizes=sizes: network.module(sizes),
                lambda network=network, sizes=sizes: tuple(network.inputs(sizes).values()), axes)


def networks():
    for family in (of_transformers, of_vision, of_audio, of_sequences, quantized, segmentation, classifiers, video, detectors):
        yield from family()


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--forms", default=",".join(forms.FORMS))
    parser.add_argument("--seconds", type=int, default=240)
    given = parser.parse_args()
    torch.set_num_threads(1)
    wanted = given.forms.split(",")
    made = asked = 0
    for name, network in networks():
        if given.names and name not in given.names:
            continue
        for form in wanted:
            if form not in network.without:
                asked += 1
                made += forms.make(given.folder, name, network, form, given.seconds)
    print(f"{made} of {asked} files made")


if __name__ == "__main__":
    main()
