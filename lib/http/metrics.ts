import { house } from '#lib/kernel/house.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { admit } from './admit.ts'
import { answerWith } from './answer-with.ts'
import { serverOperations } from './operations/server.ts'

/** Whose owners see the figures of the whole server; another workspace's owner would learn of its neighbours. */
const home = 'default'

/** What Prometheus scrapes. Also the door of a pure worker, which has no other. */
export function metrics(request: Request): Promise<Response> {
  const operation = serverOperations.metrics
  return answerWith(request, operation.path, async () => {
    const { workspaceId } = await admit(request, operation)
    if (workspaceId !== home)
      throw new Refusal(
        'FORBIDDEN',
        `The metrics cover the whole server. Only owners of the workspace "${home}" can read them.`
      )
    const { type, text } = await house().metrics()
    return new Response(text, { headers: { 'content-type': type, 'cache-control': 'no-store' } })
  })
}
