import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { route } from '#lib/http/route.ts'
import { layOverlay } from '#lib/sessions/lay-overlay.ts'

export const PUT = route(sessionOperations.overlay, layOverlay)
