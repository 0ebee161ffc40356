import { preflight } from '#lib/http/cors.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { download } from '#lib/http/stream.ts'
import { exportSession } from '#lib/sessions/export-session.ts'

export const GET = download(sessionOperations.export, exportSession, ({ sessionId }) => sessionId)
export const OPTIONS = preflight
