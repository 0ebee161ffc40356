#!/bin/sh
# A talk with nothing but curl: `KEY=… sh talk.sh`. KEY is made under Settings; WAYSTATION is where the server is, AGENT
# one that asks questions, SESSION an ID of your own.
set -eu
: "${KEY:?a key of the workspace}" "${WAYSTATION:=http://localhost:3000}" "${AGENT:=guide}" "${SESSION:=curl-$$}"
session="$WAYSTATION/api/sessions/$SESSION"

call() {
  curl -sS --fail-with-body -H "authorization: Bearer $KEY" -H 'content-type: application/json' "$@"
}
# The session, as soon as it has this status. Real programs follow `$session/events` instead of asking again.
wait_until() {
  call "$session" >"$seen"
  until grep -q "\"status\":\"$1\"" "$seen"; do sleep 1; call "$session" >"$seen"; done
}
seen=$(mktemp)
trap 'rm -f "$seen"' EXIT

# 1. A session. One with this ID and agent that is there already is taken up.
call "$WAYSTATION/api/plugins/sessions/operations/create" --data-binary @- <<END
{"agentId": "$AGENT", "sessionId": "$SESSION"}
END
echo

# 2. A message. Its key makes it once, however often it is sent.
call "$session/messages" --data-binary @- <<END
{"text": "ask me to choose between tea and coffee", "key": "drink-$$"}
END
echo

# 3. The agent asks, and waits: for a second or for days. Nothing is held while it does.
wait_until parked
asked=$(grep -o '"toolCallId":"[^"]*"' "$seen" | tail -n 1 | cut -d '"' -f 4)
call "$session/calls/$asked/answer" --data-binary @- <<'END'
{"output": {"answer": "tea"}}
END
echo

# 4. What it says to that.
wait_until idle
grep -Eo '"text":"(\\.|[^"\\])*"' "$seen" | tail -n 1
