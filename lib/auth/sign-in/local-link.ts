import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { Refusal } from '#lib/kernel/refusal.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import type { Env } from '#lib/kernel/settings/env.ts'

/** How long a sign-in link works, in minutes. */
export const linkMinutes = 60

type Link = { id: string; endsAt: number }

/**
 * A link that signs in as the local owner, once. Whoever has the server's secret can make one without the server: in local
 * mode that secret is a file in the data directory with mode 0600. `now`: milliseconds since 1970.
 */
export function localLink({ authSecret, url }: Pick<Env, 'authSecret' | 'url'>, now = Date.now()): string {
  const named = `${Math.floor(now / 1000) + linkMinutes * 60}.${randomBytes(12).toString('base64url')}`
  return `${url}/local/${named}.${sign(authSecret, named)}`
}

/** Refuses (`UNAUTHENTICATED`) a link that is forged, used or past its end. Looking does not use it. */
export async function checkLink(token: string): Promise<void> {
  const { id, endsAt } = readLink(token)
  const open = await runtime().sql`
    select where to_timestamp(${endsAt}::float8) > clock_timestamp() and not exists (select from used_links where id = ${id})`
  if (open.length === 0) throw unusable()
}

/** Uses a link up. Of several requests at once, also in several processes, one passes; `UNAUTHENTICATED` for the others. */
export async function takeLink(token: string): Promise<void> {
  const { id, endsAt } = readLink(token)
  const taken = await runtime().sql`
    insert into used_links (id, ends_at) select ${id}, ends_at from to_timestamp(${endsAt}::float8) as ends_at
    where ends_at > clock_timestamp() on conflict do nothing returning id`
  if (taken.length === 0) throw unusable()
}

/** The parts of a link that this server made, whether it still opens or not; `UNAUTHENTICATED` for any other. */
export function readLink(token: string): Link {
  const [, named = '', endsAt = '', id = '', signature = ''] =
    /^((\d{10})\.([\w-]{16}))\.([\w-]{43})$/.exec(token) ?? []
  const [given, expected] = [signature, sign(runtime().env.authSecret, named)].map(text => Buffer.from(text))
  if (given?.length !== expected?.length || !timingSafeEqual(given!, expected!)) throw unusable()
  return { id, endsAt: Number(endsAt) }
}

const sign = (authSecret: string, named: string): string =>
  createHmac('sha256', authSecret).update(`local-link:${named}`).digest('base64url')

const unusable = () =>
  new Refusal(
    'UNAUTHENTICATED',
    `This sign-in link was already used, is older than ${linkMinutes} minutes, or is incomplete. Run "npm run link" in the server's folder to get a new link.`
  )
