import { house } from '#lib/kernel/house.ts'
import { jsonAnswer } from './json-answer.ts'

/** How this process is: `200` when it can do its work, `503` with what is wrong. Needs no credential. */
export async function health(): Promise<Response> {
  const { ok, body } = await house().health()
  return jsonAnswer(body, ok ? 200 : 503)
}
