import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { HookPayloads, Run, Stepping, Watching, YieldTo } from '#lib/kernel/ports/hooks.ts'
import type { DefinedTool } from '#lib/tools/defined/read-tools.ts'
import type { Handler } from './handler.ts'

/**
 * The context of a hook call. Hooks must not store state between steps: an instance exists for one step only.
 */
export type HookContext = {
  workspaceId: string
  sessionId: string
  agentId: string
  turnId: string
  /** The only person who asked for the work. Undefined if that is not one person. */
  userId?: string | undefined
  /** The run that the step belongs to, in its state at the time of the call. */
  run: Readonly<Run>
  /** The agent's model, as in its configuration. */
  model: string
  /** The agent's wiki tools, each with the wikis that it can read. Null: all wikis of the workspace. */
  wikiTools: ReadonlyMap<string, readonly string[] | null>
  /** Aborts when the hook's time limit (5 s) has passed or the turn is stopped. */
  signal: AbortSignal
  /**
   * `afterModel` can set who acts after this step: the same agent (`self`), the user (`human`) or another agent
   * of the workspace (`agent:<its ID>`).
   */
  actions: { yieldNextRoundTo?: YieldTo }
}

/**
 * The result of a `before` or `after` hook: undefined (continue unchanged), a changed payload, or a
 * cancellation.
 */
export type Verdict<Payload> = undefined | { change: Payload } | { cancel: string }

type Awaitable<T> = T | Promise<T>

/**
 * The hooks of a plugin. `before` and `after` hooks can change or cancel something; `on` hooks only observe.
 */
export type Hooks = {
  [Point in Stepping]?: (
    payload: HookPayloads[Point],
    ctx: HookContext
    // biome-ignore lint/suspicious/noConfusingVoidType: a hook that says nothing returns nothing
  ) => Awaitable<Verdict<HookPayloads[Point]> | void>
} & {
  [Point in Watching]?: (payload: HookPayloads[Point], ctx: HookContext) => Awaitable<void>
}

/**
 * An in-process plugin. Agent configurations turn it on by its name. `hooks` is called for each step with the
 * agent's configuration, validated by `config`: a schema of zod or another Standard Schema library. A plugin
 * without `config` accepts no configuration.
 */
export type Plugin<Config = unknown> = {
  name: string
  description?: string
  config?: StandardSchemaV1<unknown, Config>
  hooks: (config: Config) => Hooks
  /** Handlers by name. An agent names one as `<plugin>/<handler>`. */
  handlers?: Readonly<Record<string, Handler>>
  /** Tools that agents can have by name, whether or not they turn the plugin on. */
  tools?: readonly DefinedTool[]
}
