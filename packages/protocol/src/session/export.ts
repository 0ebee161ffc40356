import { Call } from '@waystation/protocol/call/call.ts'
import { Delivery } from '@waystation/protocol/external-agent/delivery.ts'
import { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { Time } from '@waystation/protocol/time.ts'
import { AuditEntry } from '@waystation/protocol/workspace/audit.ts'
import { z } from 'zod'
import { SessionEvent, SessionStatus } from './event.ts'
import { Message } from './message.ts'

/** Exports one session. `events` also includes the log, which can be long. */
export const ExportSession = z.object({ sessionId: z.string(), events: z.stringbool().default(false) })
export type ExportSession = z.infer<typeof ExportSession>

/** Exports all sessions of one end user. */
export const ExportSubject = z.object({
  subject: z.string().min(1).max(255),
  events: z.stringbool().default(false)
})
export type ExportSubject = z.infer<typeof ExportSubject>

/** A session as it appears in an export. Times are ISO 8601. */
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

const ofSession = { sessionId: z.string() }

/**
 * A line of an export. The first is `waystation-export`. Each session follows with its contents, in the order of these
 * kinds. `end` is last and has the number of lines of each kind, so a file without it is incomplete. A version can get
 * new kinds: ignore unknown ones.
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
  z.object({ type: z.literal('message'), ...ofSession, message: Message }),
  z.object({ type: z.literal('call'), ...ofSession, call: Call }),
  z.object({ type: z.literal('out-of-band'), ...ofSession, message: OutOfBand }),
  z.object({ type: z.literal('delivery'), ...ofSession, delivery: Delivery }),
  z.object({ type: z.literal('audit'), entry: AuditEntry }),
  z.object({ type: z.literal('event'), ...ofSession, event: SessionEvent }),
  z.object({ type: z.literal('end'), counts: z.record(z.string(), z.int()) })
])
export type ExportLine = z.infer<typeof ExportLine>
