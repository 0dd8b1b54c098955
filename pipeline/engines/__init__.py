"""What runs the stages: this machine, or a cluster."""

from pipeline.engines.engine import Embedded, Engine

__all__ = ["Embedded", "Engine"]
