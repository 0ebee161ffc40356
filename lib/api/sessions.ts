import { listDeliveries } from '#lib/deliveries/list.ts'
import { exportSession } from '#lib/features/data/export-session.ts'
import { handOffSession } from '#lib/features/delegation/hand-off-session.ts'
import { markRead } from '#lib/features/unread/mark-read.ts'
import { bind } from '#lib/http/endpoint.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { asEvents, asLines } from '#lib/http/response/formats.ts'
import { route } from '#lib/http/route.ts'
import { stream } from '#lib/http/stream.ts'
import { cancelTurn } from '#lib/sessions/cancel-turn.ts'
import { getContext } from '#lib/sessions/context/get-context.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { followSession } from '#lib/sessions/follow.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { branchSession } from '#lib/sessions/history/branch-session.ts'
import { removeTurn } from '#lib/sessions/history/remove-turn.ts'
import { rerunTurn } from '#lib/sessions/history/rerun-turn.ts'
import { listLog } from '#lib/sessions/list-log.ts'
import { listSessions } from '#lib/sessions/list-sessions.ts'
import { pinRevision } from '#lib/sessions/pin-revision.ts'
import { removeMessage } from '#lib/sessions/remove-message.ts'
import { renameSession } from '#lib/sessions/rename-session.ts'
import { retryTurn } from '#lib/sessions/retry-turn.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { setOverlay } from '#lib/sessions/set-overlay.ts'

export const sessionEndpoints = bind(sessionOperations, {
  create: operation => route(operation, createSession),
  delete: operation => route(operation, deleteSession),
  list: operation => route(operation, listSessions),
  get: operation => route(operation, getSession),
  rename: operation => route(operation, renameSession),
  read: operation => route(operation, markRead),
  pin: operation => route(operation, pinRevision),
  handOff: operation => route(operation, handOffSession),
  overlay: operation => route(operation, setOverlay),
  send: operation => route(operation, sendMessage),
  removeMessage: operation => route(operation, removeMessage),
  cancel: operation => route(operation, cancelTurn),
  retry: operation => route(operation, retryTurn),
  rerunTurn: operation => route(operation, rerunTurn),
  removeTurn: operation => route(operation, removeTurn),
  branch: operation => route(operation, branchSession),
  log: operation => route(operation, listLog),
  context: operation => route(operation, getContext),
  deliveries: operation => route(operation, listDeliveries),
  export: operation =>
    stream(
      operation,
      exportSession,
      asLines(({ sessionId }) => sessionId)
    ),
  follow: operation =>
    stream(
      operation,
      followSession,
      asEvents(event => ({ id: event.seq, event: event.type, data: event }))
    )
})
