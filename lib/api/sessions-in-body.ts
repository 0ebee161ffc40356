import { bind } from '#lib/http/endpoint.ts'
import { sessionInBodyOperations } from '#lib/http/operations/sessions-in-body.ts'
import { route } from '#lib/http/route.ts'
import { cancelTurn } from '#lib/sessions/cancel-turn.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { listLog } from '#lib/sessions/list-log.ts'
import { listSessions } from '#lib/sessions/list-sessions.ts'
import { renameSession } from '#lib/sessions/rename-session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'

export const sessionInBodyEndpoints = bind(sessionInBodyOperations, {
  list: operation => route(operation, listSessions),
  get: operation => route(operation, getSession),
  rename: operation => route(operation, renameSession),
  send: operation => route(operation, sendMessage),
  cancel: operation => route(operation, cancelTurn),
  events: operation => route(operation, listLog)
})
