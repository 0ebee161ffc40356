import { house } from '#lib/kernel/house.ts'
import { jsonAnswer } from './json-answer.ts'
import { serverOperations } from './operations/server.ts'
import { raw } from './raw.ts'

/** Reports the health of this process: `200` if it can do its work, else `503` with the reason. Needs no credential. */
export const health = raw(serverOperations.health, async () => {
  const { ok, body } = await house().health()
  return jsonAnswer(body, ok ? 200 : 503)
})
