#!/usr/bin/env python3
"""A plugin with two views: a tab with a guest book, and a chat. README.md says how to run it, and docs/plugins-grpc.md
describes the whole contract."""

import hmac
import json
import os
import sys
import threading
from concurrent import futures
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "gen"))

import grpc
import plugin_pb2
import plugin_pb2_grpc
import view_pb2
import view_pb2_grpc

NAME = "hello-view"
MANIFEST = """
plugin "hello-view" {
  version     = "1.0.0"
  description = "A guest book and somebody to talk to"
  author      = "Waystation"
  type        = "local"

  config_schema {
    field "greeting" {
      type        = "string"
      default     = "Hello"
      description = "What guests are greeted with"
    }
  }
}
"""

config = {}
guests = ["Ada"]


def view(params):
    """Writes each value as JSON, which is HCL's syntax for text, so that a guest's input remains text."""
    greeting = config.get("greeting", "Hello") + ", " + params.get("name", "world") + "!"
    rows = json.dumps([[str(number), name] for number, name in enumerate(guests, 1)], ensure_ascii=False)
    return f"""
component "greeting" {{
  type    = "text"
  style   = "heading"
  content = {hcl(greeting)}
}}
component "figures" {{
  type = "stat-group"
  stat "guests" {{
    label = "Guests"
    value = {len(guests)}
  }}
}}
component "book" {{
  type    = "table"
  columns = ["", "Guest"]
  rows    = {hcl_safe(rows)}
}}
component "sign" {{
  type         = "form"
  title        = "Sign the book"
  action       = "/api/guests"
  submit_label = "Sign"
  field "name" {{
    type     = "string"
    label    = "Your name"
    required = true
  }}
}}
"""


def hcl(text):
    return hcl_safe(json.dumps(text, ensure_ascii=False))


def hcl_safe(text):
    """HCL evaluates ${...} and %{...}. Doubling the first character escapes them."""
    return text.replace("${", "$${").replace("%{", "%%{")


class Plugin(plugin_pb2_grpc.PluginServicer):
    def Register(self, request, context):
        config.update(request.config)
        return plugin_pb2.RegisterResponse(
            name=NAME, capabilities=[plugin_pb2.VIEW_PROVIDER], metadata={"version": "1.0.0"}
        )

    def Health(self, request, context):
        return plugin_pb2.HealthResponse(status=plugin_pb2.SERVING)

    def GetManifest(self, request, context):
        return plugin_pb2.GetManifestResponse(manifest_hcl=MANIFEST)


class Views(view_pb2_grpc.ViewProviderServicer):
    def ListViews(self, request, context):
        sign = view_pb2.RouteDefinition(method="POST", path="/api/guests")
        hello = view_pb2.ViewDefinition(
            name="hello", label="Hello", icon="sparkles", scope="workspace", routes=[sign]
        )
        talk = view_pb2.ViewDefinition(name="talk", label="Talk", icon="chat", scope="global")
        return view_pb2.ListViewsResponse(views=[hello, talk])

    def RenderView(self, request, context):
        if request.view_name == "hello":
            return view_pb2.RenderViewResponse(component_hcl=view(request.params))
        if request.view_name == "talk":
            return view_pb2.RenderViewResponse(component_hcl='component "talk" {\n  type = "chat"\n}\n')
        context.abort(grpc.StatusCode.NOT_FOUND, f"There is no view “{request.view_name}”.")

    def HandleRoute(self, request, context):
        if (request.method, request.path) != ("POST", "/api/guests"):
            return answer(404, {"error": f"There is no {request.path} here."})
        name = text_in(request.body, "name")
        if name is None:
            return answer(400, {"error": 'Send {"name": "…"}.'})
        name = "".join(character for character in name if character.isprintable()).strip()
        if name == "":
            return answer(422, {"error": "Nobody signed.", "fields": {"name": "Write your name."}})
        guests.append(name)
        return answer(200, {"message": f"Welcome, {name}."})

    def HandleStream(self, messages, context):
        first = next(messages, None)
        who = first.metadata.get("user_email", "") if first else ""
        for message in messages:
            yield from talk(text_in(message.data, "content"), who or "stranger")


def talk(message, who):
    """Yields the six kinds of events that a chat shows. A real plugin would run an agent instead."""
    if message is None:
        yield event(type="error", error_message='Send {"content": "…"}.')
        return
    agent = NAME
    if "guests" in message.lower():
        yield event(type="tool_call", agent=agent, tool="count_guests", args="{}")
        yield event(type="tool_result", agent=agent, tool="count_guests", result=str(len(guests)))
    if "bye" in message.lower():
        yield event(type="handoff", agent=agent, target="porter")
        agent = "porter"
    yield event(type="content", agent=agent, content=f"You said “{message}”, {who}.")
    yield event(type="finish", agent=agent)


def text_in(data, field):
    """Returns a text field of a browser's untrusted input, or None if it has no such text."""
    try:
        value = json.loads(data)[field]
    except (ValueError, KeyError, TypeError):
        return None
    return value if isinstance(value, str) else None


def answer(status, body):
    headers = {"content-type": "application/json"}
    return view_pb2.RouteResponse(status_code=status, body=json.dumps(body).encode(), headers=headers)


def event(**fields):
    return view_pb2.StreamMessage(data=json.dumps(fields).encode())


class OnlyThePlatform(grpc.ServerInterceptor):
    """Other programs on this machine can reach the port too, so only callers with the token get a response."""

    def __init__(self, token):
        self.expected = f"Bearer {token}"

    def intercept_service(self, continuation, details):
        given = dict(details.invocation_metadata).get("authorization", "")
        if hmac.compare_digest(given.encode(), self.expected.encode()):
            return continuation(details)
        refuse = lambda request, context: context.abort(grpc.StatusCode.UNAUTHENTICATED, "Who are you?")
        return grpc.unary_unary_rpc_method_handler(refuse)


token = os.environ.get("PLUGIN_TOKEN")
interceptors = [OnlyThePlatform(token)] if token else []
# Each open stream uses a thread, so there must be more threads than open chats.
server = grpc.server(futures.ThreadPoolExecutor(max_workers=64), interceptors=interceptors)
plugin_pb2_grpc.add_PluginServicer_to_server(Plugin(), server)
view_pb2_grpc.add_ViewProviderServicer_to_server(Views(), server)
port = server.add_insecure_port(os.environ.get("PLUGIN_LISTEN_ADDR", "127.0.0.1:9011"))
server.start()
print(f"1|1|tcp|127.0.0.1:{port}|grpc", flush=True)

if token:
    # The platform started this process. If its input closes, the platform has ended.
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
server.wait_for_termination()
