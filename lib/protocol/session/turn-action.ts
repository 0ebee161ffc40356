import { z } from 'zod'
import { UserPart } from './message.ts'
import { ClientTool, InSession, Key } from './session.ts'

/**
 * A turn of a conversation, named by any message in it: a person's message and what the agent did from there to the next
 * person's.
 */
const InTurn = InSession.extend({ messageId: z.string().min(1).max(200) })

/**
 * Runs a turn again. `text` or `parts`: with other words (its files stay with a `text`). `calls`: what waits for an
 * answer in the turns that go is cancelled; without it their being open refuses the whole.
 */
export const RerunTurn = InTurn.extend({
  text: z.string().optional(),
  parts: z.array(UserPart).min(1).max(50).optional(),
  calls: z.boolean().default(false),
  key: Key.optional(),
  clientTools: z.array(ClientTool).max(64).optional()
})
export type RerunTurn = z.infer<typeof RerunTurn>

export const RemoveTurn = InTurn.extend({ calls: z.stringbool().default(false) })
export type RemoveTurn = z.infer<typeof RemoveTurn>

export const RemovedTurn = z.object({ messageIds: z.array(z.string()) })
export type RemovedTurn = z.infer<typeof RemovedTurn>

export const BranchSession = InTurn.extend({ key: Key.optional() })
export type BranchSession = z.infer<typeof BranchSession>

export const Branched = z.object({ sessionId: z.string(), agentId: z.string(), title: z.string() })
export type Branched = z.infer<typeof Branched>

/** Why messages went out of a conversation: asked again, asked otherwise, or deleted. */
export const TakenOut = z.enum(['rerun', 'edit', 'delete'])
export type TakenOut = z.infer<typeof TakenOut>
