import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { HookPayloads, Run, Stepping, Watching, YieldTo } from '#lib/kernel/ports/hooks.ts'

/** What a hook knows of where it runs. All that it may remember is in what it is given: an instance lives for one round. */
export type HookContext = {
  workspaceId: string
  sessionId: string
  agentId: string
  turnId: string
  /** The run that the round belongs to, as it is when the hook is called. */
  run: Readonly<Run>
  /** The agent's model, as its configuration names it. */
  model: string
  /** The server's wiki tools that the agent has, each with the wikis that it can read; null: all of the workspace. */
  wikiTools: ReadonlyMap<string, readonly string[] | null>
  /** Aborted when the hook's time is over (5 s), and when the turn is stopped. */
  signal: AbortSignal
  /** Set by `afterModel`: after this round the agent goes on by itself (`self`), waits for the person (`human`), or another agent
   * of the workspace goes on (`agent:<its ID>`). */
  actions: { yieldNextRoundTo?: YieldTo }
}

/** What a `before` or `after` hook says: nothing (it goes on as it is), something in its place, or that it is not to be. */
export type Verdict<Payload> = undefined | { change: Payload } | { cancel: string }

type Awaitable<T> = T | Promise<T>

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
 * A plugin, whole: its name, by which agents' configurations switch it on, and its hooks. `hooks` is called anew for every
 * round with what the agent's configuration says, checked by `config`: a schema of any library that speaks Standard Schema
 * (zod does); without one there is nothing to configure.
 */
export type Plugin<Config = unknown> = {
  name: string
  description?: string
  config?: StandardSchemaV1<unknown, Config>
  hooks: (config: Config) => Hooks
}
