import type { Round, RunState, Step } from '#lib/engine/turn/turn.ts'
import type { Begun } from '#lib/engine/worker/begin-step/begin-step.ts'
import { inputOf, readRun } from '#lib/engine/worker/read-run.ts'
import type { TurnWork, WorkerContext } from '#lib/engine/worker/worker-context.ts'
import { newId } from '#lib/kernel/ids.ts'
import { log } from '#lib/kernel/log.ts'
import { redactedOr } from '#lib/kernel/redact.ts'
import { durationFilter } from '#lib/plugins/built-in/duration-filter.ts'
import { hooksOf } from '#lib/plugins/hooks-of.ts'
import type { Plugins } from '#lib/plugins/load-plugins.ts'
import type { HookRun } from '#lib/protocol/plugin/hook.ts'
import { hostedPlugins } from '#lib/tools/hosted-plugins.ts'
import { wikiToolsOf } from '#lib/tools/resolve.ts'
import { storableResult } from './record-outcome.ts'
import { redactHooks } from './redact-hooks.ts'
import { replaceInput } from './replace-input.ts'
import { replaceResult } from './replace-result.ts'
import type { Setup } from './setup.ts'
import { unheardResults } from './unheard-results.ts'

/** In the place of a plugin's words that cannot be redacted. */
const unkept = 'The text could not be redacted.'

/**
 * The rounds of a turn: what the agent's plugins do in each. `tell` shows in the conversation what a plugin did; it appends to the
 * message that the turn writes.
 */
export function roundsOf(
  { ctx, writer, windows, lease, control }: WorkerContext,
  { turnId, sessionId }: TurnWork,
  plugins: Plugins,
  notify: { onLost(): void; onCancel(turnId: string): void }
) {
  /** Undefined while no plugin had to know of it. */
  let run: RunState | undefined
  const unknownRun: RunState = { input: '', rounds: 0, resumed: false }
  let messageId = ''
  let hasPlugins: boolean | undefined
  const look = async ({ plugins = [] }: Setup['chat']) => {
    const hosted = await hostedPlugins(ctx)
    hasPlugins = plugins.length > 0 || hosted.some(({ events }) => events.length > 0)
    return hosted
  }

  const tell = ({ words, ...run }: HookRun) => {
    const data = words === undefined ? run : { ...run, words: redactedOr(ctx, 'model', words, unkept) }
    if (run.outcome === 'failed') log('warn', 'a plugin failed', data)
    const chunk = { type: 'data-hook' as const, id: newId('hook'), data }
    writer.push(lease, { type: 'chunk', turnId, messageId, chunk }, notify)
  }

  /** Reads the run as it is now. `begun`: the step that begins; the first one of a turn may begin a run. */
  const readRunNow = async (agentId: string, begun?: Extract<Begun, { kind: 'step' }>): Promise<void> => {
    if (run !== undefined && begun?.round !== 1) return
    const ahead = run?.opened === true ? run : undefined
    if (ahead !== undefined && begun?.said.length === 0) return
    const { input, rounds, before } = await readRun(ctx, lease.sessionKey, turnId)
    const parked = begun?.left && {
      ...begun.left,
      input: await inputOf(ctx, lease.sessionKey, begun.left.from)
    }
    const left = ahead ?? parked
    const by = begun?.lastAgentId ?? agentId
    run = {
      input,
      rounds,
      resumed: before > 0,
      ...(left === undefined ? {} : { left: { input: left.input, rounds: left.rounds, agentId: by } })
    }
  }

  return {
    tell,
    /** Where what plugins do is shown from now on. */
    writesIn(id: string) {
      messageId = id
    },
    get messageId() {
      return messageId
    },
    /** Whether any plugin takes part, as of the last round: to look again would wait for those that are starting. */
    async hasPlugins({ chat }: Setup): Promise<boolean> {
      if (hasPlugins === undefined) await look(chat)
      return hasPlugins === true
    },
    /** A new round of this setup's plugins. */
    async begin(
      { running, chat, tools }: Setup,
      begun?: Extract<Begun, { kind: 'step' }>
    ): Promise<Round & Pick<Step, 'filter'>> {
      const { agentId } = running.config
      const hosted = await look(chat)
      if (hasPlugins) await readRunNow(agentId, begun)
      const now = run ?? unknownRun
      const about = {
        workspaceId: ctx.workspaceId,
        sessionId,
        agentId,
        turnId,
        get run() {
          const { opened: _, ...shown } = now
          return shown
        },
        model: chat.model,
        wikiTools: wikiToolsOf(tools)
      }
      const { signal } = control.stop
      const made = await hooksOf(plugins, chat.plugins, about, { signal, tell }, hosted)
      // The prompt's states show what the filter removed. The conversation shows only that it failed.
      const tellFaults = (run: HookRun) => (run.outcome === 'failed' ? tell(run) : undefined)
      const filters = [{ name: durationFilter.name, onFailure: 'continue' as const }]
      return {
        hooks: redactHooks(ctx, made),
        filter: await hooksOf(plugins, filters, about, { signal, tell: tellFaults }),
        run: now,
        results: () => unheardResults(ctx, lease),
        async replaceResult(toolCallId, result, duration) {
          await replaceResult(ctx, lease, toolCallId, storableResult(ctx, result), duration)
          return windows.read(ctx, lease.sessionKey)
        },
        async replaceInput(messageIds, input) {
          await replaceInput(ctx, lease, messageIds, input)
          return windows.read(ctx, lease.sessionKey)
        }
      }
    }
  }
}
