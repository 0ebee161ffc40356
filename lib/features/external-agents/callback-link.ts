import { isSame, signCapability } from '#lib/deliveries/capability.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * The scope of a callback link: one generation of one session. `agentId` is set if the session was handed to this
 * external agent. The link then stops working when another agent takes over.
 */
export type CallbackScope = Pick<LockedSession, 'workspaceId' | 'sessionKey' | 'generation'> &
  Partial<Pick<LockedSession, 'agentId'>>

/** Returns the scope of the links that an external agent receives for a session. */
export const scopeOf = (
  { workspaceId, sessionKey, generation, agentId: owner }: Required<CallbackScope>,
  agentId: string
): CallbackScope => ({ workspaceId, sessionKey, generation, ...(agentId === owner ? {} : { agentId }) })

/**
 * Returns the URL for an external agent's replies (000-12): `<base>/external/sessions/<sessionId>/messages`.
 * The token is in its query, so that a plain POST works. `base` can have a path and a trailing slash.
 */
export const callbackUrl = (base: string, secret: string, sessionId: string, scope: CallbackScope): string =>
  linkTo('messages', base, secret, sessionId, scope)

/** Returns the URL at which an external agent ends the task of a sub-agent (001-16). */
export const finishUrl = (base: string, secret: string, sessionId: string, scope: CallbackScope): string =>
  linkTo('finish', base, secret, sessionId, scope)

/** Returns the URL at which an external agent opens calls. */
export const callsUrl = (base: string, secret: string, sessionId: string, scope: CallbackScope): string =>
  linkTo('calls', base, secret, sessionId, scope)

/** Returns the URL of one call of an external agent, or its `fetchUrl`. The token is valid only for this call. */
export const callUrl = (
  base: string,
  secret: string,
  sessionId: string,
  scope: CallbackScope,
  toolCallId: string,
  end?: 'fetch'
): string =>
  linkTo(
    `calls/${toolCallId}${end === undefined ? '' : `/${end}`}`,
    base,
    secret,
    sessionId,
    scope,
    toolCallId
  )

function linkTo(
  end: string,
  base: string,
  secret: string,
  sessionId: string,
  scope: CallbackScope,
  toolCallId?: string
): string {
  const token = [...fieldsOf(scope), sign(secret, scope, toolCallId)].join('~')
  return `${base.replace(/\/+$/, '')}/external/sessions/${sessionId}/${end}?token=${token}`
}

/**
 * Parses a token, or returns undefined if it has another format. The result is a claim: trust it only after
 * `isGenuineCallback`.
 */
export function readCallbackToken(token: string): (CallbackScope & { signature: string }) | undefined {
  const match = /^([\w-]+)~(\d{1,15})~(\d{1,9})(?:~([\w-]{1,64}))?~([\w-]{43})$/.exec(token)
  if (match === null) return undefined
  const [, workspaceId = '', sessionKey, generation, agentId, signature = ''] = match
  const scope = { workspaceId, sessionKey: Number(sessionKey), generation: Number(generation), signature }
  return agentId === undefined ? scope : { ...scope, agentId }
}

/** Returns whether the token was signed with the workspace's secret: for the session, or only for `toolCallId`. */
export const isGenuineCallback = (
  secret: string,
  { signature, ...scope }: CallbackScope & { signature: string },
  toolCallId?: string
): boolean => isSame(signature, sign(secret, scope, toolCallId))

const fieldsOf = ({ workspaceId, sessionKey, generation, agentId }: CallbackScope) => [
  workspaceId,
  sessionKey,
  generation,
  ...(agentId === undefined ? [] : [agentId])
]

const sign = (secret: string, scope: CallbackScope, toolCallId?: string) =>
  toolCallId === undefined
    ? signCapability(secret, 'callback', fieldsOf(scope))
    : signCapability(secret, 'call', [...fieldsOf(scope), toolCallId])

/** Returns the secret that signs a workspace's links; undefined if there is no such workspace. */
export async function linkSecretOf({ sql }: Ctx, workspaceId: string): Promise<string | undefined> {
  const [row] = await sql<{ secret: string }[]>`
    select link_secret as secret from workspaces where id = ${workspaceId}`
  return row?.secret
}
