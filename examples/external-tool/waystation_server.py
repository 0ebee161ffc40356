"""Tools and external agents of a Waystation server over HTTP, with Python's standard library only. See
docs/http-tools.md and docs/external-agents.md.

Copy this file beside your program. It needs Python 3.10 or newer."""

import base64
import dataclasses
import hashlib
import hmac
import http.client
import inspect
import json
import random
import re
import socketserver
import sys
import threading
import time
import traceback
import types
import typing
import urllib.error
import urllib.request
import uuid
import wsgiref.simple_server
from concurrent.futures import Future, wait
from datetime import datetime

MAX_REQUEST = 4 * 1024 * 1024
MAX_OUTPUT = 1024 * 1024 - 100
TOLERANCE_SECONDS = 5 * 60
REMEMBERED = 10_000

later = object()
"""Return it from a tool to confirm receipt only. Store `call.answer_url`, and call `answer()` before the deadline."""


class ToolError(Exception):
    """An error whose message is meant for the model. The model does not see the messages of other errors."""


@dataclasses.dataclass(frozen=True)
class Call:
    """A call. Treat it as a secret: anyone with its `answer_url` can answer it. `id` is unique across servers."""
    id: str
    tool_name: str
    session_id: str
    agent_id: str
    answer_url: str
    deadline: datetime


@dataclasses.dataclass(frozen=True)
class AnswerResult:
    """The outcome of an answer. `status` is `accepted`, `settled` (409), `gone` (404, 410), `rejected` (the call is
    still open) or `unreachable`. `code` is the code of the server's error."""
    status: str
    code: "str | None" = None
    message: "str | None" = None


_nothing = object()


def answer(answer_url: str, output=_nothing, *, error: "str | None" = None, retry_seconds: float = 3600) -> AnswerResult:
    """Answers a call with an output, or with an error for the model. Retries after network errors, 429 and 5xx."""
    if (output is _nothing) == (error is None):
        raise TypeError("Pass either output or error.")
    body = _to_json({"output": output} if error is None else {"error": error})
    end, longest = time.monotonic() + retry_seconds, 1
    while True:
        result, asked = _attempt(answer_url, body)
        wait = max(asked, longest * random.uniform(0.5, 1))
        if result.status != "unreachable" or time.monotonic() + wait > end:
            return result
        time.sleep(wait)
        longest = min(longest * 2, 60)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def _attempt(url: str, body: bytes):
    """Sends an answer once. Returns the result, and for how many seconds the server asks to wait."""
    request = urllib.request.Request(url, data=body, headers={"content-type": "application/json"})
    try:
        urllib.request.build_opener(_NoRedirects).open(request, timeout=30).read()
        return AnswerResult("accepted"), 0
    except urllib.error.HTTPError as error:
        try:
            problem = json.loads(error.read())
            code, message = problem["code"], problem["error"]
        except (ValueError, KeyError, TypeError):
            code, message = None, f"The server responded with {error.code}."
        if error.code == 429 or error.code >= 500:
            asked = error.headers.get("retry-after", "")
            return AnswerResult("unreachable", code, message), int(asked) if asked.isdigit() else 0
        status = "settled" if error.code == 409 else "gone" if error.code in (404, 410) else "rejected"
        return AnswerResult(status, code, message), 0
    except (OSError, http.client.HTTPException) as error:
        return AnswerResult("unreachable", None, str(error)), 0


class _App:
    """A WSGI app that accepts signed requests. `_respond` returns the status and the JSON body for a verified one."""
    _kind = "program"

    def __call__(self, environ, start_response):
        length = environ.get("CONTENT_LENGTH") or "0"
        size = int(length) if length.isdigit() else MAX_REQUEST + 1
        body = environ["wsgi.input"].read(size) if size <= MAX_REQUEST else None
        headers = {name: environ.get(f"HTTP_WEBHOOK_{name.upper()}", "") for name in ("id", "timestamp", "signature")}
        headers["id"] = headers["id"] or environ.get("HTTP_IDEMPOTENCY_KEY", "")
        status, content = self._verify(environ["REQUEST_METHOD"], headers, body)
        content_type = [("content-type", "application/json"), ("cache-control", "no-store")]
        start_response(f"{status} {'OK' if status < 300 else 'Error'}", content_type)
        return [json.dumps(content).encode()]

    def _verify(self, method, headers, body):
        if method == "GET" and hasattr(self, "definition"):
            return 200, self.definition
        if method != "POST":
            return _problem(405, "METHOD_NOT_ALLOWED", "Send a POST request.")
        if body is None:
            return _problem(413, "TOO_LARGE", "The request is larger than 4 MiB.")
        if self._keys is not False and not _is_signed(self._keys, headers, body):
            return _problem(401, "UNAUTHENTICATED",
                            f"No secret of this {self._kind} signed the request in the last five minutes.")
        return self._respond(headers["id"], body)

    def _report(self, error):
        try:
            if self.on_error:
                return self.on_error(error)
        except Exception as another:
            error = another
        traceback.print_exception(error, file=sys.stderr)


