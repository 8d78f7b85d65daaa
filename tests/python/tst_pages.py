# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Interactive pages are those of the command line, and what notebooks show."""
import json
import pathlib
import xml.etree.ElementTree

import pytest

import cutaway


def test_a_page_is_that_of_the_command_line(sample, command_line, tmp_path):
    page = cutaway.open(sample).page(bind={"batch": 8}, device="h100-sxm")
    page.save(tmp_path / "saved.html")
    command_line("report", sample, "-o", str(tmp_path / "page.html"), "--interactive", "--bind", "batch=8", "--device",
                 "h100-sxm")
    assert (tmp_path / "saved.html").read_text() == page.html == (tmp_path / "page.html").read_text()
    with pytest.raises(cutaway.Error, match="no-such-device"):
        cutaway.open(sample).page(device="no-such-device")
    with pytest.raises(cutaway.Error, match="No such file"):
        page.save(tmp_path / "no folder" / "page.html")


def test_notebooks_show_pages_in_a_frame_that_reaches_nothing(sample):
    model = cutaway.open(sample)
    for shown in (model, model.page(), model.passes("fold-batch-norm,dead-code")):
        html = shown._repr_html_()
        frame = xml.etree.ElementTree.fromstring(html)
        assert frame.tag == "iframe" and frame.get("sandbox") == "allow-scripts"
        assert frame.get("srcdoc").startswith("<!DOCTYPE html>")


def test_a_page_of_a_difference_has_both_models(sample, tmp_path):
    smaller = cutaway.open(sample).passes("optimize{contrib=true}")
    smaller.save(tmp_path / "smaller.onnx")
    difference = cutaway.diff(sample, tmp_path / "smaller.onnx")
    data = json.loads(difference.page().html.split('id="data">')[1].split("</script>")[0])
    assert len(data["states"]) == 2 and data["marks"][1][0]
    assert difference._repr_html_().startswith("<iframe")
    made = cutaway.diff(sample, smaller.model)
    assert made._repr_html_() is None
    with pytest.raises(cutaway.Error, match="save them first"):
        made.page()


def test_a_page_of_steps_has_their_states(sample):
    html = cutaway.open(sample).passes("optimize").page().html
    data = json.loads(html.split('id="data">')[1].split("</script>")[0])
    assert data["states"][0] == "input file" and len(data["states"]) == len(data["marks"]) > 1
    inspector = json.loads(html.split('id="sections">')[1].split("</script>")[0])
    assert len(inspector["parts"]) == len(data["parts"])
    assert all(len(section) > 1 for section in inspector["sections"])  # a module without a class has none


def test_weights_alone_have_no_picture_that_notebooks_show(tmp_path):
    header = json.dumps({"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}).encode()
    files = [str(tmp_path / name) for name in ("before.safetensors", "after.safetensors")]
    for number, file in enumerate(files):
        pathlib.Path(file).write_bytes(len(header).to_bytes(8, "little") + header + bytes([number] * 4))
    assert cutaway.open(files[0])._repr_html_() is None
    assert cutaway.diff(*files)._repr_html_() is None
