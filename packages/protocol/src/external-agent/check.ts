import { AgentId } from '@waystation/protocol/agent/agent.ts'
import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'

/** Maximum length of a title from an external agent, in characters. Longer ones are cut. */
const maxTitleChars = 200

const Title = z.string().transform(title => title.trim().slice(0, maxTitleChars).toWellFormed())

/** An optional field of another system, which can also be `null`. */
const orNull = <Shape extends z.ZodType>(shape: Shape) =>
  shape.nullish().transform(value => value ?? undefined)

/** The response of an external agent's `checkUrl` to `{type: "check", sessionId}`. */
export const KnownSession = z.object({ exists: z.boolean(), title: orNull(Title) })

/**
 * The answer of an external agent about a session ID, or why there is none. `error` is our own text. It never contains
 * the external agent's response.
 */
export const ExternalCheck = z.union([
  z.object({ exists: z.boolean(), title: z.string().optional() }),
  z.object({ error: z.string() })
])
export type ExternalCheck = z.infer<typeof ExternalCheck>

/** Maximum number of conversations in a list. */
export const maxListedSessions = 100

/** The response of an external agent's `checkUrl` to `{type: "list", query?}`. */
export const KnownSessions = z.object({
  sessions: z
    .array(z.object({ sessionId: z.string(), title: orNull(Title), updatedAt: orNull(z.string()) }))
    .max(10_000)
})

/** Lists the conversations of an external agent that match the query. */
export const ListExternalSessions = z.object({ agentId: AgentId, query: z.string().max(200).optional() })
export type ListExternalSessions = z.infer<typeof ListExternalSessions>

/** Conversations of an external agent, in its order. `updatedAt` is absent if the agent sent no valid time. */
export const ExternalSessions = z.object({
  sessions: z.array(
    z.object({ sessionId: z.string(), title: z.string().optional(), updatedAt: Time.optional() })
  )
})
export type ExternalSessions = z.infer<typeof ExternalSessions>
