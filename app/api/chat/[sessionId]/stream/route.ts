import { uiMessageStream } from '#lib/http/chat/ui-message-stream.ts'
import { resumeChat } from '#lib/http/chat/verbs.ts'
import { preflight } from '#lib/http/cors.ts'
import { chatOperations } from '#lib/http/operations/chat.ts'
import { followSession } from '#lib/sessions/follow.ts'

export const GET = uiMessageStream(chatOperations.resume, resumeChat(followSession))
export const OPTIONS = preflight
