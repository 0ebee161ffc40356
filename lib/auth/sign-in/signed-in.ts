import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { actorFrom } from '#lib/auth/actor-from.ts'
import { type Person, personIn } from '#lib/auth/person-in.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor, runtime } from '#lib/kernel/runtime.ts'
import { askedHeader } from './asked-header.ts'

/** The context of whoever asks for a page. Nobody is sent to sign in, and comes back to that page. */
export async function signedIn(): Promise<Ctx> {
  return (await visitor()) ?? redirect(signInPath((await headers()).get(askedHeader) ?? '/'))
}

/** Where to sign in for a page; Next's own mark in its address (of a page that is loaded into another) is left out. */
function signInPath(asked: string): string {
  const [path = '/', ...query] = asked.split('?')
  const fields = new URLSearchParams(query.join('?'))
  fields.delete('_rsc')
  const wanted = fields.size === 0 ? path : `${path}?${fields}`
  return ['/', '/sessions'].includes(wanted)
    ? '/sign-in'
    : `/sign-in?callbackUrl=${encodeURIComponent(wanted)}`
}

/** The same, or null for nobody. Pages are the workspace's people's: a session token opens none of them. */
export async function visitor(): Promise<Ctx | null> {
  const actor = await actorFrom(await asked())
  return actor === null || actor.kind === 'subject' ? null : ctxFor(actor)
}

/** Whoever has signed in, though no workspace may know them; null for nobody. */
export const guest = async (): Promise<Person | null> => personIn(await asked())

const asked = async () => new Request(runtime().ports.origin, { headers: await headers() })
