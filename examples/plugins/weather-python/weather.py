#!/usr/bin/env python3
"""A plugin with one tool, get_weather. README.md says how to run it, and docs/plugins-grpc.md describes the whole
contract."""

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
import tool_pb2
import tool_pb2_grpc

NAME = "weather"
MANIFEST = """
plugin "weather" {
  version     = "1.0.0"
  description = "The usual weather of some cities"
  author      = "Waystation"
  type        = "local"

  config_schema {
    field "unit" {
      type        = "string"
      options     = ["celsius", "fahrenheit"]
      default     = "celsius"
      description = "What temperatures are told in"
    }
  }
}
"""
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
WEATHER = {"bergen": (9, "rain"), "cairo": (28, "sun"), "lima": (19, "fog")}

config = {}


class Plugin(plugin_pb2_grpc.PluginServicer):
    def Register(self, request, context):
        config.update(request.config)
        return plugin_pb2.RegisterResponse(
            name=NAME, capabilities=[plugin_pb2.TOOL_PROVIDER], metadata={"version": "1.0.0"}
        )

    def Health(self, request, context):
        return plugin_pb2.HealthResponse(status=plugin_pb2.SERVING)

    def GetManifest(self, request, context):
        return plugin_pb2.GetManifestResponse(manifest_hcl=MANIFEST)


class Tools(tool_pb2_grpc.ToolProviderServicer):
    def ListTools(self, request, context):
        description = "Tells the usual weather of a city: " + ", ".join(WEATHER)
        tool = tool_pb2.ToolDefinition(
            name="get_weather", description=description, parameters_json_schema=json.dumps(SCHEMA)
        )
        return tool_pb2.ListToolsResponse(tools=[tool])

    def ExecuteTool(self, request, context):
        if request.name != "get_weather":
            return failed(f"There is no tool {request.name}.")
        city = json.loads(request.arguments_json)["city"]
        if city.lower() not in WEATHER:
            return failed(f"Nobody knows the weather of {city}.")
        degrees, sky = WEATHER[city.lower()]
        if config.get("unit") == "fahrenheit":
            degrees = round(degrees * 9 / 5 + 32)
        result = {"city": city, "temperature": degrees, "sky": sky}
        return tool_pb2.ExecuteToolResponse(result_json=json.dumps(result))


def failed(why):
    return tool_pb2.ExecuteToolResponse(result_json=json.dumps(why), is_error=True)


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
server = grpc.server(futures.ThreadPoolExecutor(max_workers=16), interceptors=interceptors)
plugin_pb2_grpc.add_PluginServicer_to_server(Plugin(), server)
tool_pb2_grpc.add_ToolProviderServicer_to_server(Tools(), server)
port = server.add_insecure_port(os.environ.get("PLUGIN_LISTEN_ADDR", "127.0.0.1:9010"))
server.start()
print(f"1|1|tcp|127.0.0.1:{port}|grpc", flush=True)

if token:
    # The platform started this process. If its input closes, the platform has ended.
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
server.wait_for_termination()
