import type { CallKind } from '@waystation/protocol/call/call.ts'
import { isSame, signCapability } from '#lib/deliveries/capability.ts'
import { publicPaths, withValue } from '#lib/kernel/public-paths.ts'

/**
 * The scope of an answer page: one request of one call in one generation of a session, sent to one webhook.
 * The page ends if the call's `kind` changes, or the session or the webhook is deleted. For a held out-of-band
 * message, `kind` is `oob` and `toolCallId` its ID.
 */
export type PageScope = {
  workspaceId: string
  sessionKey: number
  generation: number
  kind: CallKind | 'oob'
  webhookId: string
  toolCallId: string
}

/**
 * Returns the URL of the page on which a user answers a call without signing in. The last part of the path is
 * the credential.
 */
export const answerPage = (origin: string, secret: string, scope: PageScope): string =>
  origin + withValue(publicPaths.answer, [...fieldsOf(scope), sign(secret, scope)].join('~'))

/**
 * Parses a token, or returns undefined if it has another format. The result is a claim: trust it only after
 * `isGenuinePage`.
 */
export function readPageToken(token: string): (PageScope & { signature: string }) | undefined {
  const match =
    /^([\w-]+)~(\d{1,15})~(\d{1,9})~([a-z]{1,20})~([\w-]{1,100})~([\w-]{1,200})~([\w-]{43})$/.exec(token)
  if (match === null) return undefined
  const [, workspaceId = '', key, generation, kind = '', webhookId = '', toolCallId = '', signature = ''] =
    match
  return {
    workspaceId,
    sessionKey: Number(key),
    generation: Number(generation),
    kind: kind as PageScope['kind'],
    webhookId,
    toolCallId,
    signature
  }
}

/** Returns whether the token was signed with the workspace's secret. */
export const isGenuinePage = (
  secret: string,
  { signature, ...scope }: PageScope & { signature: string }
): boolean => isSame(signature, sign(secret, scope))

const fieldsOf = (scope: PageScope) => [
  scope.workspaceId,
  scope.sessionKey,
  scope.generation,
  scope.kind,
  scope.webhookId,
  scope.toolCallId
]

const sign = (secret: string, scope: PageScope) => signCapability(secret, 'page', fieldsOf(scope))
