import { z } from 'zod'
import { Call } from '#lib/protocol/call/call.ts'
import { Delivery } from '#lib/protocol/external-agent/delivery.ts'
import { OutOfBand } from '#lib/protocol/out-of-band/out-of-band.ts'
import { Time } from '#lib/protocol/time.ts'
import { AuditEntry } from '#lib/protocol/workspace/audit.ts'
import { SessionEvent, SessionStatus } from './event.ts'
import { Message } from './message.ts'

/** What an export is of: a session, or every session of one end user. `events`: with the log itself, which is long. */
export const ExportSession = z.object({ sessionId: z.string(), events: z.stringbool().default(false) })
export type ExportSession = z.infer<typeof ExportSession>

export const ExportSubject = z.object({
  subject: z.string().min(1).max(255),
  events: z.stringbool().default(false)
})
export type ExportSubject = z.infer<typeof ExportSubject>

/** A session as an export names it. Times are ISO 8601. */
const ExportedSession = z.object({
  id: z.string(),
  agentId: z.string(),
  subject: z.string().optional(),
  title: z.string(),
  status: SessionStatus,
  createdBy: z.string(),
  createdAt: Time,
  activeAt: Time
})

const of = { sessionId: z.string() }

/**
 * A line of an export: `waystation-export` first, then each session, and behind it what is in it, in the order of these
 * kinds. `end` is last and says how many lines there were of each kind: a file without it is not whole. New kinds may come
 * within a version: ignore what you don't know.
 */
export const ExportLine = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('waystation-export'),
    version: z.literal(1),
    at: Time,
    sessionId: z.string().optional(),
    subject: z.string().optional()
  }),
  z.object({ type: z.literal('session'), session: ExportedSession }),
  z.object({ type: z.literal('message'), ...of, message: Message }),
  z.object({ type: z.literal('call'), ...of, call: Call }),
  z.object({ type: z.literal('out-of-band'), ...of, message: OutOfBand }),
  z.object({ type: z.literal('delivery'), ...of, delivery: Delivery }),
  z.object({ type: z.literal('audit'), entry: AuditEntry }),
  z.object({ type: z.literal('event'), ...of, event: SessionEvent }),
  z.object({ type: z.literal('end'), counts: z.record(z.string(), z.int()) })
])
export type ExportLine = z.infer<typeof ExportLine>
