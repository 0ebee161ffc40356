import { ApiError } from '@waystation/base/api-error.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { isSame, signCapability } from './capability.ts'

/** How long the link to a sent file is valid, in seconds. It counts from the attempt that sends the link. */
const fileLinkSeconds = 15 * 60

/** A file in the body of a message, as it is stored. Each attempt adds a token to its URL. */
export type SentFile = { fileId: string; name: string; type: string; size: number | undefined; url: string }

/** The scope of a file link: one file in one generation of a session, until a time in seconds since 1970. */
export type FileScope = {
  workspaceId: string
  sessionKey: number
  generation: number
  fileId: string
  expires: number
}

/** A message in the body of a delivery. */
type WithSentFiles = { files?: SentFile[] }

/** A delivery whose body can have files in its message, and in the earlier messages of a history. */
type WithFiles = { workspaceId: string; sessionKey: number; body: Record<string, unknown> }

/** Returns the body of a delivery with links to its files that are valid from now on. */
export async function withFileLinks(
  ctx: Ctx,
  { workspaceId, sessionKey, body }: WithFiles
): Promise<Record<string, unknown>> {
  const { message, history = [] } = body as { message?: WithSentFiles; history?: WithSentFiles[] }
  if (![message, ...history].some(each => each?.files !== undefined)) return body
  const [row] = await ctx.sql<{ secret: string; generation: number }[]>`
    select w.link_secret as secret, h.generation from workspaces w, heads h
    where w.id = ${workspaceId} and h.session_key = ${sessionKey}`
  if (row === undefined) return body
  const expires = Math.floor(Date.now() / 1000) + fileLinkSeconds
  const { secret, generation } = row
  const withLinks = <Each extends WithSentFiles>(each: Each): Each => ({
    ...each,
    ...(each.files && { files: each.files.map(withLink) })
  })
  const withLink = (file: SentFile): SentFile => {
    const scope = { workspaceId, sessionKey, generation, fileId: file.fileId, expires }
    return { ...file, url: `${file.url}?token=${fileToken(secret, scope)}` }
  }
  return {
    ...body,
    ...(message && { message: withLinks(message) }),
    ...(body.history === undefined ? {} : { history: history.map(withLinks) })
  }
}

const fileToken = (secret: string, scope: FileScope): string =>
  [scope.workspaceId, scope.sessionKey, scope.generation, scope.expires, sign(secret, scope)].join('~')

/** Parses the token of a link to this file, or returns undefined. The result is a claim: see `checkFileLink`. */
export function readFileToken(
  token: string,
  fileId: string
): (FileScope & { signature: string }) | undefined {
  const match = /^([\w-]+)~(\d{1,15})~(\d{1,9})~(\d{1,12})~([\w-]{43})$/.exec(token)
  if (match === null) return undefined
  const [, workspaceId = '', sessionKey, generation, expires, signature = ''] = match
  return {
    workspaceId,
    sessionKey: Number(sessionKey),
    generation: Number(generation),
    expires: Number(expires),
    fileId,
    signature
  }
}

/** Checks a link with the workspace's secret. Throws `UNAUTHENTICATED` if it is forged, and `EXPIRED` after its time. */
export function checkFileLink(
  secret: string | undefined,
  link: (FileScope & { signature: string }) | undefined
): asserts link is FileScope & { signature: string } {
  if (secret === undefined || link === undefined || !isSame(link.signature, sign(secret, link)))
    throw new ApiError(
      'UNAUTHENTICATED',
      'The link to this file is not valid. Use the URL exactly as you received it.'
    )
  if (link.expires <= Date.now() / 1000)
    throw new ApiError(
      'EXPIRED',
      `The link to this file was valid for ${fileLinkSeconds / 60} minutes. Send the message again to get a new link.`
    )
}

const sign = (secret: string, { workspaceId, sessionKey, generation, fileId, expires }: FileScope) =>
  signCapability(secret, 'file', [workspaceId, sessionKey, generation, fileId, expires])
