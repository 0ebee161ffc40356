import { ApiError } from '@waystation/base/api-error.ts'
import { serverOperations } from '#lib/http/operations/server.ts'
import { raw } from '#lib/http/raw.ts'
import { runtime } from '#lib/kernel/runtime.ts'

/** Only owners of this workspace can read the metrics, because they cover all workspaces of the server. */
const metricsWorkspace = 'default'

/** Returns the metrics in the Prometheus format. */
export const metrics = raw(serverOperations.metrics, async ({ actor }) => {
  if (actor.workspaceId !== metricsWorkspace)
    throw new ApiError(
      'FORBIDDEN',
      `The metrics cover the whole server. Only owners of the workspace "${metricsWorkspace}" can read them.`
    )
  const { type, text } = await runtime().metrics()
  return new Response(text, { headers: { 'content-type': type, 'cache-control': 'no-store' } })
})