def _problem(status, code, error):
    return status, {"error": error, "code": code}


def tool(**options):
    """Makes a `Tool` of a function: `@tool(secret=…)`. The options are those of `Tool`."""
    return lambda function: Tool(function, **options)


class Tool(_App):
    """A tool, and a WSGI app that answers requests: `POST` runs a call, `GET` returns the tool's definition.

    The function's parameters are the fields of the input. A parameter with the type `Call` receives the call.
    - secret: the agent's signing secret (whsec_…), or a list of them. `False` accepts unsigned requests.
    - name, description: by default the function's name and docstring.
    - input_schema, output_schema: JSON Schemas. By default, the input's comes from the type hints.
    - approval: `"ask"` or `"auto"`, which the agent's form suggests.
    - store: an object with `get(call_id)` and `set(call_id, value)` for JSON values (docs/http-tools.md).
    - confirm_after: after how many seconds a running call is confirmed. The server waits 5 seconds.
    - on_error: receives errors that the model does not see. Default: prints them."""

    def __init__(self, function, *, secret, name=None, title=None, description=None, input_schema=None,
                 output_schema=None, approval=None, store=None, confirm_after=4.0, on_error=None):
        self.function, self.name, self.store = function, name or function.__name__, store
        self.confirm_after, self.on_error, self.output_schema = confirm_after, on_error, output_schema
        self._keys, self._lock, self._calls = _keys(secret), threading.Lock(), {}
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", self.name):
            raise ValueError(f"The name {self.name!r} is not valid. Use letters, digits, - and _.")
        hints = typing.get_type_hints(function)
        self._call_parameters = [name for name, hint in hints.items() if hint is Call and name != "return"]
        self.input_schema = input_schema or _schema_of(function, hints, self._call_parameters)
        definition = {"name": self.name, "title": title, "inputSchema": self.input_schema, "outputSchema": output_schema,
                      "description": description or inspect.getdoc(function) or "", "approval": approval}
        self.definition = {key: value for key, value in definition.items() if value is not None}

    _kind = "tool"

    def _respond(self, _id, body):
        call = _read_call(body)
        if call is None:
            return _problem(400, "INVALID_INPUT", "The request is not a call of an external tool.")
        if call.pop("test"):  # An editor's test: its result is the response.
            return 200, self._run(call)
        future = self._start(call)
        done = wait([future], self.confirm_after).done
        try:
            future.recorded.result()  # Receipt is confirmed only when the store has the call.
            status = future.result() if done else "running"
        except Exception:
            return _problem(503, "UNAVAILABLE", "The store of this tool failed, so the call did not run.")
        if status in ("rejected", "unreachable"):
            return _problem(502, "ANSWER_NOT_SENT", "The tool ran, but the server did not accept its answer.")
        return 202 if status in ("running", "later") else 200, {"toolCallId": call["toolCallId"], "status": status}

    def resume(self, call: dict) -> str:
        """Continues a call that the store has without a result, after a restart. Returns its status. After the deadline,
        it does nothing. Calls that the server delivers are open, because a person can extend the deadline."""
        if _time(call["deadline"]).timestamp() <= time.time():
            return "expired"
        return self._start(call).result()

    def _start(self, call: dict) -> Future:
        """Runs a call and sends its answer, in a thread of its own. The same call again has the same future."""
        with self._lock:
            known = self._calls.get(call["toolCallId"])
            if known is not None and not (known.done() and known.again):
                return known
            future = Future()
            future.recorded, future.again, future.answer = Future(), False, known and known.answer
            self._calls[call["toolCallId"]] = future
            if len(self._calls) > REMEMBERED:
                oldest = next((key for key, one in self._calls.items() if one.done() and not one.again), None)
                self._calls.pop(oldest, None)
        threading.Thread(target=self._settle, args=(call, future)).start()
        return future

    def _settle(self, call, future):
        try:
            future.answer = future.answer or self._recorded(call)
            future.recorded.set_result(None)
            future.answer = future.answer or self._run_and_store(call)
            status = "later" if "later" in future.answer else self._send(call, future.answer)
            future.again = status in ("rejected", "unreachable")
            if not future.again:
                future.answer = None
            future.set_result(status)
        except Exception as error:  # The store failed before the run.
            self._report(error)
            future.again = True
            future.set_exception(error)
            future.recorded.set_exception(error)

    def _recorded(self, call):
        """Returns the stored result, or stores the call and returns None."""
        stored = self.store and self.store.get(call["toolCallId"])
        if stored and stored.get("result"):
            return stored["result"]
        if self.store:
            self.store.set(call["toolCallId"], {"call": call})

    def _run_and_store(self, call):
        result = self._run(call)
        try:
            if self.store:
                self.store.set(call["toolCallId"], {"call": call, "result": result})
        except Exception as error:  # The tool ran, so the answer is sent even if it could not be stored.
            self._report(error)
        return result

    def _send(self, call, result):
        sent = answer(call["answerUrl"], **result)
        if sent.status != "accepted":
            self._report(RuntimeError(f"The answer was not used: {sent.message}"))
            # The agent's schema can be stricter than the tool's. The model learns that the tool ran.
            if sent.status == "rejected" and "output" in result and sent.code in ("INVALID_INPUT", "TOO_LARGE"):
                return self._send(call, _too_large if sent.code == "TOO_LARGE" else _invalid_output)
        return sent.status

    def _run(self, call):
        """Runs a call. Each failure is an error that the model can read."""
        context = Call(call["toolCallId"], call["toolName"], call["sessionId"], call["agentId"], call["answerUrl"],
                       _time(call["deadline"]))
        try:
            wrong = _mismatch(call["input"], self.input_schema)
            if wrong:
                return _failed("INVALID_INPUT", f"The input does not match the schema of this tool. {wrong}")
            output = self.function(**call["input"], **{name: context for name in self._call_parameters})
            if output is later:
                return {"later": True}
            text = _to_json(output)
            output = json.loads(text)
            wrong = self.output_schema and _mismatch(output, self.output_schema)
            if wrong:
                raise _WrongOutput(f"The output does not match output_schema. {wrong}")
            return {"output": output} if len(text) <= MAX_OUTPUT else _too_large
        except ToolError as error:
            return {"error": str(error)[:20_000] or "The tool failed."}
        except _WrongOutput as error:
            self._report(error)
            return _invalid_output
        except BaseException as error:  # Also sys.exit(), which must not end the thread without an answer.
            self._report(error)
            return _failed("TOOL_FAILED", "The tool failed. Only its operator can see the reason.")


