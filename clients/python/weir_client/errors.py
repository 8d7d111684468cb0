"""What went wrong, in the service's own words."""

from __future__ import annotations

import json
from typing import Any, Literal, Mapping

Kind = Literal[
    "refused",
    "unauthorized",
    "forbidden",
    "missing",
    "conflict",
    "limit",
    "unavailable",
    "late",
    "network",
    "timeout",
    "foreign",
    "broken",
]

_KINDS: dict[int, Kind] = {
    401: "unauthorized",
    403: "forbidden",
    404: "missing",
    409: "conflict",
    413: "limit",
    429: "limit",
    502: "unavailable",
    503: "unavailable",
    504: "late",
}


class WeirError(Exception):
    """A request that failed. ``kind`` says in one word what is at fault; ``str()`` is the service's own sentence."""

    def __init__(
        self,
        kind: Kind,
        message: str,
        *,
        status: int | None = None,
        errcode: int | None = None,
        answer: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.kind: Kind = kind
        self.status = status
        self.errcode = errcode
        self.answer = answer


_KINDS_OF_CODES: dict[int, Kind] = {
    -2: "unauthorized",
    -3: "missing",
    -4: "conflict",
    -5: "limit",
    -6: "unavailable",
    -7: "late",
}


def error_amid(answer: Any) -> WeirError:
    """The refusal at which an answer of status 200 broke off: its code alone says of what kind it is."""
    members = answer if isinstance(answer, dict) else {}
    code = members.get("errcode")
    code = code if isinstance(code, int) else None
    words = _words_of(members) or json.dumps(answer, ensure_ascii=False)
    return WeirError(_KINDS_OF_CODES.get(code or -1, "refused"), words, errcode=code, answer=members)


def foreign_error(where: str, why: str) -> WeirError:
    """An answer of status 200 that is none of Weir's."""
    return WeirError("foreign", f"what answers at {where} is no Weir: {why}", status=200)


def error_of(status: int, text: str, where: str) -> WeirError:
    """The error that an answer of this status and text is."""
    try:
        answer = json.loads(text)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        answer = None
    words = _words_of(answer)
    is_weir = answer is not None and (words is not None or "errcode" in answer or "errorcode" in answer)
    # A proxy before a Weir answers 502 to 504 in its own words.
    if not is_weir and status not in (502, 503, 504):
        return WeirError("foreign", f"what answers at {where} with {status} is no Weir: {_cut(text)}", status=status)
    code = (answer or {}).get("errcode", (answer or {}).get("errorcode"))
    return WeirError(
        _KINDS.get(status, "refused"),
        words or f"{where} answered {status}: {_cut(text)}",
        status=status,
        errcode=code if isinstance(code, int) else None,
        answer=answer,
    )


def _words_of(answer: Mapping[str, Any] | None) -> str | None:
    error = (answer or {}).get("error")
    if isinstance(error, str):
        return error
    return "; ".join(map(str, error)) if isinstance(error, list) and error else None


def _cut(text: str) -> str:
    return (text if len(text) <= 200 else text[:200] + "…").replace("\n", " ")
