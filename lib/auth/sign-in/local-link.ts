import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { ApiError } from '@waystation/base/api-error.ts'
import { publicPaths, withValue } from '#lib/kernel/public-paths.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import type { Env } from '#lib/kernel/settings/env.ts'

/** How many minutes a sign-in link works. */
export const linkMinutes = 60

type Link = { id: string; endsAt: number }

/**
 * Creates a link that signs in as the local owner, once. It needs only the server's secret, not the server. In local
 * mode, that secret is a file with mode 0600 in the data directory. `now` is in milliseconds since 1970.
 */
export function localLink({ authSecret, url }: Pick<Env, 'authSecret' | 'url'>, now = Date.now()): string {
  const payload = `${Math.floor(now / 1000) + linkMinutes * 60}.${randomBytes(12).toString('base64url')}`
  return url + withValue(publicPaths.local, `${payload}.${sign(authSecret, payload)}`)
}

/** Throws `UNAUTHENTICATED` if a link is forged, used or expired. It does not use the link. */
export async function checkLink(token: string): Promise<void> {
  const { id, endsAt } = readLink(token)
  const open = await runtime().sql`
    select where to_timestamp(${endsAt}::float8) > clock_timestamp() and not exists (select from used_links where id = ${id})`
  if (open.length === 0) throw invalidLink()
}

/**
 * Uses a link. If several requests use it at once, even in several processes, only one succeeds. Throws
 * `UNAUTHENTICATED` for the others.
 */
export async function consumeLink(token: string): Promise<void> {
  const { id, endsAt } = readLink(token)
  const used = await runtime().sql`
    insert into used_links (id, ends_at) select ${id}, ends_at from to_timestamp(${endsAt}::float8) as ends_at
    where ends_at > clock_timestamp() on conflict do nothing returning id`
  if (used.length === 0) throw invalidLink()
}

/**
 * Returns the parts of a link that this server signed, even if it is used or expired. Throws `UNAUTHENTICATED` for any
 * other link.
 */
export function readLink(token: string): Link {
  const [, payload = '', endsAt = '', id = '', signature = ''] =
    /^((\d{10})\.([\w-]{16}))\.([\w-]{43})$/.exec(token) ?? []
  const [actual, expected] = [signature, sign(runtime().env.authSecret, payload)].map(text =>
    Buffer.from(text)
  )
  if (actual?.length !== expected?.length || !timingSafeEqual(actual!, expected!)) throw invalidLink()
  return { id, endsAt: Number(endsAt) }
}

const sign = (authSecret: string, payload: string): string =>
  createHmac('sha256', authSecret).update(`local-link:${payload}`).digest('base64url')

const invalidLink = () =>
  new ApiError(
    'UNAUTHENTICATED',
    `This sign-in link was already used, is older than ${linkMinutes} minutes, or is incomplete. Run "npm run link" in the server's folder to get a new link.`
  )
