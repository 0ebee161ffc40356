import type { ChatConfig, ExternalAgent } from '@waystation/protocol/agent/agent.ts'
import type { Identity } from '@waystation/protocol/call/answer-policy.ts'
import type { ActiveItem, ActivePage } from '@waystation/protocol/external-agent/active-item.ts'
import type { ExternalCheck } from '@waystation/protocol/external-agent/check.ts'
import type { HeldMessage } from '@waystation/protocol/out-of-band/held-message.ts'
import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { Snapshot } from '@waystation/protocol/session/event.ts'
import type { AcceptedFiles } from '@waystation/protocol/session/file.ts'
import type { ListedSession } from '@waystation/protocol/session/listed-session.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Env } from '#lib/kernel/settings/env.ts'

declare module '#lib/kernel/ctx.ts' {
  interface Ports {
    readonly sessions: SessionExtensions
    readonly fileLimits: Env['files']
    /** Which kinds of files the model of this agent accepts. */
    readonly acceptedFiles: (
      ctx: Ctx,
      chat: Pick<ChatConfig, 'model' | 'attachments'>
    ) => Promise<AcceptedFiles>
  }
}

/** The parts that features add to the verbs of sessions (`compose/extensions.ts`). */
export type SessionExtensions = {
  /** Functions that add to a session's snapshot, in the transaction that reads it. */
  readonly snapshot: readonly ((tx: Ctx, sessionKey: number) => Promise<Partial<Snapshot>>)[]
  /** Functions that add to the sessions of a list, by their keys. */
  readonly listed: readonly ((
    ctx: Ctx,
    sessionKeys: readonly number[]
  ) => Promise<Map<number, Partial<ListedSession>>>)[]
  /** Lists the workspace's out-of-band messages that wait for approval. */
  readonly listHeld: (ctx: Ctx) => Promise<HeldMessage[]>
  /**
   * Reads the current state of a wiki page for a message to an external agent (000-21). Throws if the caller cannot
   * read it.
   */
  readonly readPage: (ctx: Ctx, page: ActivePage) => Promise<ActiveItem>
  /** Sessions whose current agent is external. All of these except `check` need the session's lock. */
  readonly external: {
    /** Asks an external agent whether it knows a session ID (000-22). Undefined: it cannot be asked. */
    check: (ctx: Ctx, at: { agentId: string; sessionId: string }) => Promise<ExternalCheck | undefined>
    /** Ends the replies that are still being written. */
    closeReplies: (tx: Ctx, session: LockedSession) => Promise<void>
    /** Delivers a user's message, together with the item that the user has open (`active`, 000-21). */
    forwardMessage: (
      tx: Ctx,
      session: LockedSession,
      message: Message,
      agent: ExternalAgent,
      options: { active?: ActiveItem | undefined; sender: Identity }
    ) => Promise<void>
    forwardOutOfBand: (
      tx: Ctx,
      session: LockedSession,
      message: OutOfBand,
      agent: ExternalAgent
    ) => Promise<void>
    /** Ends the replies and the status line of an agent that another one replaces. */
    leave: (tx: Ctx, session: LockedSession) => Promise<void>
    /** Lets the external agent of a handoff take over a session without a live turn (003-11). */
    takeOver: (tx: Ctx, session: LockedSession) => Promise<void>
    /** Asks the agent to stop, if it works. */
    stop: (tx: Ctx, session: LockedSession, agent: ExternalAgent) => Promise<void>
  }
}
