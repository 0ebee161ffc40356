import { decimal } from '@waystation/protocol/decimal.ts'
import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'
import { InWiki, WikiName } from './wiki.ts'
import { WikiChanged } from './wiki-changed.ts'

/** Limits of the changes that are stored for one wiki. Older changes are deleted. */
export const wikiChangeLimits = { changes: 500, bytes: 16 * 1024 * 1024 }

/** A change of a wiki by an agent. */
export const WikiChange = z.object({
  ...WikiChanged.shape,
  wiki: WikiName,
  at: Time,
  agentId: z.string(),
  agentName: z.string(),
  /** The user who approved the call, while its session exists. */
  approvedBy: z.string().optional(),
  /** The session of the agent. Null after the session was deleted. */
  sessionId: z.string().nullable(),
  toolCallId: z.string(),
  undoneAt: Time.optional(),
  undoneBy: z.string().optional()
})
export type WikiChange = z.infer<typeof WikiChange>

/** Newest first. `before` is the revision of the last change of the previous page. `toolCallId`: only changes by this call. */
export const ListWikiChanges = InWiki.extend({
  before: decimal(z.int().min(1)).optional(),
  toolCallId: z.string().max(200).optional(),
  limit: decimal(z.int().min(1).max(100)).default(20)
})
export type ListWikiChanges = z.infer<typeof ListWikiChanges>

/** `nextBefore` is null on the last page. */
export const WikiChanges = z.object({ changes: z.array(WikiChange), nextBefore: z.int().nullable() })
export type WikiChanges = z.infer<typeof WikiChanges>

export const UndoWikiChange = InWiki.extend({ changeId: z.string().max(64) })
export type UndoWikiChange = z.infer<typeof UndoWikiChange>
