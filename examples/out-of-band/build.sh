#!/bin/sh
# Runs a build and sends its outcome to a busy agent: `KEY=… SESSION=… sh build.sh npm test`. The agent receives a failure
# before its next step, with the end of the output, and a success later. Create KEY under Settings. WAYSTATION is the
# server's URL. BUILD is a name that you choose for this run; the same name sends no second message.
set -u
: "${KEY:?a key of the workspace}" "${SESSION:?the session whose agent is to know}"
: "${WAYSTATION:=http://localhost:3000}" "${BUILD:=build-$$}"

output=$(mktemp)
trap 'rm -f "$output"' EXIT
"$@" >"$output" 2>&1
code=$?
cat "$output"

if [ "$code" = 0 ]; then
  priority=low
  message="$BUILD is green."
else
  priority=high
  message="$BUILD failed with $code. The end of what it printed: $(tail -c 2000 "$output")"
fi

# Encode as JSON: escape quotes, backslashes, tabs and line breaks, and remove other control characters.
escaped=$(printf '%s' "$message" | tr -d '\000-\010\013-\037' | sed 's/\\/\\\\/g; s/"/\\"/g; s/	/\\t/g' | awk 'NR > 1 { printf "\\n" } { printf "%s", $0 }')
curl -sS --fail-with-body --retry 5 --retry-connrefused "$WAYSTATION/api/sessions/$SESSION/oob" \
  -H "authorization: Bearer $KEY" -H 'content-type: application/json' -H "idempotency-key: $BUILD" \
  --data-binary @- <<END
{"content": "$escaped", "sourceId": "build", "priority": "$priority", "metadata": {"relatedTo": "$BUILD"}}
END
echo
exit "$code"
