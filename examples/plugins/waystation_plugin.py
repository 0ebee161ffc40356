"""A library for gRPC plugins of Waystation, in one file. Copy it beside the code that protoc generates from proto/.

    from waystation_plugin import Plugin

    plugin = Plugin("echo", version="1.0.0", description="Returns its input")

    @plugin.tool
    def echo(text: str) -> str:
        "Returns its input."
        return text

    plugin.serve("127.0.0.1:9010")

docs/plugins-grpc.md describes the library and the whole contract.
"""

from __future__ import annotations

import dataclasses
import enum
import hmac
import inspect
import io
import json
import os
import re
import sys
import threading
import traceback
import types
import typing
from concurrent import futures
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, Iterator, Mapping
from urllib.parse import unquote

import grpc
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

try:
    import lifecycle_pb2
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"{error}. Generate the gRPC code beside waystation_plugin.py with protoc.") from None
import lifecycle_pb2_grpc
import llm_pb2
import llm_pb2_grpc
import platform_pb2
import platform_pb2_grpc
import plugin_pb2
import plugin_pb2_grpc
import tool_pb2
import tool_pb2_grpc
import view_pb2
import view_pb2_grpc

# sys.exit() in a handler ends only its thread, and the call would never get an answer.
FAILURES = (Exception, SystemExit)
Json = Any
Settings = Mapping[str, Any]
MAX_MESSAGE = 16 * 1024 * 1024


class PluginError(Exception):
    """An error with a gRPC status, for example "RESOURCE_EXHAUSTED". Any other exception has the status UNKNOWN."""

    def __init__(self, status: str, message: str):
        super().__init__(message)
        if status not in grpc.StatusCode.__members__:
            raise ValueError(f"“{status}” is not a gRPC status. Use for example NOT_FOUND.")
        self.status = grpc.StatusCode[status]


@dataclass
class Context:
    """The context of a call, for its handler. An ID is None if the server did not send it."""

    settings: Settings
    env: Mapping[str, str]
    # Set when the call ends: the deadline passed, a user stopped the turn, or the handler returned.
    ended: threading.Event
    workspace_id: str | None = None
    session_id: str | None = None
    user_id: str | None = None
    call_id: str | None = None
    idempotency_key: str | None = None
    agent_name: str = ""
    user_email: str = ""

    def converse(self, text: str, history: Iterable[dict] = ()) -> Iterator[Any]:
        """Runs a conversation with the workspace's default agent. The last event is "finish" or "error". A stream can
        yield the events to a chat."""
        if "PLATFORM_HOST_ADDR" not in self.env:
            why = "The server sent no PLATFORM_HOST_ADDR, so the plugin cannot call it."
            raise PluginError("FAILED_PRECONDITION", why)
        metadata = [("authorization", f"Bearer {self.env['PLATFORM_HOST_TOKEN']}")]
        messages = [platform_pb2.ChatMessageProto(**message) for message in history]
        request = platform_pb2.ConversationRequest(
            workspace_id=self.workspace_id or "default", input=text, history=messages
        )
        with grpc.insecure_channel(self.env["PLATFORM_HOST_ADDR"]) as channel:
            yield from platform_pb2_grpc.PlatformHostStub(channel).RunConversation(request, metadata=metadata)


