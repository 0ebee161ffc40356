import { createHmac, timingSafeEqual } from 'node:crypto'

/** What an answer link is good for: one call of one life of one session. */
export type AnswerScope = { sessionKey: number; generation: number; toolCallId: string }

/** The capability of a call's answer link: HMAC-SHA-256 with the workspace's secret, 192 bits of it. */
const tokenOf = (secret: string, { sessionKey, generation, toolCallId }: AnswerScope): string =>
  createHmac('sha256', secret).update(`answer\n${sessionKey}\n${generation}\n${toolCallId}`).digest('base64url').slice(0, 32)

/** Where another system answers a call, with the capability in it. */
export const answerUrl = (
  origin: string,
  secret: string,
  { workspaceId, sessionId, ...scope }: AnswerScope & { workspaceId: string; sessionId: string }
): string =>
  `${origin}/external/sessions/${sessionId}/calls/${scope.toolCallId}/answer?workspace=${encodeURIComponent(workspaceId)}&token=${tokenOf(secret, scope)}`

/** Compares in constant time. */
export function isAnswerToken(given: string, secret: string, scope: AnswerScope): boolean {
  const expected = Buffer.from(tokenOf(secret, scope))
  const actual = Buffer.from(given)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}