class ServerError(Exception):
    """An error of the Waystation server that no retry can mend. `code` is its error code, such as `KEY_REUSED`."""

    def __init__(self, status: int, code: "str | None", message: str):
        super().__init__(message)
        self.status, self.code = status, code


@dataclasses.dataclass(frozen=True)
class Session:
    """The session of a message. Each method sends a request, and retries it for ten minutes until the server has stored
    it. A `key` makes a request idempotent, also after a restart of your program."""
    id: str
    agent_id: str
    _callback_url: str
    _calls_url: str
    _keys: "list[bytes] | bool"

    def reply(self, text: str, *, key: "str | None" = None, in_reply_to: "str | None" = None) -> str:
        """Sends a reply of up to 1 MiB of Markdown. Returns the ID of the message."""
        return self._send_text(text, key, {"waystation-in-reply-to": in_reply_to} if in_reply_to else {})["messageId"]

    def stream(self, pieces: "typing.Iterable[str]", *, id: "str | None" = None) -> None:
        """Sends a reply that grows with each piece."""
        name = id or str(uuid.uuid4())
        for number, piece in enumerate(pieces):
            self._send_text(piece, f"{name}-{number}", {"waystation-message": name})
        self._send_text("", f"{name}-end", {"waystation-message": f"{name}; done"})

    def status(self, text: str, *, ttl_seconds: "int | None" = None) -> None:
        """Shows what the agent is doing. An empty text removes the line."""
        url = re.sub(r"/messages(?=\?|$)", "/status", self._callback_url)
        _send(self._keys, url, _to_json(_given(text=text, ttlSeconds=ttl_seconds)))

    def approve(self, title: str, input=None, *, input_schema: "dict | None" = None, **options) -> dict:
        """Asks people to approve something. With `input_schema`, they can edit the input."""
        return self._open("approval", title, options, input=input, inputSchema=input_schema)

    def ask(self, title: str, question: str, *, input_type: "str | None" = None, choices: "list | None" = None,
            allow_freeform: "bool | None" = None, **options) -> dict:
        """Asks people a question. `choices` are labels, or objects with `label` and `description`."""
        labels = choices and [one if isinstance(one, dict) else {"label": one} for one in choices]
        asked = _given(question=question, inputType=input_type, options=labels, allowFreeform=allow_freeform)
        return self._open("question", title, options, question=asked)

    def form(self, title: str, output_schema: dict, **options) -> dict:
        """Asks people to complete a form."""
        return self._open("form", title, options, outputSchema=output_schema)

    def connect(self, title: str, integration: str, *, slug: "str | None" = None, **options) -> dict:
        """Asks people to connect an account. The result has a `fetchUrl`."""
        return self._open("connection", title, options, integration=integration, slug=slug)

    def _open(self, kind, title, options, **fields) -> dict:
        """Opens a call. The options are those of every request: detail, deadline_seconds, on_deadline, answer_policy, key."""
        key = options.pop("key", None)
        named = {re.sub(r"_(.)", lambda found: found[1].upper(), name): value for name, value in options.items()}
        return _send(self._keys, self._calls_url, _to_json(_given(kind=kind, title=title, **fields, **named)), key)

    def _send_text(self, text, key, headers):
        return _send(self._keys, self._callback_url, text.encode(), key,
                     {"content-type": "text/plain; charset=utf-8", **headers})


