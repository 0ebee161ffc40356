"""An external agent with Python's standard library. Run `PORT=4001 python3 agent.py`, then create an agent of type
"external" with the inputUrl http://localhost:4001/. Set SECRET to the agent's signing secret (whsec_…), if it has one."""

import base64
import hashlib
import hmac
import json
import os
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("SECRET")


def sign(key: str, at: str, body: bytes) -> str:
    """Returns a Standard Webhooks signature: HMAC-SHA-256 over the ID, the time and the body."""
    secret = base64.b64decode(SECRET.removeprefix("whsec_"))
    digest = hmac.new(secret, f"{key}.{at}.".encode() + body, hashlib.sha256).digest()
    return "v1," + base64.b64encode(digest).decode()


def is_genuine(headers, body: bytes) -> bool:
    if SECRET is None:
        return True
    at = headers.get("webhook-timestamp", "0")
    expected = sign(headers.get("webhook-id", ""), at, body)
    signatures = headers.get("webhook-signature", "").split(" ")
    return abs(time.time() - int(at)) < 300 and any(hmac.compare_digest(signature, expected) for signature in signatures)


def post(url: str, key: str, text: str) -> None:
    """Sends a reply or a result to a session, or with another URL a status. Retries while the server is down or busy.
    With the same `key`, they add a reply only once."""
    body, seconds = text.encode(), 1
    while True:
        at = str(int(time.time()))
        headers = {"webhook-id": key, "webhook-timestamp": at, "content-type": "text/plain; charset=utf-8"}
        if SECRET is not None:
            headers["webhook-signature"] = sign(key, at, body)
        try:
            urllib.request.urlopen(urllib.request.Request(url, data=body, headers=headers), timeout=30).read()
            return
        except urllib.error.HTTPError as error:
            if error.code != 429 and error.code < 500:
                print(f"The server answered {error.code}: {error.read().decode()}", flush=True)
                return
        except OSError:
            pass  # No response arrived.
        time.sleep(seconds)
        seconds = min(seconds * 2, 60)


def answer(message: dict, key: str) -> None:
    """Shows a status while the agent works, and then replies, or ends the task of a sub-agent."""
    callback_url, user = message["callbackUrl"], message["message"]
    if user["type"] == "handoff":
        return post(callback_url, key + ":1", "I have taken over. How can I help?")
    status_url = callback_url.replace("/messages?", "/status?")
    post(status_url, key + ":status", json.dumps({"text": "Reading your message…"}))
    files = "".join(f" I got {file['name']}." for file in user.get("files", []))
    words = f"You said **{user['text']}** in `{message['sessionId']}`.{files}"
    if "finishUrl" in message:
        # A chat agent gave us a task, and waits for its result.
        post(message["finishUrl"], key + ":1", json.dumps({"output": words}))
    else:
        post(callback_url, key + ":1", words)


class Agent(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not is_genuine(self.headers, body):
            return self.send_error(401)
        message = json.loads(body)
        # Confirm receipt at once, within 5 seconds. The reply itself can take minutes or days.
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"ok":true}')
        # This agent is done at once, so a `cancel` finds nothing to stop. It also ignores types that it does not know.
        if message["message"]["type"] in ("user", "handoff"):
            threading.Thread(target=answer, args=(message, self.headers["idempotency-key"])).start()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4001"))), Agent)
print(f"Listening on http://localhost:{server.server_port}/", flush=True)
server.serve_forever()