@dataclass
class Request:
    """A request from a view. `params` has the values of `{name}` in the route's path, and of a final `*`."""

    method: str
    path: str
    params: dict[str, str]
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Json:
        """Parses the body. None if it is not JSON."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None


@dataclass
class View:
    name: str
    label: str
    icon: str
    scope: str
    render: Callable
    routes: list[tuple[str, str, Callable]] = field(default_factory=list)

    def route(self, method: str, path: str) -> Callable:
        """Decorates the handler of a request of this view, handler(request, context). It returns JSON, or a status and
        JSON."""

        def add(handler: Callable) -> Callable:
            self.routes.append((method, path, _takes(handler, "request")))
            return handler

        return add


class Plugin:
    """A plugin. The decorated functions determine its capabilities."""

    def __init__(
        self,
        name: str,
        version: str,
        description: str,
        author: str = "Unknown",
        settings: Mapping[str, dict] | None = None,
        manifest: str | None = None,
    ):
        self.name, self.version, self.fields = name, version, dict(settings or {})
        attributes = {"version": version, "description": description, "author": author}
        self.manifest = manifest or _manifest(name, attributes, self.fields)
        self.tools: dict[str, tuple[str, dict, Callable]] = {}
        self.hooks: dict[str, Callable] = {}
        self.views: dict[str, View] = {}
        self._model: Callable | None = None
        self._stream: Callable | None = None
        self._register: Callable = lambda settings, env: None
        self._health: Callable[[], bool] = lambda: True
        # By workspace, because a remote plugin can serve several.
        self._registered: dict[str | None, tuple[Settings, Mapping[str, str]]] = {}

    def tool(self, function: Callable | None = None, *, name="", description="", parameters: dict | None = None):
        """Decorates a tool. Its name, description and JSON Schema come from the function, its docstring and its type
        hints. A parameter named `context` or with the hint Context receives the context. If it raises, the model
        receives the message."""

        def add(run: Callable) -> Callable:
            text, schema = description or inspect.getdoc(run) or "", parameters or _schema(_sync(run))
            _add(self.tools, "tool", name or run.__name__, (text, schema, _reads(_sync(run), parameters)))
            return run

        return add if function is None else add(function)

    def hook(self, event: str) -> Callable:
        """Decorates the hook of an event, hook(payload, context). It returns None, "CANCEL" or {"modify": payload}."""
        events = lifecycle_pb2.EventType.keys()
        if event not in events:
            raise ValueError(f"{event!r} is not an event. Use @plugin.hook with one of: {', '.join(events)}.")

        def add(run: Callable) -> Callable:
            _add(self.hooks, "hook", event, _takes(run, "payload"))
            return run

        return add

    def model(self, run: Callable) -> Callable:
        """Decorates the generator of a model's answer, model(request, context). The last part is
        {"type": "finish", "reason": "stop"}."""
        self._model = _takes(run, "request")
        return run

    def view(self, name: str, label: str, icon: str = "", scope: str = "workspace") -> Callable[[Callable], View]:
        """Decorates the function that renders a view, render(params, context): a list of components, or HCL."""

        def add(render: Callable) -> View:
            return _add(self.views, "view", name, View(name, label, icon, scope, _takes(render, "params")))

        return add

    def stream(self, run: Callable) -> Callable:
        """Decorates the generator of the messages to a browser, stream(messages, context). It receives bytes, and
        yields bytes, text or JSON."""
        self._stream = _takes(run, "messages")
        return run

    def register(self, run: Callable) -> Callable:
        """Decorates a function of the settings and variables, register(settings, env), called at each start. If it
        raises, the plugin does not serve and shows the reason."""
        self._register = _takes(run, "settings", "env")
        return run

    def health(self, run: Callable[[], bool]) -> Callable[[], bool]:
        self._health = _sync(run)
        return run

    def serve(self, listen: str = "127.0.0.1:0", threads: int = 64) -> None:
        """Serves the plugin until the server that started it ends. Each open call and stream uses one thread."""
        token = os.environ.get("PLUGIN_TOKEN")
        # Without this, a line that a handler prints is in the plugin's log only after 8 KB.
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(line_buffering=True)
        limits = [
            ("grpc.max_receive_message_length", MAX_MESSAGE),
            ("grpc.max_send_message_length", MAX_MESSAGE),
            # Otherwise, two programs can share a port, and each receives only some of the calls.
            ("grpc.so_reuseport", 0),
        ]
        server = grpc.server(
            futures.ThreadPoolExecutor(max_workers=threads),
            interceptors=[_OnlyThePlatform(token)] if token else [],
            options=limits,
        )
        plugin_pb2_grpc.add_PluginServicer_to_server(_Self(self), server)
        if self.tools:
            tool_pb2_grpc.add_ToolProviderServicer_to_server(_Tools(self), server)
        if self.hooks:
            lifecycle_pb2_grpc.add_LifecycleHookServicer_to_server(_Hooks(self), server)
        if self._model:
            llm_pb2_grpc.add_LLMProviderServicer_to_server(_Model(self), server)
        if self.views:
            view_pb2_grpc.add_ViewProviderServicer_to_server(_Views(self), server)
        address = os.environ.get("PLUGIN_LISTEN_ADDR", listen)
        try:
            port = server.add_insecure_port(address)
        except RuntimeError:
            port = 0
        if port == 0:
            sys.exit(f"The plugin cannot listen on {address}. Perhaps another program uses the port.")
        server.start()
        print(f"1|1|tcp|127.0.0.1:{port}|grpc", flush=True)
        if token:
            # The server started this process. If its input closes, the server has ended.
            threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
        try:
            server.wait_for_termination()
        except KeyboardInterrupt:
            server.stop(None)

    def _context(self, call: grpc.ServicerContext, **known: Any) -> Context:
        # Metadata is ASCII, so other characters are percent-encoded.
        sent = _metadata(call)
        ids = {
            "workspace_id": sent.get("x-waystation-workspace"),
            "session_id": sent.get("x-waystation-session"),
            "user_id": sent.get("x-waystation-user"),
            "call_id": sent.get("x-waystation-call"),
            "idempotency_key": sent.get("x-waystation-idempotency-key"),
        }
        ended = threading.Event()
        if not call.add_callback(ended.set):
            ended.set()
        ids = {**known, **{name: value for name, value in ids.items() if value is not None}}
        # A workspace never receives the values of another one. Tests and old servers register without a workspace.
        without = self._registered.get(None, ({}, os.environ))
        settings, env = self._registered.get(ids.get("workspace_id"), without)
        return Context(settings, env, ended, **ids)


def _metadata(call: grpc.ServicerContext) -> dict[str, str]:
    """Returns the texts of a call's metadata."""
    return {name: unquote(value) for name, value in call.invocation_metadata() if isinstance(value, str)}


