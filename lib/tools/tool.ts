import type { z } from 'zod'
import type { Lease } from '#lib/engine/log/session-lock.ts'
import type { Ctx, Outbound, Ports } from '#lib/kernel/ctx.ts'
import type { CallAccount } from '#lib/protocol/call/answerers.ts'
import type { CallWhere, OnDeadline, RenderHint } from '#lib/protocol/call/call.ts'
import type { Elicited } from '#lib/protocol/call/elicitation.ts'

/** The call that a tool runs for. */
export type RunningCall = {
  /** Goes out as `Idempotency-Key` with requests that change something. */
  toolCallId: string
  turnId: string
  /** Which life of the session it belongs to. */
  generation: number
  /** The agent that speaks in the session now. */
  speakerId: string
  /** Whose own accounts it can use; null: nobody's. */
  account: CallAccount | null
  /** What people answered to its server's questions when it ran before. */
  elicited: readonly Elicited[]
  /** The wikis that the agent's configuration names for this tool; undefined: all of the workspace. */
  wikis: readonly string[] | undefined
}

/** What a running server tool is given. */
export type ToolRun = {
  /** The database and ports, as the server itself in the session's workspace. */
  ctx: Ctx
  /** Fences what the tool writes: a worker that lost the session writes nothing. */
  lease: Lease
  call: RunningCall
  /** Aborted by the tool's timeout, by Stop, and when another worker took the session over. */
  signal: AbortSignal
  /** The only way out: see `net/safe-fetch.ts`. */
  fetch: Outbound
}

/**
 * A tool, whole: a new one is a new file and a line in the registry. `where` says who fulfils it, unchanged from here
 * to the widget (002-6). Only a `server` tool has `execute`; what it throws is told to the model as the tool's error.
 */
export type Tool<Input = never, Output = unknown> = {
  name: string
  description: string
  input: z.ZodType<Input>
  /** What an answer must look like; what it does not name is dropped (docs/concepts/engine.md#settle). */
  output?: z.ZodType<Output>
  /** The answer's schema when it depends on the arguments (a question's options). */
  outputFor?: (input: Input) => z.ZodType
  where: CallWhere
  execute?: (input: Input, run: ToolRun) => Promise<Output>
  render?: RenderHint
  title?: (input: Input) => string
  /** Seconds a server tool may run; as the settings say by default (`protocol/call/tool-settings.ts`). */
  timeout?: number
  /** Seconds an open call may wait, and what it comes to then; by kind when absent (`engine/calls/defaults.ts`). */
  deadline?: number
  onDeadline?: OnDeadline
  /** True: running it twice is harmless, so a claim that a dead worker left is run again. */
  repeatable?: boolean
  /** True: it reads wikis, those that its agent's `wikis` beside it names, or all. */
  readsWikis?: true
  /** Whether a person approves each call, unless the agent's config says otherwise. */
  approval?: 'ask' | 'auto'
  /** A person approves each call on what it says: nothing that anybody sets or has said before changes that. */
  alwaysAsked?: true
  /** Why this server does not run it, as a sentence for the model and for people; undefined: it runs. */
  off?: (ports: Ports) => string | undefined
}
