# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bytes of a model are needed to read its graph: everything but large weights.

A copy here is as long as the file there, and has at the same places the ranges that were fetched. Cutaway's own readers
open it; they are told which ranges these are, and take nothing else for a value.
"""
import bisect
import io
import os
import re
import zipfile

SMALL = 8 << 10  # a weight that is at most so long is fetched: sizes are computed of small tensors, of 1024 elements at most
TAIL = 64 << 10  # of an archive: its directory is there, or where that is
CHUNK = 8 << 20  # how much is asked for at a time
NEAR = 4 << 10  # ranges that are closer are one
FIRST_READ = 1 << 10  # behind a weight that is passed over; doubled as long as what follows is read
LARGEST_UNKNOWN = 64 << 20  # of a file of which only its reader knows what it needs
MAX_DEPTH = 100  # of messages, as protobuf's own parsers have it


class Copy:
    """Parts of a file elsewhere, in a sparse file here."""

    def __init__(self, source, path):
        self.source, self.path = source, path
        self.size = source.size
        self.ranges = []  # sorted pairs (begin, end) apart from each other
        self._file = open(path, "w+b")  # pylint: disable=consider-using-with
        self._file.truncate(self.size)

    def close(self):
        self._file.close()

    def missing(self, begin, end):
        """The parts of a range that are not here."""
        found = []
        at = max(bisect.bisect_right(self.ranges, (begin, self.size)) - 1, 0)
        while at < len(self.ranges) and self.ranges[at][0] < end:
            known = self.ranges[at]
            if begin < known[0]:
                found.append((begin, known[0]))
            begin = max(begin, known[1])
            at += 1
        if begin < end:
            found.append((begin, end))
        return found

    def _add(self, begin, end):
        first = bisect.bisect_left(self.ranges, (begin, 0))
        if first > 0 and self.ranges[first - 1][1] >= begin:
            first -= 1
        last = first
        while last < len(self.ranges) and self.ranges[last][0] <= end:
            begin, end = min(begin, self.ranges[last][0]), max(end, self.ranges[last][1])
            last += 1
        self.ranges[first:last] = [(begin, end)]

    def need(self, begin, end):
        """Fetches what is not here of a range, as far as the file reaches."""
        self.need_all([(begin, end)])

    def need_all(self, ranges):
        """The same of many ranges, in as few requests as that takes."""
        wanted = []
        for begin, end in sorted(ranges):
            for part in self.missing(max(begin, 0), min(end, self.size)):
                if wanted and part[0] <= wanted[-1][1] + NEAR:
                    wanted[-1] = (wanted[-1][0], max(part[1], wanted[-1][1]))
                else:
                    wanted.append(part)
        chunks = [(at, min(at + CHUNK, end)) for begin, end in wanted for at in range(begin, end, CHUNK)]
        for (begin, end), content in self.source.read_all(chunks):
            self._file.seek(begin)
            self._file.write(content)
            self._add(begin, end)
        self._file.flush()

    def read(self, begin, end):
        end = min(end, self.size)
        self.need(begin, end)
        self._file.seek(begin)
        return self._file.read(max(end - begin, 0))


class View(io.RawIOBase):
    """A range of a copy as a file for zipfile: what it reads is fetched."""

    def __init__(self, copy, begin, end):
        super().__init__()
        self._copy, self._begin, self._end, self._at = copy, begin, end, begin

    def seekable(self):
        return True

    def readable(self):
        return True

    def tell(self):
        return self._at - self._begin

    def seek(self, offset, whence=os.SEEK_SET):
        start = {os.SEEK_SET: self._begin, os.SEEK_CUR: self._at, os.SEEK_END: self._end}[whence]
        if start + offset < self._begin:
            raise OSError("before the start of the file")
        self._at = start + offset
        return self.tell()

    def read(self, size=-1):
        end = self._end if size is None or size < 0 else min(self._at + size, self._end)
        content = self._copy.read(self._at, end) if end > self._at else b""
        self._at += len(content)
        return content


# ---- zip archives: TorchScript, torch.export, torch.save

LOCAL_HEADER = 30  # bytes, before a member's name
WEIGHT = re.compile(r"(?:^|/)(?:(?:data|constants|weights|tensors)/(?:weight_|tensor_)?\d+"
                    r"|(?:aotinductor|executorch|mtia|xl_model_weights)/.*)$")  # as PyTorch names them


def need_zip(copy, begin, end):
    """All of an archive but its weights."""
    copy.need(max(begin, end - TAIL), end)
    try:
        with zipfile.ZipFile(View(copy, begin, end)) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError) as fault:
        if isinstance(fault, OSError):
            raise
        return  # the reader says what is wrong with it
    headers = [begin + each.header_offset for each in members]
    copy.need_all((at, at + LOCAL_HEADER) for at in headers)
    wanted, archives = [], []
    for member, at in zip(members, headers):
        header = copy.read(at, at + LOCAL_HEADER)
        start = at + LOCAL_HEADER + int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
        stop = min(start + member.compress_size, end)
        is_stored = member.compress_type == zipfile.ZIP_STORED
        if is_stored and member.compress_size > SMALL and member.filename.endswith(".pt"):
            archives.append((start, stop))
        elif not (is_stored and member.compress_size > SMALL and WEIGHT.search(member.filename)):
            wanted.append((start, stop))
    copy.need_all(wanted)
    for start, stop in archives:
        if copy.read(start, start + 4) == b"PK\x03\x04":
            need_zip(copy, start, stop)
        else:
            copy.need(start, stop)


# ---- ONNX

# Which fields of a message are messages that may have tensors in them.
MESSAGES = {"model": {7: "graph", 20: "training", 25: "function"}, "training": {1: "graph", 2: "graph"},
            "graph": {1: "node", 5: "tensor", 15: "sparse"}, "sparse": {1: "tensor", 2: "tensor"},
            "node": {5: "attribute"}, "function": {7: "node", 11: "attribute"},
            "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse", 23: "sparse"},
            "tensor": {13: "entry"}, "entry": {}}
PLAIN_BYTES = {4, 9, 10}  # a tensor's float_data, raw_data, double_data: their elements lie there as they are


class Damaged(Exception):
    """It is no protobuf message; the reader says so."""


class OnnxWalk:
    """Goes through the fields of a model in their order and passes over the bytes of large tensors."""

    def __init__(self, copy):
        self.external = []  # (location, offset, length or None) of tensors that lie in other files
        self._copy = copy
        self._at = self._begin = 0
        self._buffer = b""
        self._ahead = FIRST_READ

    def run(self):
        try:
            self._message("model", self._copy.size, 0)
        except Damaged:
            pass

    def _fill(self, count):
        if self._at + count <= self._begin + len(self._buffer):
            return
        self._buffer = self._copy.read(self._at, self._at + max(count, self._ahead))
        self._begin = self._at
        self._ahead = min(2 * self._ahead, TAIL)
        if len(self._buffer) < count:
            raise Damaged

    def _varint(self):
        value = shift = 0
        while True:
            self._fill(1)
            byte = self._buffer[self._at - self._begin]
            self._at += 1
            value |= (byte & 0x7f) << shift
            if byte < 0x80:
                return value
            shift += 7
            if shift > 63:
                raise Damaged

    def _text(self, length):
        self._fill(length)
        start = self._at - self._begin
        self._at += length
        return self._buffer[start:start + length]

    def _pass(self, length, is_wanted):
        """Over bytes, which are fetched if they are wanted or few."""
        if length <= SMALL:
            self._fill(length)
        elif is_wanted:
            self._copy.need(self._at, self._at + length)
        else:
            self._ahead = FIRST_READ
        self._at += length

    def _message(self, kind, end, depth):
        external = {}
        while self._at < end:
            tag = self._varint()
            number, wire = tag >> 3, tag & 7
            if wire == 0:
                self._varint()
            elif wire in (1, 5):
                self._pass(8 if wire == 1 else 4, True)
            elif wire == 2:
                length = self._varint()
                if length > end - self._at:
                    raise Damaged
                inner = MESSAGES[kind].get(number)
                if inner == "entry":
                    key, value = self._entry(self._at + length)
                    external[key] = value
                elif inner and depth < MAX_DEPTH:
                    self._message(inner, self._at + length, depth + 1)
                else:
                    self._pass(length, kind != "tensor" or number not in PLAIN_BYTES)
            else:
                raise Damaged
        if external.get("location"):
            self._note(external)

    def _entry(self, end):
        """A text and its name."""
        texts = {1: b"", 2: b""}
        while self._at < end:
            tag = self._varint()
            if tag & 7 != 2:
                raise Damaged
            length = self._varint()
            if length > end - self._at:
                raise Damaged
            if length > SMALL:
                self._pass(length, True)
            else:
                texts[tag >> 3] = self._text(length)
        return tuple(texts[number].decode("utf-8", "replace") for number in (1, 2))

    def _note(self, external):
        numbers = [external.get(key, "") for key in ("offset", "length")]
        offset, length = (int(text) if text.isdecimal() and len(text) < 20 else None for text in numbers)
        self.external.append((external["location"], offset or 0, length))


# ---- a whole file

def need_graph(copy):
    """Fetches what the reader needs of a model. Gives the tensors of it that lie in other files."""
    if copy.size <= 4 * TAIL:
        copy.need(0, copy.size)
    head = copy.read(0, FIRST_READ)
    if head[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        need_zip(copy, 0, copy.size)
        return []
    length = int.from_bytes(head[:8], "little")
    if head[8:9] == b"{" and length <= copy.size - 8:
        copy.need(0, 8 + length)  # safetensors
        return []
    if head[:1] == b"\x08" or copy.path.endswith(".onnx"):
        walk = OnnxWalk(copy)
        walk.run()
        return walk.external
    if copy.size > LARGEST_UNKNOWN:
        raise ValueError(f"it is no zip archive, ONNX or safetensors file and has {copy.size} bytes, which would be "
                         "read whole; fetch it and name the file")
    copy.need(0, copy.size)
    return []