class _Service:
    def __init__(self, plugin: Plugin):
        self.plugin = plugin


def _fail(call: grpc.ServicerContext, error: BaseException) -> None:
    """Ends the call with the status of an error. A defect is written to the plugin's log."""
    if isinstance(error, PluginError):
        call.abort(error.status, str(error))
    traceback.print_exception(error)
    call.abort(grpc.StatusCode.UNKNOWN, _why(error))


def _why(error: BaseException) -> str:
    """Returns the message of an error. The type is added to a message of one word, such as the key of a KeyError."""
    text = str(error)
    if " " not in text or isinstance(error, (KeyError, SystemExit)):
        return f"{type(error).__name__}: {text}".removesuffix(": ")
    return text


def _takes(run: Callable, *names: str) -> Callable:
    """Checks the parameters of a handler, so that a wrong one fails at the start and not at its first call."""
    wanted = names if "env" in names else (*names, "context")
    try:
        inspect.signature(_sync(run)).bind(*wanted)
    except TypeError:
        raise TypeError(f"Define {run.__name__} with the parameters ({', '.join(wanted)}).") from None
    return run


def _sync(run: Callable) -> Callable:
    """Refuses a coroutine, because each call runs in a thread of its own, without an event loop."""
    if inspect.iscoroutinefunction(run) or inspect.isasyncgenfunction(run):
        raise ValueError(f"Define {run.__name__} with def, not async def. Inside it, you can use asyncio.run(…).")
    return run


def _add(known: dict, kind: str, name: str, value: Any) -> Any:
    if name in known:
        raise ValueError(f"The plugin has two {kind}s “{name}”. Remove one of them.")
    known[name] = value
    return value


class _Self(_Service, plugin_pb2_grpc.PluginServicer):
    def Register(self, request, call):
        plugin = self.plugin
        try:
            settings = {name: _setting(name, about, request.config.get(name)) for name, about in plugin.fields.items()}
            env = {**os.environ, **request.env_vars}
            plugin._register(settings, env)
        except FAILURES as error:
            _fail(call, error)
        plugin._registered[_metadata(call).get("x-waystation-workspace")] = (settings, env)
        capabilities = [
            *([plugin_pb2.TOOL_PROVIDER] if plugin.tools else []),
            *([plugin_pb2.LIFECYCLE_HOOK] if plugin.hooks else []),
            *([plugin_pb2.LLM_PROVIDER] if plugin._model else []),
            *([plugin_pb2.VIEW_PROVIDER] if plugin.views else []),
        ]
        metadata = {"version": plugin.version}
        if plugin.hooks:
            metadata["lifecycle_events"] = ",".join(plugin.hooks)
        return plugin_pb2.RegisterResponse(name=plugin.name, capabilities=capabilities, metadata=metadata)

    def Health(self, request, call):
        status = plugin_pb2.SERVING if self.plugin._health() else plugin_pb2.NOT_SERVING
        return plugin_pb2.HealthResponse(status=status)

    def GetManifest(self, request, call):
        return plugin_pb2.GetManifestResponse(manifest_hcl=self.plugin.manifest)


