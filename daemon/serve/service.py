"""The service: one request in, one answer out, whatever comes in."""

from __future__ import annotations

from typing import Any

from memgardend.daemon.serve import about, history, judging, records
from memgardend.daemon.serve.about import schema_document
from memgardend.daemon.serve.desk import Answer, Desk, Method
from memgardend.daemon.serve.errors import ServeError, WireError, error_of
from memgardend.daemon.serve.params import Nothing


def schema_get(desk: Desk, asked: Nothing) -> Answer:
    """This page as one JSON document."""
    return schema_document(METHODS.values())


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        *about.METHODS,
        Method("schema.get", Nothing, schema_get, tuple(schema_document(()))),
        *judging.METHODS,
        *records.METHODS,
        *history.METHODS,
    )
}
_FIELDS = {"id", "method", "params"}


class Service:
    """Answers requests, one after the other; no request, however wrong, ends it."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def handle(self, request: object) -> Answer:
        """The answer to one request, as it is to be sent."""
        request_id = id_of(request)
        try:
            result = self._answer(request)
        except Exception as error:  # noqa: BLE001 - the next request must find the service alive
            return refusal(error_of(error), request_id)
        return {"id": request_id, "ok": True, "result": result}

    def _answer(self, request: object) -> Answer:
        if not isinstance(request, dict):
            raise ServeError(WireError.INVALID_REQUEST, "a request is a JSON object")
        _check_shape(request)
        method = METHODS.get(request["method"])
        if method is None:
            raise ServeError(WireError.UNKNOWN_METHOD, field="method")
        return method.call(self._desk, method.params.model_validate(request.get("params", {})))


def id_of(request: object) -> str | int | None:
    """What a request is answered under; None where it has no id of ours."""
    request_id = request.get("id") if isinstance(request, dict) else None
    known = isinstance(request_id, str | int) and not isinstance(request_id, bool)
    return request_id if known else None


def refusal(error: ServeError, request_id: str | int | None = None) -> Answer:
    """The answer that says what is wrong."""
    return {"id": request_id, "ok": False, "error": error.to_dict()}


def _check_shape(request: dict[str, Any]) -> None:
    unknown = sorted(request.keys() - _FIELDS)
    if unknown:
        raise ServeError(WireError.INVALID_REQUEST, "unknown field", field=unknown[0])
    request_id = request.get("id")
    if isinstance(request_id, bool) or not isinstance(request_id, str | int | None):
        raise ServeError(WireError.INVALID_REQUEST, "an id is a text or a number", field="id")
    if not isinstance(request.get("method"), str):
        raise ServeError(WireError.INVALID_REQUEST, "a method is a text", field="method")
    if not isinstance(request.get("params", {}), dict):
        raise ServeError(WireError.INVALID_REQUEST, "params are an object", field="params")
