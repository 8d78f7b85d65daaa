#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""scripted_model.py FILE: writes a TorchScript archive of a few lines, for tests of packages: the window shows its code."""
import sys
import zipfile

CODE = """class Scale(Module):
  training : bool
  def forward(self: __torch__.net.Scale,
    x: Tensor) -> Tensor:
    return torch.mul(x, 2.5)
"""
# an object of that class whose attribute 'training' is False, as torch.jit pickles it
MODULE = b"\x80\x02c__torch__.net\nScale\n)\x81}X\x08\x00\x00\x00training\x89sb."
MEMBERS = {"data.pkl": MODULE, "code/__torch__/net.py": CODE.encode(), "constants.pkl": b"\x80\x02).", "version": b"3\n"}


def main():
    with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_STORED) as archive:
        for name, content in MEMBERS.items():
            archive.writestr(f"scale/{name}", content)


if __name__ == "__main__":
    main()