class _Tools(_Service, tool_pb2_grpc.ToolProviderServicer):
    def ListTools(self, request, call):
        tools = [
            tool_pb2.ToolDefinition(name=name, description=text, parameters_json_schema=json.dumps(schema))
            for name, (text, schema, _) in self.plugin.tools.items()
        ]
        return tool_pb2.ListToolsResponse(tools=tools)

    def ExecuteTool(self, request, call):
        if request.name not in self.plugin.tools:
            return self._failed(f"There is no tool “{request.name}”.")
        _, _, run = self.plugin.tools[request.name]
        try:
            args = json.loads(request.arguments_json or "{}")
            return tool_pb2.ExecuteToolResponse(result_json=_json(run(args, self.plugin._context(call))))
        except FAILURES as error:
            if not isinstance(error, PluginError):
                traceback.print_exception(error)
            return self._failed(_why(error))

    def _failed(self, why: str):
        return tool_pb2.ExecuteToolResponse(result_json=json.dumps(why), is_error=True)


class _Hooks(_Service, lifecycle_pb2_grpc.LifecycleHookServicer):
    def OnEvent(self, request, call):
        run = self.plugin.hooks.get(lifecycle_pb2.EventType.Name(request.type))
        try:
            context = self.plugin._context(call, agent_name=request.agent_name)
            result = run and run(json.loads(request.payload_json), context)
            if result is None:
                return lifecycle_pb2.LifecycleEventResponse(action=lifecycle_pb2.CONTINUE)
            if result == "CANCEL":
                return lifecycle_pb2.LifecycleEventResponse(action=lifecycle_pb2.CANCEL)
            if isinstance(result, dict) and result.keys() == {"modify"}:
                payload = _json(result["modify"]).encode()
                return lifecycle_pb2.LifecycleEventResponse(action=lifecycle_pb2.MODIFY, modified_payload_json=payload)
            allowed = 'None, "CANCEL" or {"modify": payload}'
            raise ValueError(f"A hook cannot return {result!r:.200}. Return {allowed}.")
        except FAILURES as error:
            _fail(call, error)


REASONS = {"stop": llm_pb2.STOP, "tool-use": llm_pb2.TOOL_USE, "max-tokens": llm_pb2.MAX_TOKENS}


class _Model(_Service, llm_pb2_grpc.LLMProviderServicer):
    def Complete(self, request, call):
        try:
            last = ""
            for part in self.plugin._model(request, self.plugin._context(call)):
                read = self._part(part, last)
                last = read.tool_call_delta.id or last
                yield read
        except FAILURES as error:
            if call.is_active():
                _fail(call, error)

    def _part(self, part: dict, last: str):
        """Reads a part. A piece of a tool call without an ID continues the last call. Raises a ValueError that quotes
        the part."""
        try:
            given = dict(part)
            kind = given.pop("type")
            if kind == "text":
                return llm_pb2.CompleteResponse(delta=llm_pb2.Delta(content=given["text"]))
            if kind == "tool-call":
                id = given.get("id") or (None if "name" in given else last)
                if not id:
                    raise KeyError("id")
                delta = llm_pb2.ToolCallDelta(id=id, name=given.get("name"), arguments_chunk=given["chunk"])
                return llm_pb2.CompleteResponse(tool_call_delta=delta)
            if kind == "usage":
                return llm_pb2.CompleteResponse(usage=llm_pb2.Usage(**given))
            if kind == "finish":
                return llm_pb2.CompleteResponse(finish=llm_pb2.FinishEvent(reason=REASONS[given["reason"]]))
        except (KeyError, TypeError, ValueError):
            pass
        raise ValueError(f"A model cannot yield {part!r:.200}. docs/plugins-grpc.md lists its parts.")


