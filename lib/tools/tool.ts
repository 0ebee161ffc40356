import type { Outbound } from '@waystation/egress'
import type { CallAccount } from '@waystation/protocol/call/answer-policy.ts'
import type { OnDeadline, RenderHint, ToolWhere } from '@waystation/protocol/call/call.ts'
import type { Elicited } from '@waystation/protocol/call/elicitation.ts'
import type { z } from 'zod'
import type { Lease } from '#lib/engine/log/session-lock.ts'
import type { Ctx, Ports } from '#lib/kernel/ctx.ts'

/** The call that a tool runs for. */
export type RunningCall = {
  /** Sent as `Idempotency-Key` with the tool's requests. */
  toolCallId: string
  turnId: string
  /** The session's generation. */
  generation: number
  /** The agent that runs the session now. */
  speakerId: string
  /** The user whose own accounts it can use. Null: none. */
  account: CallAccount | null
  /** The answers to its MCP server's questions from earlier runs of this call. */
  elicited: readonly Elicited[]
  /** The wikis in the agent's configuration of this tool. Undefined: all wikis of the workspace. */
  wikis: readonly string[] | undefined
}

/** The context of a running server tool. */
export type ToolRun = {
  /** The database and ports, as the server itself in the session's workspace. */
  ctx: Ctx
  /** A fence for the tool's writes: a worker that lost the session cannot write. */
  lease: Lease
  call: RunningCall
  /** Aborts at the tool's timeout, when a user stops the turn, and when another worker takes the session. */
  signal: AbortSignal
  /** The tool's timeout, which `signal` includes, in milliseconds. */
  timeoutMs: number
  /** The only way to send requests (`safeFetch` of `@waystation/egress`). */
  fetch: Outbound
}

/**
 * A complete tool. To add one, create a file and list it in the registry. `where` says where calls are fulfilled, here
 * and up to the widget (002-6). Only `server` tools have `execute`. The model receives its errors as the tool's error.
 */
export type Tool<Input = never, Output = unknown> = {
  name: string
  description: string
  input: z.ZodType<Input>
  /** The schema of an answer. Unknown fields are dropped (docs/concepts/engine.md#calls). */
  output?: z.ZodType<Output>
  /** The schema of an answer that depends on the arguments, such as a question's options. */
  outputFor?: (input: Input) => z.ZodType
  where: ToolWhere
  execute?: (input: Input, run: ToolRun) => Promise<Output>
  render?: RenderHint
  /** `wikis` are those that the agent's configuration names, if any. */
  title?: (input: Input, config: { wikis?: readonly string[] | undefined }) => string
  /** Time limit of a server tool in seconds. Default: the settings (`protocol/call/tool-settings.ts`). */
  timeout?: number
  /**
   * Seconds until an open call expires. `onDeadline` is its outcome then. Defaults by kind: `engine/calls/defaults.ts`.
   */
  deadline?: number
  onDeadline?: OnDeadline
  /** True if running it twice is harmless. A call that a dead worker claimed is then run again. */
  repeatable?: boolean
  /** True if it reads wikis: those in the agent's configuration of this tool, or all. */
  readsWikis?: true
  /** True if it is about sessions: the agent's instructions then name its own session (`session-note.ts`). */
  namesSession?: true
  /** The default of the agent's `approval` setting for this tool. */
  approval?: 'ask' | 'auto'
  /** Each call needs approval of its content. No setting, rule or remembered approval changes that. */
  alwaysAsked?: true
  /** The file or plugin of the operator that defines it. Absent: it is built in. */
  source?: string
  /** True if it parses its arguments itself when it runs, so that a schema can transform them. */
  parsesInput?: true
  /** Returns why this server cannot run it, for models and users. Undefined if it can. */
  off?: (ports: Ports) => string | undefined
}
