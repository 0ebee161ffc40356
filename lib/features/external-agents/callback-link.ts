import { isSame, signCapability } from '#lib/deliveries/capability.ts'

/** What a callback link is good for: one life of one session of a workspace. */
export type CallbackScope = { workspaceId: string; sessionKey: number; generation: number }

/**
 * Where an external agent's replies go (000-12): `<base>/external/sessions/<sessionId>/messages`, with the capability in
 * its query, so that a plain POST to it works. `base` may have a path and may end with a slash.
 */
export function callbackUrl(base: string, secret: string, sessionId: string, scope: CallbackScope): string {
  const token = [...fieldsOf(scope), sign(secret, scope)].join('~')
  return `${base.replace(/\/+$/, '')}/external/sessions/${sessionId}/messages?token=${token}`
}

/** What a token claims to be for; undefined for what was never one. Believe it only after `isGenuineCallback`. */
export function readCallbackToken(token: string): (CallbackScope & { signature: string }) | undefined {
  const match = /^([\w-]+)~(\d{1,15})~(\d{1,9})~([\w-]{43})$/.exec(token)
  if (match === null) return undefined
  const [, workspaceId = '', sessionKey, generation, signature = ''] = match
  return { workspaceId, sessionKey: Number(sessionKey), generation: Number(generation), signature }
}

/** Was this signed with the workspace's secret? */
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
