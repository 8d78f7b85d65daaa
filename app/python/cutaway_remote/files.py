# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Models at URLs that fsspec reads, by ranges of bytes."""
import calendar
import contextlib
import datetime
import email.utils
import os
import tempfile
import urllib.parse

import cutaway

from cutaway_remote import error, lacking, one_line, parts

SUFFIXES = (".onnx", ".pt", ".pt2", ".ptl", ".pth", ".ts", ".torchscript")  # as survey::findModelFiles() has them
ONLY_WHOLE = "the server gives it only whole, not by ranges of bytes"


def fsspec_module():
    try:
        import fsspec
    except ImportError:
        raise lacking("a model at a URL", "fsspec", "python3-fsspec") from None
    return fsspec


@contextlib.contextmanager
def saying(url):
    """Makes sentences of what fsspec and its file systems raise."""
    try:
        yield
    except (cutaway.Error, MemoryError):
        raise
    except ImportError as fault:  # of what the protocol needs; fsspec says which package that is
        raise error("backend", f"{url}: {one_line(fault)}") from None
    except FileNotFoundError:
        raise error("unreadable", f"{url}: there is no such file") from None
    except Exception as fault:  # each file system has exceptions of its own
        raise error("unreadable", f"{url}: {one_line(fault)}") from None


def located(url):
    """The file system of a URL, and its path there."""
    return fsspec_module().core.url_to_fs(url)


class Source:
    """A file that fsspec reads; counts the bytes."""

    def __init__(self, filesystem, path):
        self._filesystem, self._path = filesystem, path
        self.size = filesystem.info(path).get("size")
        if self.size is None:
            raise ValueError("the server does not say how long it is")
        self._file = filesystem.open(path, "rb", cache_type="none")
        if self.size > 0 and not self._file.seekable():
            raise ValueError(ONLY_WHOLE)
        self.bytes_read = 0

    def close(self):
        self._file.close()

    def read_all(self, ranges):
        """The bytes of each range; several at a time where the file system can."""
        ranges = list(ranges)
        if len(ranges) > 1 and getattr(self._filesystem, "async_impl", False):
            contents = self._filesystem.cat_ranges([self._path] * len(ranges), [begin for begin, _ in ranges],
                                                   [end for _, end in ranges], batch_size=16, on_error="raise")
            for (begin, end), content in zip(ranges, contents):
                yield (begin, end), self._counted(begin, end, content)
            return
        for begin, end in ranges:
            try:
                self._file.seek(begin)
                content = self._file.read(end - begin)
            except ValueError:  # more came than was asked for
                raise ValueError(ONLY_WHOLE) from None
            yield (begin, end), self._counted(begin, end, content)

    def _counted(self, begin, end, content):
        self.bytes_read += len(content)
        if len(content) != end - begin:
            raise ValueError(f"the server gave {len(content)} bytes where {end - begin} were asked for")
        return content


def beside(filesystem, path, location):
    """The path of a file in the folder of another one; of URLs of the web, what is behind '?' stays."""
    if "http" in filesystem.protocol:
        address, mark, rest = path.partition("?")
        return address.rpartition("/")[0] + "/" + urllib.parse.quote(location) + mark + rest
    return path.rpartition("/")[0] + "/" + location


def is_inside(location):
    """Whether a location stays in its folder; the reader refuses the others in words."""
    names = location.replace("\\", "/").split("/")
    return not any(name in ("", ".", "..") for name in names) and "\0" not in location and ":" not in location


