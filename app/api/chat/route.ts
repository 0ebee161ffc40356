import { uiMessageStream } from '#lib/http/chat/ui-message-stream.ts'
import { postChat } from '#lib/http/chat/verbs.ts'
import { preflight } from '#lib/http/cors.ts'
import { chatOperations } from '#lib/http/operations/chat.ts'
import { followSession } from '#lib/sessions/follow.ts'
import { takeChat } from '#lib/sessions/take-chat.ts'

export const POST = uiMessageStream(chatOperations.post, postChat(takeChat, followSession))
export const OPTIONS = preflight