def _given(**fields):
    return {name: value for name, value in fields.items() if value is not None}


def wait_for_call(call: dict) -> dict:
    """Waits until a call is settled, and returns it. To survive restarts, use `on_settled` instead."""
    while True:
        seen = _send(False, call["callUrl"] + "&wait=50", None, method="GET")
        if seen["state"] != "open":
            return seen


def cancel_call(call: dict) -> dict:
    """Cancels an open call. Raises `ServerError` with the code `ALREADY_SETTLED` if it was answered."""
    return _send(False, call["callUrl"], None, method="DELETE")


def _send(keys, url, body, key=None, headers=None, method="POST"):
    """Sends a signed request and returns the JSON of the response. Retries after network errors, 429 and 5xx."""
    key, end, longest = key or str(uuid.uuid4()), time.monotonic() + 600, 1
    while True:
        request = urllib.request.Request(url, data=body, method=method)
        for name, value in {**_signed(keys, key, body or b""), "idempotency-key": key, "content-type": "application/json",
                            **(headers or {})}.items():
            request.add_header(name, value)
        try:
            text = urllib.request.build_opener(_NoRedirects).open(request, timeout=60).read()
            return json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            failure, asked = _server_error(error), error.headers.get("retry-after", "")
            if error.code != 429 and error.code < 500:
                raise failure from None
        except (OSError, http.client.HTTPException) as error:
            failure, asked = error, ""
        wait_seconds = max(int(asked) if asked.isdigit() else 0, longest * random.uniform(0.5, 1))
        if time.monotonic() + wait_seconds > end:
            raise failure
        time.sleep(wait_seconds)
        longest = min(longest * 2, 30)


def _server_error(error):
    try:
        problem = json.loads(error.read())
        return ServerError(error.code, problem["code"], problem["error"])
    except (ValueError, KeyError, TypeError):
        return ServerError(error.code, None, f"The server responded with {error.code}.")


def _signed(keys, key, body):
    if not keys:
        return {}
    at = str(int(time.time()))
    digest = hmac.digest(keys[0], f"{key}.{at}.".encode() + body, hashlib.sha256)
    return {"webhook-id": key, "webhook-timestamp": at, "webhook-signature": "v1," + base64.b64encode(digest).decode()}


