import type { ErrorCode } from '@waystation/protocol/error-body.ts'
import { z } from 'zod'
import type { SubjectScope } from '#lib/kernel/ctx.ts'
import type { Scope } from '#lib/kernel/scope.ts'

/** The path, query and body of a request before validation. */
export type Parts = {
  path: Record<string, unknown>
  query: Record<string, unknown>
  body: Record<string, unknown>
}

/**
 * The permitted callers of an operation: any client (`public`), or a user or API key whose role covers `scope`.
 * - `tokens`: session tokens of that scope can call it too. Only for operations on one session that are open to end
 *   users.
 * - `key`: a caller can send an API key instead of the credential in the path. The key's role must cover this scope.
 */
export type Caller =
  | { actor: 'public'; key?: Scope }
  | { actor: 'user'; scope: Scope; tokens?: never }
  | { actor: 'user'; scope: SubjectScope; tokens: true }

/** Returns whether session tokens can call it. */
export const isForTokens = (caller: Caller): boolean => caller.actor === 'user' && caller.tokens === true

/**
 * Declares an operation of the API. `lib/api` binds its verb, and `openapi.ts` documents it.
 * - `path` has its parameters in braces. Path, query (if there is no body) and body are merged into one `input`, in
 *   which the path wins. `gather` merges them in another way. `body` is then the schema of the body in the reference.
 * - `answer`: the shape of the verb's result, of each event's data (`stream`) or of each line (`lines`). It is
 *   published and types the verb. Tests validate answers against it, the server does not.
 * - `text`: the body is text, regardless of its content type. The other inputs are in the query.
 * - `plain`: the response is text, not JSON.
 * - `file`: the request body (for a GET, the response body) is a file of any content type. The other inputs are in the
 *   query.
 * - `lines`: the response is a file of JSON Lines.
 * - `envelope`: the answer is wrapped as `{ok: true, result}` (000-6).
 * - `orStatus`: a second status that a response of the same shape can have.
 * - `maxBytes` of the body, at most 2 MiB.
 * - `errors`: error codes in addition to those that every such operation has.
 */
export type Operation<Input extends z.ZodType = z.ZodType, Answer extends z.ZodType = z.ZodType> = Caller & {
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  summary: string
  input: Input
  answer: Answer
  status?: 200 | 201 | 202
  envelope?: boolean
  orStatus?: 200 | 503
  maxBytes?: number
  gather?: (parts: Parts) => unknown
  body?: z.ZodType
  stream?: boolean
  text?: boolean
  plain?: boolean
  file?: boolean
  lines?: boolean
  errors?: ErrorCode[]
}

/** Declares an operation. It only infers the types of the input and the answer. */
export const operation = <Input extends z.ZodType, Answer extends z.ZodType>(
  declared: Operation<Input, Answer>
): Operation<Input, Answer> => declared

/** Returns the schema of the response body, with its envelope if the operation has one. */
export const responseSchema = ({ answer, envelope = false }: Operation): z.ZodType =>
  envelope ? z.object({ ok: z.literal(true), result: answer }) : answer

/** Returns whether an operation's input comes in a body. Other operations use the query. */
export const hasBody = (method: Operation['method']): boolean => method !== 'GET' && method !== 'DELETE'
