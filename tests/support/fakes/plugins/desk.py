"""A plugin with every capability, for the tests of the library for Python."""

import sys
from pathlib import Path
from typing import Literal, Optional

sys.path.insert(0, str(Path.cwd() / "gen"))

from waystation_plugin import Context, Plugin, PluginError

plugin = Plugin(
    "desk",
    version="1.2.0",
    description="Things on a desk",
    settings={
        "unit": {"type": "string", "options": ["celsius", "fahrenheit"], "default": "celsius"},
        "limit": {"type": "number", "default": 3},
        "loud": {"type": "bool"},
    },
)
state = {"waiting": False, "canceled": False, "guests": []}


@plugin.register
def start(settings, env):
    if settings["limit"] == 0:
        raise PluginError("INVALID_ARGUMENT", "“limit” must not be 0.")


@plugin.tool
def add(
    values: list[int],
    label: Optional[str] = None,
    kind: Literal["a", "b"] = "a",
    sizes: dict[str, float] | None = None,
    *,
    context: Context,
) -> dict:
    """Adds numbers."""
    if len(values) > context.settings["limit"]:
        raise PluginError("INVALID_ARGUMENT", f"Add up to {context.settings['limit']} numbers.")
    return {"sum": sum(values), "label": label, "kind": kind, "settings": context.settings}


@plugin.tool(name="call", description="Returns the IDs of its call.", parameters={"type": "object"})
def call_ids(context: Context):
    ids = [context.workspace_id, context.session_id, context.user_id, context.call_id, context.idempotency_key]
    return {"ids": ids, "region": context.env.get("REGION")}


@plugin.tool
def fail():
    """Fails."""
    raise ValueError("Out of paper.")


@plugin.tool
def wait(context: Context):
    """Waits for the end of its call."""
    state["waiting"] = True
    state["canceled"] = context.ended.wait(20)


@plugin.tool
def waits():
    """Returns whether a call of `wait` has started, and whether it was canceled."""
    return [state["waiting"], state["canceled"]]


@plugin.tool
def ask(context: Context):
    """Asks the default agent."""
    return [event.type for event in context.converse("Who are you?")][-1]


@plugin.hook("TOOL_CALL")
def before_tool(event, context):
    return "CANCEL" if event["tool_name"] == "fail" and context.agent_name != "boss" else None


@plugin.hook("LLM_REQUEST")
def before_model(event, context):
    return {"modify": {**event, "messages": [*event["messages"], {"role": "user", "content": "Be brief."}]}}


@plugin.model
def complete(request, context):
    if request.model == "busy":
        raise PluginError("RESOURCE_EXHAUSTED", "Come back later.")
    yield {"type": "text", "text": f"{len(request.messages)} messages"}
    yield {"type": "tool-call", "id": "a", "name": "echo", "chunk": "{}"}
    yield {"type": "usage", "input_tokens": 1, "output_tokens": 2}
    yield {"type": "finish", "reason": "tool-use"}


@plugin.view("book", label="Guest book", icon="calendar")
def book(params, context):
    stats = {"count": {"label": "Guests", "value": len(state["guests"])}}
    return [
        {"type": "text", "content": params.get("title", "Guests"), "style": "heading"},
        {"type": "card", "components": [{"type": "stat-group", "stats": stats}]},
    ]


@book.route("POST", "/guests/{id}")
def sign(request, context):
    name = request.json()
    if not isinstance(name, str):
        return 422, {"error": "Send a text."}
    state["guests"].append(name)
    return {"message": f"{request.params['id']}: {name}"}


@book.route("GET", "/files/*")
def download(request, context):
    return request.params["*"]


@plugin.stream
def talk(messages, context):
    yield from messages
    yield {"type": "content", "agent": "desk", "content": f"{context.user_email} {context.workspace_id}"}


plugin.serve()