class ExternalAgent(_App):
    """An external agent, and a WSGI app that receives its messages.

    - on_message(message, session): processes a message of a user, or a signal of another system.
    - on_settled(call, session): processes the outcome of a call that the agent opened.
    - on_cancel(session), on_other(message, session): stop the work of a session, and process other messages.
    - secret: the agent's signing secret (whsec_…), or a list of them. `False` accepts unsigned requests.
    - store: an object with `begin(delivery_id, delivery)`, which returns False if that delivery has ended, and
      `end(delivery_id)`. Without one, a restart loses what the program was processing.
    - confirm_after: after how many seconds a delivery is confirmed while it is processed. The server waits 5 seconds.
    - on_error: receives errors of your functions. Default: prints them.

    If a function fails before the delivery is confirmed, the server can retry. Give replies and calls a key."""
    _kind = "agent"

    def __init__(self, *, secret, on_message, on_settled=None, on_cancel=None, on_other=None, name="agent", store=None,
                 confirm_after=4.0, on_error=None):
        self.name, self.store, self.confirm_after, self.on_error = name, store, confirm_after, on_error
        self.on_message, self.on_settled, self.on_cancel, self.on_other = on_message, on_settled, on_cancel, on_other
        self._keys, self._lock, self._running = _keys(secret), threading.Lock(), {}

    def resume(self, delivery_id: str, delivery: dict) -> None:
        """Processes a stored delivery that was begun and not ended, after a restart."""
        self._work(delivery_id, delivery)

    def _respond(self, delivery_id, body):
        delivery = _read_delivery(body)
        if delivery is None or not delivery_id:
            return _problem(400, "INVALID_INPUT", "The request is not a message of a Waystation server.")
        if delivery["message"]["type"] == "test":
            return 200, {"ok": True}
        future = self._start(delivery_id, delivery)
        if not wait([future], self.confirm_after).done:
            return 202, {"ok": True}
        if future.exception() is not None:
            return _problem(500, "AGENT_FAILED", "The agent failed to process this message.")
        return 200, {"ok": True}

    def _start(self, delivery_id, delivery) -> Future:
        """Processes a delivery in a thread of its own. The same delivery again has the same future."""
        with self._lock:
            if delivery_id in self._running:
                return self._running[delivery_id]
            future = self._running[delivery_id] = Future()
            if len(self._running) > REMEMBERED:
                self._running.pop(next(iter(self._running)))
        threading.Thread(target=self._settle, args=(delivery_id, delivery, future)).start()
        return future

    def _settle(self, delivery_id, delivery, future):
        try:
            if self.store is None or self.store.begin(delivery_id, delivery) is not False:
                self._work(delivery_id, delivery)
            future.set_result(None)
        except BaseException as error:  # Also sys.exit(), which must not end the thread without a response.
            with self._lock:
                self._running.pop(delivery_id, None)
            self._report(error)
            future.set_exception(error)

    def _work(self, delivery_id, delivery):
        message = delivery["message"]
        session = Session(delivery["sessionId"], delivery["agentId"], delivery["callbackUrl"],
                          delivery.get("callsUrl", ""), self._keys)
        kind = message["type"]
        if kind in ("user", "oob"):
            self.on_message(message, session)
        elif kind == "cancel":
            self.on_cancel and self.on_cancel(session)
        else:
            receive = self.on_settled if kind == "call.settled" else self.on_other
            receive and receive(message, session)
        if self.store is not None:
            self.store.end(delivery_id)


def _read_delivery(body: bytes):
    try:
        delivery = json.loads(body)
        texts = [delivery[name] for name in ("sessionId", "agentId", "callbackUrl")] + [delivery["message"]["type"]]
        return delivery if all(isinstance(text, str) for text in texts) else None
    except (ValueError, KeyError, TypeError):
        return None


class _Server(socketserver.ThreadingMixIn, wsgiref.simple_server.WSGIServer):
    daemon_threads = True


class _Handler(wsgiref.simple_server.WSGIRequestHandler):
    timeout = 30

    def log_message(self, *_):
        pass


def serve(*apps: _App, host: str = "127.0.0.1", port: int = 4002) -> None:
    """Serves each tool at `/<name>`, and an agent at `/agent`, until the program ends. Put a proxy with TLS in front."""
    by_path = {f"/{one.name}": one for one in apps}

    def app(environ, start_response):
        one = by_path.get(environ["PATH_INFO"])
        if one is not None:
            return one(environ, start_response)
        start_response("404 Not Found", [("content-type", "text/plain")])
        return [b"There is no such tool or agent."]

    server = wsgiref.simple_server.make_server(host, port, app, _Server, _Handler)
    # One write for the line and its end, because apps print in other threads.
    print(f"Listening on http://{host}:{server.server_port}\n", end="", flush=True)
    server.serve_forever()


