import type { OutboundAnswer } from '#lib/kernel/ctx.ts'
import { responseOf } from '#lib/net/response-of.ts'
import { isJsonObject } from '#lib/protocol/json-object.ts'

/**
 * What a provider answered a POST, in the form that RFC 6749 (5.1, 5.2) gives it and the library insists on, as far as
 * providers in use are known to depart from it: a refusal in the body of a 200 (GitHub, Slack), `null` for what there is
 * not (Notion), a token type that says whose token it is though it is sent as a bearer token, and a person's token one
 * level deeper than a bot's (both Slack). Anything else is the library's to judge.
 */
export function conforming(answer: OutboundAnswer): Response {
  if (answer.status !== 200) return responseOf(answer)
  const said = objectIn(answer.text())
  if (said === undefined) return responseOf(answer)
  if ('error' in said && !('access_token' in said)) return responseOf({ ...answer, status: 400 })
  const fields = Object.entries(lifted(said)).filter(([, value]) => value !== null)
  const standard = Object.fromEntries(fields)
  if (standard.token_type === 'bot' || standard.token_type === 'user') standard.token_type = 'bearer'
  return Response.json(standard, { headers: { 'cache-control': 'no-store' } })
}

/** https://docs.slack.dev/reference/methods/oauth.v2.access: with scopes of a person alone there is no bot. */
function lifted(said: Record<string, unknown>): Record<string, unknown> {
  const person = said.authed_user
  return 'access_token' in said || !isJsonObject(person) ? said : { ...said, ...person }
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const said: unknown = JSON.parse(text)
    return isJsonObject(said) ? said : undefined
  } catch {
    return undefined
  }
}
