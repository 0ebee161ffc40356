#!/bin/sh
# An external agent's reply, by hand: `sh reply.sh '<callbackUrl>'`, with the callbackUrl of a message that it was sent
# (also under "It replies with" in an empty session). The text is whatever you like, in Markdown; the link is all it takes.
# The key makes it one message, however often this runs: another one is a message of its own.
set -eu
curl -sS --fail-with-body "$1" -H "idempotency-key: ${2:-reply-1}" --data-binary @- <<'END'
It is **on its way**:

- two crates of lamp oil
- `wicks`, as last time
END
