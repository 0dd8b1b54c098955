"""The engines that run the stages: this machine, or a Ray cluster.

`engine` is the interface. `local` reads PDFs in the processes of `workers`, and makes vectors by `embedding`.
`ray` does both on the nodes of a `ray_cluster`, which run `ray_tasks`.
"""

from pipeline.engines.engine import Embedded, Engine

__all__ = ["Embedded", "Engine"]
