"""`tools.ts` in Python."""

import json
import os
import sys
import threading
import time

sys.path.insert(0, "examples/external-tool")
from waystation_server import Call, ToolError, answer, later, serve, tool

SECRETS, STORE = os.environ["SECRETS"], os.environ.get("STORE")


class Store:
    def __init__(self):
        with open(STORE) as file:
            self.stored = json.loads(file.read() or "{}")

    def get(self, call_id):
        return self.stored.get(call_id)

    def set(self, call_id, value):
        time.sleep(int(os.environ.get("STORE_MS", "0")) / 1000)
        self.stored[call_id] = value
        with open(STORE + ".new", "w") as file:
            json.dump(self.stored, file)
        os.replace(STORE + ".new", STORE)


store = Store() if STORE else None
tools = {}


def say(text):
    print(text + "\n", end="", flush=True)


def make(function):
    name = function.__name__

    def execute(call: Call, item: str, count: int = 1):
        say(f"run {name} {call.id}")
        return function(call, item, count)

    tools[name] = tool(
        name=name, title="Store", description="Orders from the store.", approval="ask", store=store,
        secret=False if SECRETS == "false" else SECRETS.split(" "),
        output_schema={"type": "object", "properties": {"eta": {"type": "string"}}, "required": ["eta"]},
        confirm_after=int(os.environ.get("CONFIRM_MS", "4000")) / 1000,
        on_error=lambda error: say(f"error {error}"))(execute)


@make
def order(call, item, count):
    return {"eta": f"{count} {item} on Monday"}


@make
def slow(call, item, count):
    time.sleep(int(os.environ.get("SLOW_MS", "0")) / 1000)
    return {"eta": "Tuesday"}


@make
def late(call, item, count):
    def answer_later():
        sys.stdin.readline()
        results = [answer(call.answer_url, {"eta": "Friday"}), answer(call.answer_url, {"eta": "Friday"}),
                   answer(call.answer_url, error="No."), answer(call.answer_url + "x", error="No.")]
        say("answered " + " ".join(result.status for result in results))

    threading.Thread(target=answer_later).start()
    return later


@make
def throws(call, item, count):
    raise ValueError("The password is 1234.")


@make
def refuses(call, item, count):
    raise ToolError("The store is closed.")


@make
def garbage(call, item, count):
    return {"eta": 7}


@make
def circular(call, item, count):
    value = {"eta": "now"}
    value["circular"] = value
    return value


@make
def huge(call, item, count):
    return {"eta": "x" * 2**20}


for stored in list(store.stored.values() if store else []):
    if "result" not in stored:
        threading.Thread(target=tools[stored["call"]["toolName"]].resume, args=(stored["call"],)).start()

serve(*tools.values(), port=int(os.environ["PORT"]))
