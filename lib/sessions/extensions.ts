import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Env } from '#lib/kernel/settings/env.ts'
import type { TakenFiles } from '#lib/models/provider.ts'
import type { ChatConfig, ExternalConfig } from '#lib/protocol/agent/agent.ts'
import type { ActiveItem, ActivePage } from '#lib/protocol/external-agent/active-item.ts'
import type { OutOfBand } from '#lib/protocol/out-of-band/out-of-band.ts'
import type { Snapshot } from '#lib/protocol/session/event.ts'
import type { ListedSession } from '#lib/protocol/session/listed-session.ts'
import type { Message } from '#lib/protocol/session/message.ts'

declare module '#lib/kernel/ctx.ts' {
  interface Ports {
    readonly sessions: SessionExtensions
    readonly fileLimits: Env['files']
    /** Which kinds of files the model of this agent accepts. */
    readonly takenFiles: (chat: Pick<ChatConfig, 'model' | 'attachments'>) => TakenFiles
  }
}

/** What features add to the verbs of sessions (`compose/extensions.ts`). */
export type SessionExtensions = {
  /** What each adds to the snapshot of a session, in the transaction that reads it. */
  readonly snapshot: readonly ((tx: Ctx, sessionKey: number) => Promise<Partial<Snapshot>>)[]
  /** What each adds to sessions of a list, by their keys. */
  readonly listed: readonly ((
    ctx: Ctx,
    sessionKeys: readonly number[]
  ) => Promise<Map<number, Partial<ListedSession>>>)[]
  /** A wiki page as it is now, to go along with a message (000-21). Throws a `Refusal` when the caller cannot read it. */
  readonly readPage: (ctx: Ctx, page: ActivePage) => Promise<ActiveItem>
  /** Sessions of external agents. The head is locked. */
  readonly external: {
    /** Ends the replies that are being written. */
    closeReplies: (tx: Ctx, head: LockedSession) => Promise<void>
    /** Delivers a person's message. `active` goes along (000-21). */
    forwardMessage: (
      tx: Ctx,
      head: LockedSession,
      message: Message,
      config: ExternalConfig,
      active?: ActiveItem
    ) => Promise<void>
    forwardOutOfBand: (
      tx: Ctx,
      head: LockedSession,
      message: OutOfBand,
      config: ExternalConfig
    ) => Promise<void>
  }
}
