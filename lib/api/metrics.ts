import { serverOperations } from '#lib/http/operations/server.ts'
import { raw } from '#lib/http/raw.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { runtime } from '#lib/kernel/runtime.ts'

/** Only its owners see the figures of the whole server; an owner of another workspace would learn about others. */
const home = 'default'

/** Answers Prometheus. */
export const metrics = raw(serverOperations.metrics, async ({ actor }) => {
  if (actor.workspaceId !== home)
    throw new Refusal(
      'FORBIDDEN',
      `The metrics cover the whole server. Only owners of the workspace "${home}" can read them.`
    )
  const { type, text } = await runtime().metrics()
  return new Response(text, { headers: { 'content-type': type, 'cache-control': 'no-store' } })
})