class _Views(_Service, view_pb2_grpc.ViewProviderServicer):
    def ListViews(self, request, call):
        views = [
            view_pb2.ViewDefinition(
                name=view.name,
                label=view.label,
                icon=view.icon,
                scope=view.scope,
                routes=[view_pb2.RouteDefinition(method=method, path=path) for method, path, _ in view.routes],
            )
            for view in self.plugin.views.values()
        ]
        return view_pb2.ListViewsResponse(views=views)

    def RenderView(self, request, call):
        view = self.plugin.views.get(request.view_name)
        if view is None:
            call.abort(grpc.StatusCode.NOT_FOUND, f"There is no view “{request.view_name}”.")
        try:
            content = view.render(dict(request.params), self.plugin._context(call, workspace_id=request.workspace_id))
            return view_pb2.RenderViewResponse(
                component_hcl=content if isinstance(content, str) else write_view(content)
            )
        except FAILURES as error:
            _fail(call, error)

    def HandleRoute(self, request, call):
        for method, pattern, handler in [route for view in self.plugin.views.values() for route in view.routes]:
            params = _match(pattern, request.path) if method == request.method else None
            if params is None:
                continue
            try:
                read = Request(method, request.path, params, request.query, request.headers, request.body)
                return self._reply(handler(read, self.plugin._context(call)))
            except FAILURES as error:
                _fail(call, error)
        return self._reply((404, {"error": f"There is no {request.method} {request.path}."}))

    def HandleStream(self, messages, call):
        first = next(messages, None)
        known = dict(first.metadata) if first else {}
        if self.plugin._stream is None:
            call.abort(grpc.StatusCode.NOT_FOUND, "This plugin has no stream.")
        try:
            for output in self.plugin._stream((message.data for message in messages), self.plugin._context(call, **known)):
                yield view_pb2.StreamMessage(data=_bytes(output))
        except FAILURES as error:
            if call.is_active():
                _fail(call, error)

    def _reply(self, reply):
        status, content = reply if isinstance(reply, tuple) else (200, reply)
        if isinstance(content, (bytes, str)):
            return view_pb2.RouteResponse(status_code=status, body=_bytes(content))
        headers = {"content-type": "application/json"}
        return view_pb2.RouteResponse(status_code=status, body=_bytes(content), headers=headers)


class _OnlyThePlatform(grpc.ServerInterceptor):
    """Other programs on this machine can reach the port too, so only callers with the token get a response."""

    def __init__(self, token: str):
        self.expected = f"Bearer {token}".encode()

    def intercept_service(self, continuation, details):
        given = str(dict(details.invocation_metadata).get("authorization", ""))
        if hmac.compare_digest(given.encode(), self.expected):
            return continuation(details)
        refuse = lambda request, call: call.abort(grpc.StatusCode.UNAUTHENTICATED, "Send PLUGIN_TOKEN.")
        return grpc.unary_unary_rpc_method_handler(refuse)


def _bytes(output: Any) -> bytes:
    if isinstance(output, bytes):
        return output
    return (output if isinstance(output, str) else _json(output)).encode()


def _json(value: Any) -> str:
    """Writes JSON. A dataclass becomes an object, and an enum its value."""
    return json.dumps(value, default=_plain)


def _plain(value: Any) -> Json:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, Message):
        return MessageToDict(value, preserving_proto_field_name=True)
    raise TypeError(f"A value of the type {type(value).__name__} cannot be written as JSON.")


def _setting(name: str, about: dict, given: str | None) -> Any:
    """Reads a setting. Raises a PluginError that names it."""

    def invalid(why: str) -> PluginError:
        return PluginError("INVALID_ARGUMENT", f"The setting “{name}” {why}.")

    kind, default = about.get("type", "string"), about.get("default")
    text = given or (None if default is None else _text(default))
    if text is None:
        if about.get("required"):
            raise invalid("has no value. Set it in the plugin's form or in the workspace file")
        return None
    options = [_text(option["value"] if isinstance(option, dict) else option) for option in about.get("options") or []]
    if options and text not in options:
        raise invalid(f"has an unknown value. Use one of: {', '.join(options)}")
    if kind == "string":
        return text
    if kind == "bool":
        if text not in ("true", "false"):
            raise invalid("is neither true nor false")
        return text == "true"
    try:
        return float(text) if "." in text or "e" in text.lower() else int(text)
    except ValueError:
        raise invalid("is not a number") from None


