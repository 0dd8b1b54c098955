"""The same release from a cluster, of which a node dies in the middle of the build."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import pytest

import lookup
from pipeline.models.install import install_model
from tests.builds.test_workers import MISBEHAVE
from tests.support.command import pagequote
from tests.support.models import tiny_model
from tests.support.needs import needs
from tests.support.pdfs import pdf
from tests.support.processes import with_word
from tests.support.project import ROOT
from tests.support.waiting import barrier, wait_until

pytestmark = pytest.mark.system

# holds a barrier, and does what a PDF's mark says; one that hangs reaches its deadline at once.
SLOW = (
    MISBEHAVE
    + """
misbehaving = pipeline.extract.extract

def extract(data, *given):
    if os.environ.get("STARTED"):
        with open(os.environ["STARTED"], "a+") as file:
            file.write(f"{os.getppid()}\\n")
            file.seek(0)
            if len(file.readlines()) > 8 and os.path.exists(os.environ["STARTED"] + "-barrier"):
                exec(open(os.environ["STARTED"] + "-barrier").read())
    if b"%ORPHAN" in data:
        os.kill(os.getppid(), signal.SIGKILL)
        signal.pause()
    if b"%HANG" in data:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
    return misbehaving(data, *given)

pipeline.extract.extract = extract
"""
)

SITE = f"""
import sys

if any("killable_process" in word for word in sys.orig_argv):
{textwrap.indent(SLOW, "    ")}
"""

# and models that are asked for on them.
ONNXRUNTIME = """
import importlib, json, os, sys

here = os.path.dirname(__file__)
sys.path.remove(here)
del sys.modules["onnxruntime"]
real = importlib.import_module("onnxruntime")
sys.path.insert(0, here)
class OnAGpu(real.InferenceSession):
    def __init__(self, path, *options, **named):
        if "tiny" in str(path):  # PyMuPDF has models of its own
            with open(os.environ["SESSIONS"], "a") as file:
                print(json.dumps([os.environ.get("CUDA_VISIBLE_DEVICES"), named["providers"]]), file=file)
            named["providers"] = ["CPUExecutionProvider"]
        super().__init__(path, *options, **named)

