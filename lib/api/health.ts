import { serverOperations } from '#lib/http/operations/server.ts'
import { raw } from '#lib/http/raw.ts'
import { jsonResponse } from '#lib/http/response/json-response.ts'
import { runtime } from '#lib/kernel/runtime.ts'

/** Reports the health of this process: `200` if it works, else `503` with the reason. It needs no credential. */
export const health = raw(serverOperations.health, async () => {
  const { ok, body } = await runtime().health()
  return jsonResponse(body, ok ? 200 : 503)
})
