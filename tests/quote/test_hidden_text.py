"""What no reader sees is in the tables, and in no answer of any face."""

import asyncio
import json

import pytest

import lookup
from lookup.mcp.server import Server
from lookup.web.api import api_routes
from starlette.applications import Starlette
from starlette.testclient import TestClient
from tests.support.builds import build
from tests.support.command import pagequote
from tests.support.hidden_text import AFTER, BEFORE, HIDDEN, SECRET, pdf_with_secret
