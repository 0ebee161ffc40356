#!/usr/bin/env python3
"""A plugin with two views: a tab with a guest book, and a chat. README.md says how to run it, and docs/plugins-grpc.md
describes the whole contract."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "gen"))

from waystation_plugin import Plugin

plugin = Plugin(
    "hello-view",
    version="1.0.0",
    description="A guest book and a chat",
    author="Waystation",
    settings={"greeting": {"type": "string", "default": "Hello", "description": "How guests are greeted"}},
)
guests = ["Ada"]


@plugin.view("hello", label="Hello", icon="sparkles")
def hello(params, context):
    """Texts of guests remain text, because the library escapes them for HCL."""
    greeting = f"{context.settings['greeting']}, {params.get('name', 'world')}!"
    rows = [[str(number), name] for number, name in enumerate(guests, 1)]
    return [
        {"type": "text", "style": "heading", "content": greeting},
        {"type": "stat-group", "stats": {"guests": {"label": "Guests", "value": len(guests)}}},
        {"type": "table", "columns": ["", "Guest"], "rows": rows},
        {
            "type": "form",
            "title": "Sign the book",
            "action": "/api/guests",
            "submit_label": "Sign",
            "fields": {"name": {"type": "string", "label": "Your name", "required": True}},
        },
    ]


@hello.route("POST", "/api/guests")
def sign(request, context):
    name = text_in(request.body, "name")
    if name is None:
        return 400, {"error": 'Send {"name": "…"}.'}
    name = "".join(character for character in name if character.isprintable()).strip()
    if name == "":
        return 422, {"error": "The name is empty.", "fields": {"name": "Write your name."}}
    guests.append(name)
    return {"message": f"Welcome, {name}."}


@plugin.view("talk", label="Talk", icon="chat", scope="global")
def talk(params, context):
    return [{"type": "chat", "name": "talk"}]


@plugin.stream
def converse(messages, context):
    for message in messages:
        yield from answer(text_in(message, "content"), context.user_email or "stranger")


def answer(message, user):
    """Yields the six kinds of events that a chat shows. A real plugin would run an agent with context.converse."""
    if message is None:
        yield {"type": "error", "error_message": 'Send {"content": "…"}.'}
        return
    agent = plugin.name
    if "guests" in message.lower():
        yield {"type": "tool_call", "agent": agent, "tool": "count_guests", "args": "{}"}
        yield {"type": "tool_result", "agent": agent, "tool": "count_guests", "result": str(len(guests))}
    if "bye" in message.lower():
        yield {"type": "handoff", "agent": agent, "target": "porter"}
        agent = "porter"
    yield {"type": "content", "agent": agent, "content": f"You said “{message}”, {user}."}
    yield {"type": "finish", "agent": agent}


def text_in(data, field):
    """Returns a text field of a browser's untrusted input, or None if it has no such text."""
    try:
        value = json.loads(data)[field]
    except (ValueError, KeyError, TypeError):
        return None
    return value if isinstance(value, str) else None


plugin.serve("127.0.0.1:9011")
