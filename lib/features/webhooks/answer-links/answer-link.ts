import { Identity } from '@waystation/protocol/call/answer-policy.ts'
import { isSame, signCapability } from '#lib/deliveries/capability.ts'

/**
 * The scope of an answer link: one call in one generation of one session. `shownTo` is the user who saw the
 * link, in base64url. Answers through such a link are attributed to that user.
 */
export type AnswerScope = {
  workspaceId: string
  sessionKey: number
  generation: number
  toolCallId: string
  shownTo?: string | undefined
}

/**
 * Returns the URL at which an external tool answers a call. The last part of the path is the capability: its
 * holder can answer this call.
 */
export const answerUrl = (origin: string, secret: string, scope: AnswerScope): string =>
  `${origin}/external/calls/${[...fieldsOf(scope), sign(secret, scope)].join('~')}`

/**
 * Parses a capability, or returns undefined if it has another format. The result is a claim: trust it only
 * after `isGenuine`.
 */
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

/** Returns whether the capability was signed with the workspace's secret. */
export const isGenuine = (
  secret: string,
  { signature, ...scope }: AnswerScope & { signature: string }
): boolean => isSame(signature, sign(secret, scope))

/** Encodes a user for `AnswerScope.shownTo`. */
export const shownToOf = ({ id, name }: Identity): string =>
  Buffer.from(JSON.stringify({ id, name })).toString('base64url')

/** Decodes the user from a genuine link. Throws if the text is not one that `shownToOf` created. */
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