class Fetched:
    """The files of a model, parts of them, in a folder here."""

    def __init__(self, url, folder, whole=False):
        self._filesystem, self._path = located(url)
        self._folder, self._whole = folder, whole
        self.url, self.copies = url, {}
        name = os.path.basename(urllib.parse.urlsplit(url).path) or "model"
        main = self._copy(self._path, name)
        self.file = main.path
        tensors = parts.need_graph(main)
        for location in sorted({location for location, _, _ in tensors if is_inside(location)}):
            self._fetch_beside(location, [row[1:] for row in tensors if row[0] == location])
        if whole:
            for copy in self.copies.values():
                copy.need(0, copy.size)
        for copy in self.copies.values():
            copy.close()
            copy.source.close()

    def _copy(self, path, name):
        target = os.path.join(self._folder, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        self.copies[name] = parts.Copy(Source(self._filesystem, path), target)
        return self.copies[name]

    def _fetch_beside(self, location, places):
        """A file with weights of the model: the small ones."""
        copy = self.copies.get(location)
        if copy is None:
            try:
                copy = self._copy(beside(self._filesystem, self._path, location), location)
            except FileNotFoundError:
                return  # the reader says that it is missing
        copy.need_all((offset, copy.size if length is None else offset + length) for offset, length in places
                      if (copy.size - offset if length is None else length) <= parts.SMALL)

    def ranges(self):
        return {copy.path: copy.ranges for copy in self.copies.values()}

    def bytes_read(self):
        return sum(copy.source.bytes_read for copy in self.copies.values())


def opened(url, weights=False):
    """What cutaway.open() does with a URL."""
    with tempfile.TemporaryDirectory(prefix="cutaway-") as folder:
        with saying(url):
            fetched = Fetched(url, folder, weights)
        return cutaway._open_fetched(fetched.file, url, fetched.ranges())


def record(url, request, whole):
    """A survey's record (JSON). `whole`: checks or profiles are asked, which start programs that know no URLs."""
    with tempfile.TemporaryDirectory(prefix="cutaway-") as folder:
        try:
            with saying(url):
                fetched = Fetched(url, folder, whole)
        except cutaway.Error as fault:
            return cutaway._record_without(str(fault))
        return cutaway._record_of_parts(fetched.file, request, url, fetched.ranges(), fetched.bytes_read())


# ---- finding them

def nanoseconds(time):
    """Since 1970, of a time as one file system or another says it; None of any other value."""
    if isinstance(time, str):
        try:
            time = email.utils.parsedate_to_datetime(time)
        except (TypeError, ValueError):
            return None
    if isinstance(time, datetime.datetime):
        return calendar.timegm(time.utctimetuple()) * 1_000_000_000 + time.microsecond * 1000
    return int(time * 1_000_000_000) if isinstance(time, (int, float)) else None


def modified(filesystem, path, info):
    """When a file was changed, or None where the server does not say it."""
    for key in ("mtime", "LastModified", "last_modified", "Last-Modified", "updated", "created"):
        if (time := nanoseconds(info.get(key))) is not None:
            return time
    if "http" in filesystem.protocol:
        return nanoseconds(fsspec_module().asyn.sync(filesystem.loop, last_modified, filesystem, path))
    try:
        return nanoseconds(filesystem.modified(path))
    except (NotImplementedError, AttributeError):
        return None


async def last_modified(filesystem, url):
    """The header of this name: not every version of fsspec passes it on."""
    session = await filesystem.set_session()
    async with session.head(filesystem.encode_url(url), allow_redirects=True, **filesystem.kwargs) as answer:
        return answer.headers.get("Last-Modified")


def found(url):
    """The models that a URL names, a file, a pattern or a folder (ending in '/'): rows of URL, bytes, time or None."""
    with saying(url):
        filesystem, path = located(url)
        if "*" in path:
            paths = [each for each in filesystem.glob(path) if each.endswith(SUFFIXES)]
        elif url.endswith("/"):
            paths = [each for each in filesystem.find(path) if each.endswith(SUFFIXES)]
        else:
            return [(url, *version(filesystem, path))]
        return [(url_of(filesystem, each, url, path), *version(filesystem, each)) for each in sorted(paths)]


def url_of(filesystem, path, named, named_path):
    """The URL of a path, as the named one: what fsspec makes of a path has lost the host of sftp, ftp and others."""
    whole, end = named.rstrip("/"), named_path.rstrip("/")
    return whole.removesuffix(end) + path if end and whole.endswith(end) else filesystem.unstrip_protocol(path)


def version(filesystem, path):
    info = filesystem.info(path)
    if info.get("size") is None:
        raise ValueError("the server does not say how long it is")
    return info["size"], modified(filesystem, path, info)
