#!/bin/sh
# Runs a build and tells a busy agent how it ended: `KEY=… SESSION=… sh build.sh npm test`. A build that fails is told before
# the agent's next step, with the end of what it printed; one that is well again, when it gets to it. KEY is made under
# Settings; WAYSTATION is where the server is, BUILD a name of your own for this run, which makes the message once.
set -u
: "${KEY:?a key of the workspace}" "${SESSION:?the session whose agent is to know}"
: "${WAYSTATION:=http://localhost:3000}" "${BUILD:=build-$$}"

printed=$(mktemp)
trap 'rm -f "$printed"' EXIT
"$@" >"$printed" 2>&1
code=$?
cat "$printed"

if [ "$code" = 0 ]; then
  priority=low
  said="$BUILD is green."
else
  priority=high
  said="$BUILD failed with $code. The end of what it printed: $(tail -c 2000 "$printed")"
fi

# JSON by hand: what ends a string or a line in it is escaped, other control characters are left out.
escaped=$(printf '%s' "$said" | tr -d '\000-\010\013-\037' | sed 's/\\/\\\\/g; s/"/\\"/g; s/	/\\t/g' | awk 'NR > 1 { printf "\\n" } { printf "%s", $0 }')
curl -sS --fail-with-body --retry 5 --retry-connrefused "$WAYSTATION/api/sessions/$SESSION/oob" \
  -H "authorization: Bearer $KEY" -H 'content-type: application/json' -H "idempotency-key: $BUILD" \
  --data-binary @- <<END
{"content": "$escaped", "sourceId": "build", "priority": "$priority", "metadata": {"relatedTo": "$BUILD"}}
END
echo
exit "$code"
