# PageQuote with all that builds, searches, serves and checks:
#   docker build --tag pagequote .
#   docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/library" pagequote build papers --corpus corpus
#   docker run --rm --volume "$PWD:/library" pagequote quote KEY "words" --corpus corpus
#   docker run --rm --interactive --volume "$PWD:/library:ro" pagequote mcp --corpus corpus

FROM python:3.13-slim-trixie AS wheel
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.13-slim-trixie
# Tesseract reads scans. No version is named: Debian replaces them with its security updates.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends tesseract-ocr \
    && rm -rf /var/lib/apt/lists/*
COPY tools/requirements/dev.txt /tmp/locked.txt
RUN --mount=type=bind,from=wheel,source=/wheels,target=/wheels \
    sed -nE 's/^([a-z0-9._-]+==[^\\]+)\\?$/\1/p' /tmp/locked.txt > /tmp/versions.txt \
    && pip install --no-cache-dir --constraint /tmp/versions.txt \
       "$(ls /wheels/pagequote-*.whl)[all]" \
    && rm /tmp/locked.txt /tmp/versions.txt
# Nothing runs as root. With `--user "$(id -u):$(id -g)"` the files are yours: any uid works, as nothing is written but
# in the library and in this cache.
ENV PAGEQUOTE_CACHE=/tmp/pagequote
USER 1000
WORKDIR /library
ENTRYPOINT ["pagequote"]
CMD ["--help"]
