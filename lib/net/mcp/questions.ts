import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import type { McpAnswers, McpQuestion, McpTalk } from '#lib/kernel/ports/mcp-talk.ts'
import { talkWith } from './talk.ts'

/** What we say of ourselves at hello: forms are shown to people; no server has a browser opened (URL mode). */
export const capabilities = { elicitation: { form: {} } }

/** How long a server may take to end a call whose question nobody answers yet, in milliseconds. */
const grace = 5000

/** Work with a server; `answers` says what it is told when it asks something meanwhile. */
type During = <T>(answers: McpAnswers, signal: AbortSignal, work: (talk: McpTalk) => Promise<T>) => Promise<T>

/**
 * Hears what an MCP server asks people (specification of 2025-11-25, "Elicitation", form mode). A call whose question is not
 * answered yet is told `cancel`, ends, and throws what `answers` threw, whatever the server makes of it: it is made again with
 * the answer. Where several calls of one client are under way nobody can tell whose question it is, and it is told `cancel`.
 */
export function questionsOf(client: Client): During {
  const under = new Set<(question: McpQuestion) => ElicitResult>()
  client.setRequestHandler(ElicitRequestSchema, ({ params }): ElicitResult => {
    const [only, other] = under
    if (only === undefined || other !== undefined || params.mode === 'url') return { action: 'cancel' }
    return only({ message: params.message, schema: params.requestedSchema })
  })
  return async (answers, signal, work) => {
    let unanswered: { because: unknown } | undefined
    const ends = new AbortController()
    let late: NodeJS.Timeout | undefined
    const one = (question: McpQuestion): ElicitResult => {
      if (unanswered !== undefined) return { action: 'cancel' }
      try {
        return answers(question) as ElicitResult
      } catch (because) {
        unanswered = { because }
        late = setTimeout(() => ends.abort(), grace)
        return { action: 'cancel' }
      }
    }
    under.add(one)
    try {
      return await work(talkWith(client, AbortSignal.any([signal, ends.signal])))
    } finally {
      under.delete(one)
      clearTimeout(late)
      // biome-ignore lint/correctness/noUnsafeFinally: what the server made of a question without an answer is not what the call came to
      if (unanswered !== undefined) throw (unanswered as { because: unknown }).because
    }
  }
}
