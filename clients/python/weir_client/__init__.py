"""Weir from Python: :class:`Weir`, and :class:`AsyncWeir` for asyncio."""

from .aio import AsyncWeir
from .core import Refused, Sent, Taken, verify
from .errors import WeirError
from .sync import Weir

__all__ = ["AsyncWeir", "Refused", "Sent", "Taken", "Weir", "WeirError", "verify"]
__version__ = "0.1.0"
