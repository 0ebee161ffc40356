import { notFound } from '@waystation/base/api-error.ts'
import type { StreamPerson } from '@waystation/plugin-host/contract.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { pluginIn } from '#lib/plugins/plugin-in.ts'
import { originOfView } from './origin-of-view.ts'

/**
 * Opens a stream to a plugin with views. The call starts when the result is read. Throws `NOT_FOUND` if there
 * is no such plugin or it has no views.
 */
export async function openStream(
  ctx: Ctx,
  { workspaceId, plugin: name }: { workspaceId: string; plugin: string }
): Promise<(...[outgoing, signal]: Relayed) => AsyncIterable<Uint8Array>> {
  const plugin = pluginIn(ctx, workspaceId, name)
  if (plugin.views.length === 0) throw notFound('stream of the plugin', name)
  const person = await personOf(ctx)
  return (outgoing, signal) => plugin.handleStream(person, outgoing, { ...originOfView(ctx), signal })
}

type Relayed = [outgoing: AsyncIterable<Uint8Array>, signal: AbortSignal]

/**
 * Returns the user of a stream, as the plugin receives it (003-14). The email address is the verified one of
 * the sign-in. API keys have none.
 */
async function personOf({ actor, sql, workspaceId }: Ctx): Promise<StreamPerson> {
  if (actor.kind !== 'person')
    return { workspaceId, userId: actor.kind === 'key' ? `key:${actor.keyId}` : actor.kind, userEmail: '' }
  const [signIn] = await sql<{ email: string | null }[]>`
    select email from sign_ins where id = ${actor.signInId ?? null} and user_id = ${actor.userId}`
  return { workspaceId, userId: actor.userId, userEmail: signIn?.email ?? '' }
}
