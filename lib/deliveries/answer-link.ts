import { isSame, signCapability } from './capability.ts'

/** What an answer link is good for: one call of one life of one session. */
export type AnswerScope = { workspaceId: string; sessionKey: number; generation: number; toolCallId: string }

/** Where another system answers a call. The last part of the path is the capability: who has it may answer this one. */
export const answerUrl = (origin: string, secret: string, scope: AnswerScope): string =>
  `${origin}/external/calls/${[...fieldsOf(scope), sign(secret, scope)].join('~')}`

/** What a capability claims to be for; undefined for what was never one. Believe it only after `isGenuine`. */
export function readCapability(capability: string): (AnswerScope & { signature: string }) | undefined {
  const match = /^([\w-]+)~(\d{1,15})~(\d{1,9})~([\w-]{1,200})~([\w-]{43})$/.exec(capability)
  if (match === null) return undefined
  const [, workspaceId = '', sessionKey, generation, toolCallId = '', signature = ''] = match
  return {
    workspaceId,
    sessionKey: Number(sessionKey),
    generation: Number(generation),
    toolCallId,
    signature
  }
}

/** Was this signed with the workspace's secret? */
export const isGenuine = (
  secret: string,
  { signature, ...scope }: AnswerScope & { signature: string }
): boolean => isSame(signature, sign(secret, scope))

const fieldsOf = ({ workspaceId, sessionKey, generation, toolCallId }: AnswerScope) => [
  workspaceId,
  sessionKey,
  generation,
  toolCallId
]

const sign = (secret: string, scope: AnswerScope) => signCapability(secret, 'answer', fieldsOf(scope))
