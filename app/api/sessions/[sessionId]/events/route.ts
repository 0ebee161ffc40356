import { preflight } from '#lib/http/cors.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { stream } from '#lib/http/stream.ts'
import { followSession } from '#lib/sessions/follow.ts'

export const GET = stream(sessionOperations.follow, followSession, event => ({
  id: event.seq,
  event: event.type,
  data: event
}))
export const OPTIONS = preflight
