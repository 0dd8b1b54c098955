"""Screenshots small enough to be kept: PNG with 256 colours."""

import struct
import zlib

import numpy as np
import pymupdf

_COLOURS = 256


def small_png(png: bytes) -> bytes:
    """The picture with its commonest colours alone, each pixel in the nearest of them."""
    picture = pymupdf.Pixmap(png)
    pixels = np.frombuffer(picture.samples, np.uint8).reshape(-1, picture.n)[:, :3].astype(np.int32)
    buckets = (pixels[:, 0] >> 3 << 10) | (pixels[:, 1] >> 3 << 5) | (pixels[:, 2] >> 3)
    numbers, places, counts = np.unique(buckets, return_inverse=True, return_counts=True)
    means = np.stack([np.bincount(places, pixels[:, i]) / counts for i in range(3)], axis=1)
    palette = means[np.argsort(-counts, kind="stable")[:_COLOURS]].round()
    nearest = np.array([((palette - mean) ** 2).sum(axis=1).argmin() for mean in means], np.uint8)
    assert len(numbers) == len(nearest)
    rows = nearest[places].reshape(picture.height, picture.width)
    data = b"".join(b"\0" + row.tobytes() for row in rows)
    header = struct.pack(">IIBBBBB", picture.width, picture.height, 8, 3, 0, 0, 0)
    chunks = (
        (b"IHDR", header),
        (b"PLTE", palette.astype(np.uint8).tobytes()),
        (b"IDAT", zlib.compress(data, 9)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, content) for name, content in chunks)


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