def _keys(secret):
    if secret is False:
        return False
    secrets = [one for one in (secret if isinstance(secret, (list, tuple)) else [secret]) if one is not None]
    try:
        keys = [base64.b64decode(one.removeprefix("whsec_"), validate=True) for one in secrets]
    except ValueError:
        keys = [b""]
    if not keys:
        raise ValueError("secret is not set. Use the signing secret of the agent, or False to accept unsigned requests.")
    if any(len(key) < 16 for key in keys):
        raise ValueError("secret is not a signing secret. Copy it completely (whsec_…).")
    return keys


def _is_signed(keys, headers, body: bytes) -> bool:
    """Verifies a Standard Webhooks signature with any of the keys, in constant time."""
    message_id, at = headers["id"], headers["timestamp"]
    if not message_id or not re.fullmatch(r"[0-9]{1,12}", at) or abs(int(time.time()) - int(at)) > TOLERANCE_SECONDS:
        return False
    given = [one.encode() for one in headers["signature"].split(" ")]
    expected = [b"v1," + base64.b64encode(hmac.digest(key, f"{message_id}.{at}.".encode() + body, hashlib.sha256))
                for key in keys]
    return any([hmac.compare_digest(one, other) for one in given for other in expected])


def _read_call(body: bytes):
    names = ("toolCallId", "toolName", "sessionId", "agentId", "answerUrl", "deadline")
    try:
        call = json.loads(body)
        if call["type"] != "call.opened" or not all(isinstance(call[name], str) for name in names):
            return None
        if not call["answerUrl"].startswith(("http://", "https://")):
            return None
        _time(call["deadline"])
        return {**{name: call[name] for name in names}, "input": call.get("input"),
                "test": call.get("test") is True}
    except (ValueError, KeyError, TypeError):
        return None


class _WrongOutput(ValueError):
    pass


def _to_json(output) -> bytes:
    try:
        return json.dumps(output, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise _WrongOutput(f"The output is not JSON. {error}") from error


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _failed(code: str, text: str):
    return {"error": f"{code}: {text}"[:20_000]}


_invalid_output = _failed("INVALID_OUTPUT", "The tool ran, but its output is not JSON or does not match its schema.")
_too_large = _failed("OUTPUT_TOO_LARGE", "The tool ran, but its output is larger than 1 MiB.")

_types = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list, "object": dict,
          "null": type(None)}


def _mismatch(value, schema, path=""):
    """Returns how a value differs from a JSON Schema, or None. Knows type, enum, anyOf, properties, required,
    additionalProperties and items. Check the rest in your function."""
    def at(text):
        return f"{path}: {text}" if path else text
    if "anyOf" in schema and all(_mismatch(value, one, path) for one in schema["anyOf"]):
        return at("has none of the allowed forms")
    if "enum" in schema and value not in schema["enum"]:
        return at(f"is not one of {json.dumps(schema['enum'])}")
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(isinstance(value, _types[kind]) and (kind == "boolean" or not isinstance(value, bool))
                         for kind in kinds):
        return at(f"is not of the type {' or '.join(kinds)}")
    if isinstance(value, dict):
        missing = [name for name in schema.get("required", []) if name not in value]
        if missing:
            return at(f"{missing[0]} is missing")
        known, rest = schema.get("properties", {}), schema.get("additionalProperties", True)
        for name, one in value.items():
            if name not in known and rest is False:
                return at(f"{name} is not a known field")
            inner = known.get(name, rest if isinstance(rest, dict) else {})
            wrong = _mismatch(one, inner, f"{path}.{name}".lstrip("."))
            if wrong:
                return wrong
    if isinstance(value, list) and "items" in schema:
        return next(filter(None, (_mismatch(one, schema["items"], f"{path}.{index}".lstrip("."))
                                  for index, one in enumerate(value))), None)
    return None


def _schema_of(function, hints, left_out):
    properties, required = {}, []
    for name, parameter in inspect.signature(function).parameters.items():
        if name in left_out:
            continue
        properties[name] = _schema_of_hint(name, hints.get(name, typing.Any))
        if parameter.default is parameter.empty:
            required.append(name)
        elif parameter.default is not None:
            properties[name]["default"] = parameter.default
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _schema_of_hint(name, hint):
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint is typing.Any:
        return {}
    if origin is typing.Literal:
        return {"enum": list(arguments)}
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [_schema_of_hint(name, one) for one in arguments]}
    for kind, python_type in {**_types, "number": float}.items():
        if hint is python_type:
            return {"type": kind}
        if origin is python_type and kind == "array":
            return {"type": kind, "items": _schema_of_hint(name, arguments[0])}
    raise TypeError(f"The type of the parameter {name} has no JSON Schema. Pass input_schema.")
