#!/bin/sh
# Talks to an agent with curl: `KEY=… sh talk.sh`. Create KEY under Settings. WAYSTATION is the server's URL, AGENT an agent
# that asks questions, and SESSION an ID that you choose.
set -eu
: "${KEY:?a key of the workspace}" "${WAYSTATION:=http://localhost:3000}" "${AGENT:=guide}" "${SESSION:=curl-$$}"
session="$WAYSTATION/api/sessions/$SESSION"

call() {
  curl -sS --fail-with-body -H "authorization: Bearer $KEY" -H 'content-type: application/json' "$@"
}
# Waits until the session has this status. In production, follow `$session/events` instead of polling.
wait_until() {
  call "$session" >"$seen"
  until grep -q "\"status\":\"$1\"" "$seen"; do sleep 1; call "$session" >"$seen"; done
}
seen=$(mktemp)
trap 'rm -f "$seen"' EXIT

# 1. Create a session, or continue the existing one with this ID and agent.
call "$WAYSTATION/api/plugins/sessions/operations/create" --data-binary @- <<END
{"agentId": "$AGENT", "sessionId": "$SESSION"}
END
echo

# 2. Send a message. Retries with the same key do not send it again.
call "$session/messages" --data-binary @- <<END
{"text": "ask me to choose between tea and coffee", "key": "drink-$$"}
END
echo

# 3. Answer the agent's question. The session can wait for seconds or days, and uses no process meanwhile.
wait_until parked
call_id=$(grep -o '"toolCallId":"[^"]*"' "$seen" | tail -n 1 | cut -d '"' -f 4)
call "$session/calls/$call_id/answer" --data-binary @- <<'END'
{"output": {"answer": "tea"}}
END
echo

# 4. Read the agent's reply.
wait_until idle
grep -Eo '"text":"(\\.|[^"\\])*"' "$seen" | tail -n 1