real.get_available_providers = lambda: ["CUDAExecutionProvider", "CPUExecutionProvider"]
real.InferenceSession = OnAGpu
"""

MARKS = {"hang": b"%HANG", "crash": b"%CRASH", "eat": b"%EAT", "raise": b"%RAISE"}
TEXTS = ["papers", "pages", "paragraphs", "sentences", "vectors", "failures"]
ENDLESS = 600.0
"""Seconds that a cluster may take on a busy machine."""

NOT_RAYS = {".ses", ".cache"}
"""What onnxruntime notes of its use, wherever it is loaded."""


class Nodes:
    """A cluster on this machine: a head that only directs, and nodes of one processor each."""

    def __init__(self, site, folder):
        from ray.cluster_utils import Cluster

        self.folder = folder
        self.started, self.sessions, self.barrier = (
            site / "started",
            site / "sessions",
            site / "started-barrier",
        )
        os.environ |= {
            "STARTED": str(self.started),
            "SESSIONS": str(self.sessions),
            "RAY_TMPDIR": folder,
            "PYTHONPATH": f"{site}{os.pathsep}{ROOT}",
        }
        self.cluster = Cluster()
        self.nodes = {}
        try:
            self.cluster.add_node(
                num_cpus=0, include_dashboard=False, include_log_monitor=False, no_monitor=True
            )
        except BaseException:
            self.end()
            raise

    @property
    def address(self):
        return self.cluster.address

    @property
    def begun(self):
        """The process numbers of the workers, for each PDF that one began with."""
        return list(map(int, self.started.read_text().split())) if self.started.exists() else []

    def be(self, *gpus):
        """Have as many nodes as there are numbers of GPUs, which each of them has; those that are so stay."""
        wanted = list(gpus)
        for node, count in list(self.nodes.items()):
            if count in wanted:
                wanted.remove(count)
            else:
                self.cluster.remove_node(node)
                del self.nodes[node]
        self.nodes |= {self.cluster.add_node(num_cpus=1, num_gpus=count): count for count in wanted}
        self.cluster.wait_for_nodes()

    def kill_one_at_work(self):
        """Kill the node whose worker was the last to begin with a PDF; the process number of that worker."""
        worker = self.begun[-1]
        raylet = parent(worker)
        (node,) = (node for node in self.nodes if node.all_processes["raylet"][0].process.pid == raylet)
        self.cluster.remove_node(node, allow_graceful=False)
        del self.nodes[node]
        return worker

    def end(self):
        self.cluster.shutdown()
        wait_until(lambda: not with_word(self.folder), seconds=ENDLESS)


def parent(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()[1])


def runs(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0] != "Z"


def build(root, corpus, *options, sources="pdfs", **environment):
    """Begin a build of `root`'s PDFs into its `corpus`."""
    command = [sys.executable, "-c", "from pagequote.cli import main; main()", "build"]
    sources = [sources] if isinstance(sources, str) else sources
    return subprocess.Popen(
        [
            *command,
            *sources,
            "--corpus",
            root / corpus / "corpus",
            "--deadline",
            "600",
            "--memory",
            "512",
            *options,
        ],
        cwd=root,
        env={**os.environ, "PYTHONPATH": f"{root / 'site'}{os.pathsep}{ROOT}", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def built(process):
    _, said = process.communicate(timeout=ENDLESS)
    assert process.returncode == 0, said
    return said


def add(root, name, mark=b""):
    text = f"The paper called {name} is read. Its authors saw {name} in the field, twice."
    (root / "pdfs" / f"{name}.pdf").write_bytes(pdf("Front", "Matter", text) + mark)


def tables(folder):
    """The bytes of all tables but failures, which have times."""
    release = (folder / "corpus/current").resolve()
    paths = sorted(release.rglob("*.parquet"))
    return {str(path.relative_to(release)): path.read_bytes() for path in paths if path.stem != "failures"}


@pytest.fixture
def root(tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(SITE)
    (tmp_path / "pdfs").mkdir()
    return tmp_path


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    site = tmp_path_factory.mktemp("site")
    (site / "sitecustomize.py").write_text(SITE)
    (site / "onnxruntime.py").write_text(ONNXRUNTIME)
    folder = tempfile.mkdtemp(prefix="pq-", dir="/tmp")  # a socket's path must be short
    with pytest.MonkeyPatch.context() as patch:
        for name in ("STARTED", "SESSIONS", "PYTHONPATH", "RAY_TMPDIR"):
            patch.setenv(name, "")  # so that it is as before afterwards
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_AUTH_MODE", "disabled")
        try:
            nodes = Nodes(site, folder)
            yield nodes
            nodes.end()
        finally:
            shutil.rmtree(folder)


@pytest.fixture
def nodes(cluster):
    cluster.started.unlink(missing_ok=True)
    cluster.sessions.unlink(missing_ok=True)
    cluster.barrier.unlink(missing_ok=True)
    return cluster


@needs("ray")
@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_a_cluster_that_loses_a_node_makes_the_release_of_one_machine(root, nodes):
    nodes.be(0, 0)
    for name, mark in MARKS.items():
        add(root, name, mark)
    for number in range(24):
        add(root, f"good{number}")
    (root / "pdfs" / "page.pdf").write_text("<html>Please sign in</html>")
    (root / "pdfs" / "twin.pdf").write_bytes((root / "pdfs" / "good7.pdf").read_bytes())
    model = install_model(tiny_model(root / "tiny"), root / "models" / "tiny")
    records = root / "cluster" / "work" / "extracted"
    with barrier(root / "barrier") as line:
        nodes.barrier.write_text(line)
        process = build(
            root,
            "cluster",
            "--engine",
            "ray",
            "--address",
            nodes.address,
            "--model",
            model.folder,
            "--shards",
            "3",
        )
        wait_until(
            lambda: len(nodes.begun) > 8 and len(list(records.rglob("*.arrow"))) >= 5,
            seconds=ENDLESS,
            process=process,
        )
        lost = nodes.kill_one_at_work()
        unread = 24 - len(list(records.rglob("*.arrow")))
    built(process)
    assert unread > 0
    assert not runs(lost)
    assert any(worker != lost for worker in nodes.begun)

    built(build(root, "machine", "--model", model.folder, "--shards", "3", STARTED=""))
    with lookup.open(root / "cluster/corpus") as one, lookup.open(root / "machine/corpus") as other:
        for table in TEXTS:
            columns = "* EXCLUDE (seconds)" if table == "failures" else "*"
            query = f"SELECT {columns} FROM {table} ORDER BY ALL"
            assert one.sql(query).fetchall() == other.sql(query).fetchall(), table
        reasons = dict(one.sql("SELECT key, reason FROM failures").fetchall())
        assert reasons == {
            "hang": "timeout",
            "crash": "crash",
            "eat": "memory",
            "raise": "error",
            "page": "not a PDF",
        }
        assert one.sql("SELECT count(*) FROM papers").fetchone() == (25,)
        assert len(one.sql("SELECT key FROM vectors").fetchall()) > 24
    assert tables(root / "cluster") == tables(root / "machine")


@needs("ray")
@pytest.mark.filterwarnings("ignore")
def test_a_pdf_that_takes_rays_own_worker_along_costs_itself_alone(root, nodes):
    nodes.be(0)
    add(root, "orphan", b"%ORPHAN")
    add(root, "good")
    said = built(build(root, "cluster", "--engine", "ray", "--address", nodes.address, "--workers", "1"))
    assert "orphan.pdf: crash: The Ray workers that read it were lost" in said
    with lookup.open(root / "cluster/corpus") as corpus:
        assert corpus.sql("SELECT key, reason FROM failures").fetchall() == [("orphan", "crash")]
        assert corpus.sql("SELECT count(*) FROM papers").fetchone() == (1,)


@needs("ray")
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_goes_on_from_what_one_machine_did_with_its_gpus_and_in_any_order(root, nodes):
    nodes.be(0, 1)
    model = install_model(tiny_model(root / "tiny"), root / "models" / "tiny")
    add(root, "frost")
    alone = "build", "pdfs", "--model", model.folder
    assert pagequote(*alone, "--corpus", "cluster/corpus", cwd=root).returncode == 0
    for name in ("heather", "moss"):
        add(root, name)
    turned = sorted(map(str, (root / "pdfs").iterdir()), reverse=True)
    options = ["--engine", "ray", "--address", nodes.address, "--model", model.folder]
    built(build(root, "cluster", *options, sources=turned))
    asked = {line.strip() for line in nodes.sessions.read_text().splitlines()}
    assert asked == {json.dumps(["0", ["CUDAExecutionProvider", "CPUExecutionProvider"]])}
    assert len(nodes.begun) == 2
    assert pagequote(*alone, "--corpus", "machine/corpus", cwd=root).returncode == 0
    assert tables(root / "cluster") == tables(root / "machine")


@needs("ray")
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_a_ray_of_a_build_that_is_ended_leaves_nothing_behind(root, ending):
    add(root, "good")
    with tempfile.TemporaryDirectory(prefix="pq-", dir="/tmp") as folder:
        scratch, home = Path(folder), root / "home"
        home.mkdir()
        process = build(
            root,
            "cluster",
            "--engine",
            "ray",
            "--workers",
            "1",
            TMPDIR=folder,
            HOME=str(home),
            STARTED=str(root / "started"),
        )
        wait_until((root / "started").exists, seconds=ENDLESS, process=process)
        process.send_signal(ending)
        process.communicate(timeout=ENDLESS)
        assert process.returncode != 0
        wait_until(lambda: not with_word(folder), seconds=ENDLESS)
        assert {path.name for place in (scratch, home) for path in place.iterdir()} <= NOT_RAYS
    assert not (root / "cluster/corpus/current").exists()
