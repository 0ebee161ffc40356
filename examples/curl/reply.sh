#!/bin/sh
# Sends an external agent's reply: `sh reply.sh '<callbackUrl>' [key]`, with the callbackUrl of a message that the agent
# received. An empty session also shows it, under "It replies with". The text is Markdown. The link is the only credential.
# Further runs with the same key send no second message. Another key sends another message.
set -eu
curl -sS --fail-with-body "$1" -H "idempotency-key: ${2:-reply-1}" --data-binary @- <<'END'
It is **on its way**:

- two crates of lamp oil
- `wicks`, as last time
END
