import { isSame, signCapability } from '#lib/deliveries/capability.ts'
import { Identity } from '#lib/protocol/call/answerers.ts'

/**
 * What an answer link is good for: one call of one life of one session. `shownTo`: the person it was shown to, in base64url. What
 * comes by it is theirs, and not the other system's.
 */
export type AnswerScope = {
  workspaceId: string
  sessionKey: number
  generation: number
  toolCallId: string
  shownTo?: string | undefined
}

/** Where another system answers a call. The last part of the path is the capability: who has it may answer this one. */
export const answerUrl = (origin: string, secret: string, scope: AnswerScope): string =>
  `${origin}/external/calls/${[...fieldsOf(scope), sign(secret, scope)].join('~')}`

/** What a capability claims to be for; undefined for what was never one. Believe it only after `isGenuine`. */
export function readCapability(capability: string): (AnswerScope & { signature: string }) | undefined {
  const match = /^([\w-]+)~(\d{1,15})~(\d{1,9})~([\w-]{1,200})~(?:([\w-]+)~)?([\w-]{43})$/.exec(capability)
  if (match === null) return undefined
  const [, workspaceId = '', sessionKey, generation, toolCallId = '', shownTo, signature = ''] = match
  return {
    workspaceId,
    sessionKey: Number(sessionKey),
    generation: Number(generation),
    toolCallId,
    shownTo,
    signature
  }
}

/** Was this signed with the workspace's secret? */
export const isGenuine = (
  secret: string,
  { signature, ...scope }: AnswerScope & { signature: string }
): boolean => isSame(signature, sign(secret, scope))

export const shownToOf = ({ id, name }: Identity): string =>
  Buffer.from(JSON.stringify({ id, name })).toString('base64url')

/** Of a link that is genuine. */
export const readShownTo = (shownTo: string): Identity =>
  Identity.parse(JSON.parse(Buffer.from(shownTo, 'base64url').toString()))

const fieldsOf = ({ workspaceId, sessionKey, generation, toolCallId, shownTo }: AnswerScope) => [
  workspaceId,
  sessionKey,
  generation,
  toolCallId,
  ...(shownTo === undefined ? [] : [shownTo])
]

const sign = (secret: string, scope: AnswerScope) => signCapability(secret, 'answer', fieldsOf(scope))
