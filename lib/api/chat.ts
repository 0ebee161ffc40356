import { asUiMessage } from '#lib/http/chat/as-ui-message.ts'
import { postChat, resumeChat } from '#lib/http/chat/verbs.ts'
import { bind } from '#lib/http/endpoint.ts'
import { chatOperations } from '#lib/http/operations/chat.ts'
import { stream } from '#lib/http/stream.ts'
import { followSession } from '#lib/sessions/follow.ts'
import { ingestChat } from '#lib/sessions/ingest-chat.ts'

export const chatEndpoints = bind(chatOperations, {
  post: operation => stream(operation, postChat(ingestChat, followSession), asUiMessage),
  resume: operation => stream(operation, resumeChat(followSession), asUiMessage)
})
