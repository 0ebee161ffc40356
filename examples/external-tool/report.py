"""A slow external tool in Python that survives restarts. Run `SECRET=whsec_… PORT=4002 python3 report.py` with the
agent's signing secret, then give the agent a tool with where "external" and the url http://localhost:4002/report. Calls
are stored in the SQLite file CALLS, so that a call that a restart interrupts runs again."""

import json
import os
import sqlite3
import threading
import time

from waystation_server import Call, ToolError, serve, tool

PORT, CALLS, SECONDS = int(os.environ.get("PORT", "4002")), os.environ.get("CALLS", "calls.db"), os.environ.get("SECONDS", "30")


class Store:
    """The calls of this tool. Each thread needs a connection of its own."""

    def __init__(self):
        self.run("create table if not exists calls (id text primary key, value text not null)")

    def run(self, sql, *values):
        with sqlite3.connect(CALLS) as connection:
            return connection.execute(sql, values).fetchall()

    def get(self, call_id):
        rows = self.run("select value from calls where id = ?", call_id)
        return json.loads(rows[0][0]) if rows else None

    def set(self, call_id, value):
        self.run("replace into calls values (?, ?)", call_id, json.dumps(value))

    def unfinished(self):
        calls = (json.loads(value) for value, in self.run("select value from calls"))
        return [one["call"] for one in calls if "result" not in one]


store = Store()


@tool(secret=os.environ.get("SECRET"), store=store)
def report(year: int, call: Call) -> dict:
    """Returns the sales of a year. Takes half a minute."""
    if year > call.deadline.year:
        raise ToolError(f"The year {year} has not started.")
    print(f"{call.id}: counting {year}\n", end="", flush=True)
    time.sleep(float(SECONDS))
    return {"year": year, "sales": year * 7}


for call in store.unfinished():
    threading.Thread(target=report.resume, args=(call,)).start()

serve(report, port=PORT)
