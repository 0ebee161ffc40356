import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor, house } from '#lib/kernel/house.ts'
import { actorFrom } from './actor-from.ts'
import { type Person, personIn } from './person-in.ts'

/** The context of whoever asks for a page. Nobody is sent to sign in. */
export async function signedIn(): Promise<Ctx> {
  const ctx = await visitor()
  return ctx ?? redirect('/sign-in')
}

/** The same, or null for nobody. Pages are the workspace's people's: a session token opens none of them. */
export async function visitor(): Promise<Ctx | null> {
  const actor = await actorFrom(await asked())
  return actor === null || actor.kind === 'subject' ? null : ctxFor(actor)
}

/** Whoever has signed in, though no workspace may know them; null for nobody. */
export const guest = async (): Promise<Person | null> => personIn(await asked())

const asked = async () => new Request(house().ports.origin, { headers: await headers() })