def _text(value: Any) -> str:
    return json.dumps(value) if isinstance(value, bool) else str(value)


TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", dict: "object", list: "array"}
UNIONS = (typing.Union, types.UnionType)


def _parameters(run: Callable) -> dict[str, inspect.Parameter]:
    """Returns a tool's parameters, with their type hints as annotations."""
    hints = typing.get_type_hints(run, include_extras=True)
    known = inspect.signature(run).parameters
    return {name: parameter.replace(annotation=hints.get(name, Any)) for name, parameter in known.items()}


def _is_context(parameter: inspect.Parameter) -> bool:
    return parameter.name == "context" or parameter.annotation in (Context, "Context")


def _schema(run: Callable) -> dict:
    """Makes a JSON Schema of a function's type hints."""
    parameters = [parameter for parameter in _parameters(run).values() if not _is_context(parameter)]
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            why = f"The schema of the tool {run.__name__} cannot come from “{parameter}”."
            raise TypeError(f"{why} Set parameters={{…}}.")
    fields = {parameter.name: (parameter.annotation, parameter.default) for parameter in parameters}
    return _object(fields, f"the tool {run.__name__}")


def _object(fields: dict[str, tuple[Any, Any]], owner: str) -> dict:
    """Makes the schema of an object from the types and defaults of its fields."""
    properties = {}
    for name, (hint, default) in fields.items():
        properties[name] = _type(hint, f"“{name}” of {owner}")
        if default is not inspect.Parameter.empty and default is not None:
            try:
                properties[name] |= {"default": json.loads(_json(default))}
            except (TypeError, ValueError):
                pass
    required = [name for name, (_, default) in fields.items() if default is inspect.Parameter.empty]
    return {"type": "object", "properties": properties, "required": required}


def _fields(hint: Any) -> dict[str, tuple[Any, Any]] | None:
    """Returns the types and defaults of the fields of a dataclass or TypedDict."""
    if not isinstance(hint, type):
        return None
    if typing.is_typeddict(hint):
        hints, missing = typing.get_type_hints(hint), inspect.Parameter.empty
        return {name: (kind, missing if name in hint.__required_keys__ else None) for name, kind in hints.items()}
    if not dataclasses.is_dataclass(hint):
        return None
    hints = typing.get_type_hints(hint, include_extras=True)
    return {field.name: (hints[field.name], _default(field)) for field in dataclasses.fields(hint) if field.init}


def _default(field: dataclasses.Field) -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return inspect.Parameter.empty if field.default is dataclasses.MISSING else field.default


def _type(hint: Any, owner: str) -> dict:
    """Makes the schema of a type hint."""
    origin, args = typing.get_origin(hint) or hint, typing.get_args(hint)
    if hint is Any:
        return {}
    if origin is typing.Annotated or hasattr(hint, "__metadata__"):
        texts = [text for text in hint.__metadata__ if isinstance(text, str)]
        return {**_type(hint.__origin__, owner), **({"description": " ".join(texts)} if texts else {})}
    if origin is typing.Literal:
        return {"enum": list(args)}
    if origin in UNIONS:
        kinds = [{"type": "null"} if kind is type(None) else _type(kind, owner) for kind in args]
        return {} if {} in kinds else {"anyOf": kinds}
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return {"enum": [member.value for member in hint]}
    fields = _fields(hint)
    if fields is not None:
        return _object(fields, hint.__name__)
    if origin is list and args:
        return {"type": "array", "items": _type(args[0], owner)}
    if origin is dict and args and args[0] is str:
        return {"type": "object", "additionalProperties": _type(args[1], owner)}
    if origin in TYPES:
        return {"type": TYPES[origin]}
    raise TypeError(f"The type of {owner} has no JSON Schema: {hint!r}. Use another type, or set parameters={{…}}.")


def _reads(run: Callable, parameters: dict | None) -> Callable[[dict, Context], Any]:
    """Wraps a tool, so that it receives the context, and dataclasses and enums as their hints say."""
    known = _parameters(run) if parameters is None else {}
    hints = {name: parameter.annotation for name, parameter in known.items()}
    names = [name for name, parameter in inspect.signature(run).parameters.items() if _is_context(parameter)]

    def read(args: dict, context: Context) -> Any:
        values = {name: _value(hints.get(name, Any), value) for name, value in args.items()}
        return run(**values, **{name: context for name in names})

    return read


