import { z } from 'zod'
import type { SubjectScope } from '#lib/kernel/ctx.ts'
import type { Scope } from '#lib/kernel/scope.ts'
import type { RefusalCode } from '#lib/protocol/refusal.ts'

/** A request taken apart: what its address, its query and its body say, before anybody has judged it. */
export type Parts = {
  path: Record<string, unknown>
  query: Record<string, unknown>
  body: Record<string, unknown>
}

/**
 * Who can call: any client, or a person or key whose role covers the scope. With `tokens`, session tokens of that scope
 * too: only calls about one session, and nothing that is for its workspace's people. With `key`, a public call can send an
 * API key instead of the credential in its address; the key's role must cover that scope.
 */
export type Caller =
  | { actor: 'public'; key?: Scope }
  | { actor: 'user'; scope: Scope; tokens?: never }
  | { actor: 'user'; scope: SubjectScope; tokens: true }

/** Whether session tokens open it at all. */
export const isForTokens = (caller: Caller): boolean => caller.actor === 'user' && caller.tokens === true

/**
 * One call of the API, declared once. `lib/api` names its verb, `openapi.ts` makes its page in the reference.
 *
 * - `path` has its parameters in braces; they, the query (without a body) and the body make up one `input`, in which
 *   the path wins. `gather` does it another way; `body` then is the schema of the body for the reference.
 * - `answer`: the shape of what its verb answers; of a stream, of each event's data; of `lines`, of each. It is published and it types the
 *   verb; answers are held against it in tests, not while serving.
 * - `text`: the body is text, whatever its content type says, and the rest of the input stands in the query.
 * - `plain`: the answer is text, not JSON.
 * - `file`: the body (of a GET the answer) is a file's bytes, of any content type; the rest of the input stands in the query.
 * - `lines`: the answer is a file of JSON lines.
 * - `envelope`: the answer is wrapped as `{ok: true, result}` (000-6).
 * - `orStatus`: another status that an answer of the same shape may have.
 * - `maxBytes` of the body, at most the 2 MiB of any.
 * - `refusals`: the codes beyond those that every such call can have.
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
  orStatus?: 503
  maxBytes?: number
  gather?: (parts: Parts) => unknown
  body?: z.ZodType
  stream?: boolean
  text?: boolean
  plain?: boolean
  file?: boolean
  lines?: boolean
  refusals?: RefusalCode[]
}

/** Declares a call; only there so that the types of its input and its answer are kept. */
export const operation = <Input extends z.ZodType, Answer extends z.ZodType>(
  declared: Operation<Input, Answer>
): Operation<Input, Answer> => declared

/** The shape of a call's answer as it is sent, with its envelope where it has one. */
export const sentAnswer = ({ answer, envelope = false }: Operation): z.ZodType =>
  envelope ? z.object({ ok: z.literal(true), result: answer }) : answer

/** Whether a call's input comes in a body; the others have a query. */
export const hasBody = (method: Operation['method']): boolean => method !== 'GET' && method !== 'DELETE'
