import { type OutboundResponse, responseOf } from '@waystation/egress'
import { isJsonObject } from '@waystation/protocol/json-object.ts'

/**
 * Converts a provider's response to the format of RFC 6749 (5.1, 5.2), which the library requires. It
 * corrects known deviations: an error in a 200 response (GitHub, Slack), `null` for missing fields (Notion),
 * and two of Slack: another token type for a bearer token, and a nested user token. The library judges
 * everything else.
 */
export function normalizeResponse(response: OutboundResponse): Response {
  if (response.status !== 200) return responseOf(response)
  const body = parseObject(response.text())
  if (body === undefined) return responseOf(response)
  if ('error' in body && !('access_token' in body)) return responseOf({ ...response, status: 400 })
  const fields = Object.entries(withUserToken(body)).filter(([, value]) => value !== null)
  const standard = Object.fromEntries(fields)
  if (standard.token_type === 'bot' || standard.token_type === 'user') standard.token_type = 'bearer'
  return Response.json(standard, { headers: { 'cache-control': 'no-store' } })
}

/** https://docs.slack.dev/reference/methods/oauth.v2.access: with user scopes only, there is no bot token. */
function withUserToken(body: Record<string, unknown>): Record<string, unknown> {
  const user = body.authed_user
  return 'access_token' in body || !isJsonObject(user) ? body : { ...body, ...user }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return isJsonObject(body) ? body : undefined
  } catch {
    return undefined
  }
}