def _value(hint: Any, value: Json) -> Any:
    """Reads a JSON value as the type of a hint. The server has already checked it with the schema."""
    origin, args = typing.get_origin(hint) or hint, typing.get_args(hint)
    if hasattr(hint, "__metadata__"):
        return _value(hint.__origin__, value)
    if origin in UNIONS:
        kinds = [kind for kind in args if kind is not type(None)]
        return value if value is None or len(kinds) > 1 else _value(kinds[0], value)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return hint(value)
    if origin is list and args and isinstance(value, list):
        return [_value(args[0], item) for item in value]
    if origin is dict and args and isinstance(value, dict):
        return {name: _value(args[1], item) for name, item in value.items()}
    fields = _fields(hint)
    if fields is None or not isinstance(value, dict):
        return value
    read = {name: _value(fields[name][0], item) if name in fields else item for name, item in value.items()}
    return read if typing.is_typeddict(hint) else hint(**read)


def _match(pattern: str, path: str) -> dict[str, str] | None:
    """Matches a path with a route such as /tasks/{id}/*."""
    wanted, given = pattern.split("/"), path.split("/")
    params: dict[str, str] = {}
    for index, segment in enumerate(wanted):
        if segment == "*" and index == len(wanted) - 1 and len(given) > index:
            return {**params, "*": "/".join(given[index:])}
        name = re.fullmatch(r"\{(.+)\}", segment)
        if index >= len(given) or (name is None and segment != given[index]):
            return None
        if name:
            params[name[1]] = given[index]
    return params if len(wanted) == len(given) else None


def hcl(value: Json) -> str:
    """Writes JSON as HCL. `${` and `%{` are escaped, so that a user's text remains text."""
    text = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode()
    # HCL does not have the escapes of backspace and form feed.
    text = re.sub(r"\\(.)", lambda found: {"b": "\\u0008", "f": "\\u000c"}.get(found[1], found[0]), text)
    return re.sub(r"([$%])(?=\{)", r"\1\1", text)


def _block(kind: str, label: str | None, attributes: Mapping[str, Json], blocks: Iterable[str] = ()) -> str:
    lines = [f"{name} = {hcl(value)}" for name, value in attributes.items() if value is not None]
    body = "\n".join([*lines, *blocks]).replace("\n", "\n  ")
    return f"{kind}{'' if label is None else ' ' + hcl(label)} {{\n  {body}\n}}"


def write_view(components: Iterable[dict], position: str = "") -> str:
    """Writes components as HCL. `components`, `stats` and `fields` of a component become its blocks."""
    if not isinstance(components, (list, tuple)) or not all(isinstance(component, dict) for component in components):
        raise TypeError(f"{components!r:.100} is not a list of components.")
    return "\n".join(_component(component, f"{position}-{index}") for index, component in enumerate(components, 1))


def _component(component: dict, position: str) -> str:
    rest = dict(component)
    if "type" not in rest:
        raise ValueError(f"The component {component!r:.100} has no type.")
    for name in ("stats", "fields"):
        if not isinstance(rest.get(name, {}), dict):
            raise TypeError(f"Write {name} of the component {component!r:.100} by name: {{\"name\": {{…}}}}.")
    name = rest.pop("name", f"{component['type']}{position}")
    blocks = [_block("stat", id, stat) for id, stat in rest.pop("stats", {}).items()]
    blocks += [_block("field", id, about) for id, about in rest.pop("fields", {}).items()]
    children = rest.pop("components", [])
    return _block("component", name, rest, [*blocks, *([write_view(children, position)] if children else [])])


def _manifest(name: str, attributes: dict, fields: Mapping[str, dict]) -> str:
    written = [
        _block("field", id, {**about, "default": _text(about["default"]) if "default" in about else None})
        for id, about in fields.items()
    ]
    schema = [_block("config_schema", None, {}, written)] if written else []
    kind = "local" if os.environ.get("PLUGIN_TOKEN") else "remote"
    return _block("plugin", name, {**attributes, "type": kind}, schema)
