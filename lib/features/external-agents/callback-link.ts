import { isSame, signCapability } from '#lib/deliveries/capability.ts'

/** The scope of a callback link: one generation of one session. */
export type CallbackScope = { workspaceId: string; sessionKey: number; generation: number }

/**
 * Returns the URL for an external agent's replies (000-12): `<base>/external/sessions/<sessionId>/messages`.
 * The token is in its query, so that a plain POST works. `base` can have a path and a trailing slash.
 */
export function callbackUrl(base: string, secret: string, sessionId: string, scope: CallbackScope): string {
  const token = [...fieldsOf(scope), sign(secret, scope)].join('~')
  return `${base.replace(/\/+$/, '')}/external/sessions/${sessionId}/messages?token=${token}`
}

/**
 * Parses a token, or returns undefined if it has another format. The result is a claim: trust it only after
 * `isGenuineCallback`.
 */
export function readCallbackToken(token: string): (CallbackScope & { signature: string }) | undefined {
  const match = /^([\w-]+)~(\d{1,15})~(\d{1,9})~([\w-]{43})$/.exec(token)
  if (match === null) return undefined
  const [, workspaceId = '', sessionKey, generation, signature = ''] = match
  return { workspaceId, sessionKey: Number(sessionKey), generation: Number(generation), signature }
}

/** Returns whether the token was signed with the workspace's secret. */
export const isGenuineCallback = (
  secret: string,
  { signature, ...scope }: CallbackScope & { signature: string }
): boolean => isSame(signature, sign(secret, scope))

const fieldsOf = ({ workspaceId, sessionKey, generation }: CallbackScope) => [
  workspaceId,
  sessionKey,
  generation
]

const sign = (secret: string, scope: CallbackScope) => signCapability(secret, 'callback', fieldsOf(scope))
