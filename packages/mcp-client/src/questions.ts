import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import type { McpAnswers, McpConnection, McpQuestion } from './contract.ts'
import { mcpConnection } from './mcp-connection.ts'

/** Our client capabilities: we show forms to users. We do not support URL mode, in which a server opens a browser. */
export const capabilities = { elicitation: { form: {} } }

/** How long a server can take to end a call after its question was cancelled, in milliseconds. */
const graceMs = 5000

/** Runs work with a server. `answers` answers the server's questions in the meantime. */
type RunWork = <T>(
  answers: McpAnswers,
  signal: AbortSignal,
  work: (talk: McpConnection) => Promise<T>
) => Promise<T>

/**
 * Handles an MCP server's questions to users (specification of 2025-11-25, "Elicitation", form mode). If `answers`
 * throws, the server receives `cancel`, and the call ends with that error, regardless of the server's response. The
 * caller repeats the call once it has the answer. If several calls of a client are running, a question cannot be
 * assigned to one, so it is cancelled.
 */
export function questionsOf(client: Client): RunWork {
  const running = new Set<(question: McpQuestion) => ElicitResult>()
  client.setRequestHandler(ElicitRequestSchema, ({ params }): ElicitResult => {
    const [handler, other] = running
    if (handler === undefined || other !== undefined || params.mode === 'url') return { action: 'cancel' }
    return handler({ message: params.message, schema: params.requestedSchema })
  })
  return async (answers, signal, work) => {
    let failure: { because: unknown } | undefined
    const abortCall = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const handler = (question: McpQuestion): ElicitResult => {
      if (failure !== undefined) return { action: 'cancel' }
      try {
        return answers(question) as ElicitResult
      } catch (because) {
        failure = { because }
        timer = setTimeout(() => abortCall.abort(), graceMs)
        return { action: 'cancel' }
      }
    }
    running.add(handler)
    try {
      return await work(mcpConnection(client, AbortSignal.any([signal, abortCall.signal])))
    } finally {
      running.delete(handler)
      clearTimeout(timer)
      // biome-ignore lint/correctness/noUnsafeFinally: the unanswered question decides the outcome, not the server's response
      if (failure !== undefined) throw (failure as { because: unknown }).because
    }
  }
}
