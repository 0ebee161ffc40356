"""A plugin for tests. Arguments select how it starts, and the name of a tool or model selects its behavior."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent import futures

import grpc
import lifecycle_pb2
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

WAYS = sys.argv[1:]
SCHEMA = json.dumps({"type": "object", "properties": {"text": {"type": "string"}}})
registered = {}
shouted = []


MANIFEST = """
plugin "probe" {
  version     = "1.2.3"
  description = "Does what tests ask of it."
  author      = "Us"
  type        = "local"
}
"""


class Plugin(plugin_pb2_grpc.PluginServicer):
    def Register(self, request, context):
        registered.update(config=dict(request.config), env_vars=dict(request.env_vars))
        registered["metadata"] = dict(context.invocation_metadata())
        name = "somebody-else" if "wrong-name" in WAYS else "probe"
        every = [
            plugin_pb2.LLM_PROVIDER,
            plugin_pb2.TOOL_PROVIDER,
            plugin_pb2.LIFECYCLE_HOOK,
            plugin_pb2.VIEW_PROVIDER,
        ]
        return plugin_pb2.RegisterResponse(name=name, capabilities=every, metadata={"version": "1.2.3"})

    def Health(self, request, context):
        sick = os.path.exists(os.environ.get("SICK", "/nowhere"))
        return plugin_pb2.HealthResponse(status=plugin_pb2.NOT_SERVING if sick else plugin_pb2.SERVING)

    def GetManifest(self, request, context):
        return plugin_pb2.GetManifestResponse(manifest_hcl=MANIFEST)


class Tools(tool_pb2_grpc.ToolProviderServicer):
    def ListTools(self, request, context):
        schemas = {"echo": SCHEMA, "plain": "", "no-json": "{", "no-object": '{"type": "string"}', "": SCHEMA}
        tools = [
            tool_pb2.ToolDefinition(name=name, description="A tool.", parameters_json_schema=schema)
            for name, schema in schemas.items()
        ]
        return tool_pb2.ListToolsResponse(tools=tools + tools[:1])

    def ExecuteTool(self, request, context):
        asked = json.loads(request.arguments_json)
        result = getattr(self, request.name.replace("-", "_"))(asked, context)
        if isinstance(result, tool_pb2.ExecuteToolResponse):
            return result
        return tool_pb2.ExecuteToolResponse(result_json=json.dumps(result))

    def echo(self, asked, context):
        return asked

    def registered(self, asked, context):
        return {**registered, "environ": dict(os.environ), "pid": os.getpid()}

    def fail(self, asked, context):
        return tool_pb2.ExecuteToolResponse(result_json=json.dumps("No such city."), is_error=True)

    def refuse(self, asked, context):
        context.abort(grpc.StatusCode.PERMISSION_DENIED, "Not on Sundays.")

    def crash(self, asked, context):
        raise RuntimeError("boom")

    def die(self, asked, context):
        os.kill(os.getpid(), signal.SIGKILL)

    def hang(self, asked, context):
        threading.Event().wait(60)

    def large(self, asked, context):
        return tool_pb2.ExecuteToolResponse(result_json=json.dumps("x" * asked["bytes"]))

    def no_json(self, asked, context):
        return tool_pb2.ExecuteToolResponse(result_json="{not json")

    def odd(self, asked, context):
        return tool_pb2.ExecuteToolResponse(result_json='{"a": "\\ud800 \\u0000", "__proto__": {"b": 1}}')

    def deep(self, asked, context):
        return tool_pb2.ExecuteToolResponse(result_json="[" * 5000 + "]" * 5000)

    def child(self, asked, context):
        return subprocess.Popen(["sleep", "600"]).pid

    def shout(self, asked, context):
        def forever(stream, text):
            while True:
                stream.write(text)
                shouted.append(len(text))

        for flood in [(sys.stdout, "y" * 60 + "\n"), (sys.stderr, "z" * 100_000)]:
            threading.Thread(target=forever, args=flood, daemon=True).start()
        return None

    def shouted(self, asked, context):
        return sum(shouted)

    def converse(self, asked, context):
        # The token of the environment by default, another token, or no token if it is null.
        token = asked.get("token", os.environ.get("PLATFORM_HOST_TOKEN"))
        metadata = [] if token is None else [("authorization", f"Bearer {token}")]
        address = asked.get("address", os.environ.get("PLATFORM_HOST_ADDR"))
        history = [platform_pb2.ChatMessageProto(role="user", content="Hello")]
        with grpc.insecure_channel(address) as channel:
            request = platform_pb2.ConversationRequest(
                workspace_id=asked["workspace"], input=asked["input"], history=history
            )
            events = platform_pb2_grpc.PlatformHostStub(channel).RunConversation(request, metadata=metadata)
            said = []
            try:
                for event in events:
                    said.append([event.type, event.agent, event.content, event.tool, event.result])
                    if len(said) == asked.get("leave_after"):
                        events.cancel()
                        return said
            except grpc.RpcError as error:
                return {"said": said, "code": error.code().name, "details": error.details()}
            return said


class Model(llm_pb2_grpc.LLMProviderServicer):
    def Complete(self, request, context):
        if request.model == "flood":
            context.add_callback(lambda: open(os.environ["LEFT"], "w").close())
            while context.is_active():
                yield llm_pb2.CompleteResponse(delta=llm_pb2.Delta(content="x" * 10_000))
        if request.model == "silent":
            threading.Event().wait(60)
        words = {
            "roles": [message.role for message in request.messages],
            "tools": [tool.name for tool in request.available_tools],
            "temperature": request.temperature if request.HasField("temperature") else None,
            "max_tokens": request.max_tokens if request.HasField("max_tokens") else None,
            "result_of": [message.tool_call_id for message in request.messages if message.HasField("tool_call_id")],
        }
        yield llm_pb2.CompleteResponse(delta=llm_pb2.Delta(content=json.dumps(words)))
        if request.model == "cut":
            return
        if request.model == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        for name, chunk in [("echo", '{"text":'), ("", '"hi"}')]:
            delta = llm_pb2.ToolCallDelta(id="c1", name=name, arguments_chunk=chunk)
            yield llm_pb2.CompleteResponse(tool_call_delta=delta)
        yield llm_pb2.CompleteResponse(usage=llm_pb2.Usage(input_tokens=7, output_tokens=3))
        yield llm_pb2.CompleteResponse(finish=llm_pb2.FinishEvent(reason=llm_pb2.TOOL_USE))


class Hooks(lifecycle_pb2_grpc.LifecycleHookServicer):
    def OnEvent(self, event, context):
        payload = json.loads(event.payload_json)
        if event.type == lifecycle_pb2.TOOL_CALL:
            payload["arguments_json"] = '{"changed": true}'
            changed = json.dumps(payload).encode()
            return lifecycle_pb2.LifecycleEventResponse(
                action=lifecycle_pb2.MODIFY, modified_payload_json=changed
            )
        if event.type == lifecycle_pb2.HANDOFF:
            return lifecycle_pb2.LifecycleEventResponse(action=lifecycle_pb2.CANCEL)
        if event.type == lifecycle_pb2.TOOL_RESULT:
            return lifecycle_pb2.LifecycleEventResponse(
                action=lifecycle_pb2.MODIFY, modified_payload_json=b"{broken"
            )
        return lifecycle_pb2.LifecycleEventResponse()


class Views(view_pb2_grpc.ViewProviderServicer):
    def ListViews(self, request, context):
        routes = [view_pb2.RouteDefinition(method="get", path="/api/tasks")]
        view = view_pb2.ViewDefinition(name="tasks", label="Tasks", icon="calendar", scope="workspace", routes=routes)
        odd = view_pb2.ViewDefinition(name="odd", scope="galaxy")
        return view_pb2.ListViewsResponse(views=[view, odd])

    def RenderView(self, request, context):
        return view_pb2.RenderViewResponse(
            component_hcl=f'component "a" {{\n  type = "text"\n  content = "{request.workspace_id} {request.params["tab"]}"\n}}\n'
        )

    def HandleRoute(self, request, context):
        if request.path == "/split":
            return view_pb2.RouteResponse(status_code=200, headers={"x-a": "1\r\nset-cookie: b"})
        if request.path == "/odd-name":
            return view_pb2.RouteResponse(status_code=200, headers={"x a": "1"})
        if request.path == "/no-status":
            return view_pb2.RouteResponse()
        headers = {"x-method": request.method, "x-query": request.query["q"], "x-sent": request.headers["x-sent"]}
        return view_pb2.RouteResponse(status_code=201, body=request.body, headers=headers)

    def HandleStream(self, messages, context):
        first = next(messages)
        yield view_pb2.StreamMessage(data=json.dumps(dict(first.metadata)).encode())
        for message in messages:
            if message.data == b"stop":
                return
            yield view_pb2.StreamMessage(data=message.data)


def end_with_the_host():
    while sys.stdin.buffer.read(4096):
        pass
    os._exit(0)


def main():
    if "early-exit" in WAYS:
        print("I have no licence.", file=sys.stderr)
        sys.exit(3)
    if "silent" in WAYS:
        threading.Event().wait()
    if "endless-line" in WAYS:
        while True:
            sys.stdout.write("x" * 1000)
    options = [("grpc.max_receive_message_length", 16 << 20), ("grpc.max_send_message_length", -1)]
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=4 if "few-threads" in WAYS else 32), options=options)
    plugin_pb2_grpc.add_PluginServicer_to_server(Plugin(), server)
    tool_pb2_grpc.add_ToolProviderServicer_to_server(Tools(), server)
    llm_pb2_grpc.add_LLMProviderServicer_to_server(Model(), server)
    lifecycle_pb2_grpc.add_LifecycleHookServicer_to_server(Hooks(), server)
    view_pb2_grpc.add_ViewProviderServicer_to_server(Views(), server)
    address = os.environ.get("PLUGIN_LISTEN_ADDR", "127.0.0.1:0")
    port = server.add_insecure_port(address)
    server.start()
    line = f"1|1|tcp|127.0.0.1:{port}|grpc"
    if "bad-handshake" in WAYS:
        line = "Hello, I am a plugin."
    if "public-handshake" in WAYS:
        line = f"1|1|tcp|0.0.0.0:{port}|grpc"
    if "named-handshake" in WAYS:
        line = f"1|1|tcp|localhost:{port}|grpc"
    print(line, flush=True)
    print("I am here.", flush=True)
    if "deaf" in WAYS:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            time.sleep(60)
    end_with_the_host()


main()
