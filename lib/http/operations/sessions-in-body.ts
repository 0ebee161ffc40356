import type { z } from 'zod'
import type { Operation } from '#lib/http/operation.ts'
import { sessionOperations } from './sessions.ts'

/**
 * Declares an operation of `/api/sessions` again, below `/api/plugins/sessions/operations/` (000-5). Its whole input,
 * with the `sessionId`, is in the body, and its answer is `{ok: true, result}`. Input, permissions, errors and status
 * stay those of `of`.
 */
const inBody = <Input extends z.ZodType, Answer extends z.ZodType>(
  name: string,
  id: string,
  of: Operation<Input, Answer>
): Operation<Input, Answer> => ({
  ...of,
  id,
  method: 'POST',
  path: `/api/plugins/sessions/operations/${name}`,
  summary: `${of.summary} (input in the body)`,
  envelope: true,
  errors: [...(of.errors ?? []), ...(of.path.includes('{sessionId}') ? (['EXPIRED'] as const) : [])]
})

const { list, get, rename, send, cancel, log } = sessionOperations

/** The operations on sessions for callers that send the ID in the body. `create` and `delete` are such operations too. */
export const sessionInBodyOperations = {
  list: inBody('list', 'sessionsList', list),
  get: inBody('get', 'sessionsGet', get),
  rename: inBody('rename', 'sessionsRename', rename),
  send: inBody('send', 'sessionsSend', send),
  cancel: inBody('cancel', 'sessionsCancel', cancel),
  events: inBody('events', 'sessionsEvents', log)
}
