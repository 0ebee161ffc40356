import { newId } from '@waystation/base/ids.ts'
import { log } from '@waystation/base/log.ts'
import type { HookRun } from '@waystation/protocol/plugin/hook.ts'
import type { Round, RunState, Step } from '#lib/engine/turn/turn.ts'
import type { Begun } from '#lib/engine/worker/begin-step/begin-step.ts'
import { inputOf } from '#lib/engine/worker/read-run.ts'
import type { TurnWork, WorkerContext } from '#lib/engine/worker/worker-context.ts'
import { noHooks } from '#lib/kernel/ports/hooks.ts'
import { redactedOr } from '#lib/kernel/redact.ts'
import { durationFilter } from '#lib/plugins/built-in/duration-filter.ts'
import { hooksOf } from '#lib/plugins/hooks-of.ts'
import type { Plugins } from '#lib/plugins/load-plugins.ts'
import { wikiToolsOf } from '#lib/tools/resolve.ts'
import { sessionOrigin } from '#lib/tools/session-origin.ts'
import { readRun } from './read-run.ts'
import { storableResult } from './record-outcome.ts'
import { redactHooks } from './redact-hooks.ts'
import { replaceInput } from './replace-input.ts'
import { replaceResult } from './replace-result.ts'
import { resultsForPlugins } from './results-for-plugins.ts'
import type { Setup } from './setup.ts'

/** Replaces a plugin's text that cannot be redacted. */
const notRedacted = 'The text could not be redacted.'

/**
 * Manages the steps of a turn for the agent's plugins. `report` shows in the conversation what a plugin did, in
 * the message that the turn writes.
 */
export function bindStepPlugins(
  { ctx, writer, windows, lease, control }: WorkerContext,
  { turnId, sessionId }: TurnWork,
  plugins: Plugins,
  notify: { onLost(): void; onCancel(turnId: string): void }
) {
  /** Undefined until a plugin needs it. */
  let run: RunState | undefined
  const unknownRun: RunState = { input: '', rounds: 0, resumed: false }
  let messageId = ''
  let hasPlugins: boolean | undefined
  const findPlugins = async ({ plugins = [] }: Setup['chat']) => {
    const hosted = (await ctx.ports.plugins?.ready(ctx.workspaceId)) ?? []
    hasPlugins = plugins.length > 0 || hosted.some(({ events }) => events.length > 0)
    return hosted
  }

  const report = ({ words, ...hookRun }: HookRun) => {
    const data =
      words === undefined ? hookRun : { ...hookRun, words: redactedOr(ctx, 'model', words, notRedacted) }
    if (hookRun.outcome === 'failed') log('warn', 'a plugin failed', data)
    const chunk = { type: 'data-hook' as const, id: newId('hook'), data }
    writer.push(lease, { type: 'chunk', turnId, messageId, chunk }, notify)
  }

  /** Shows which plugin works on the prompt, to those who follow the session. */
  const preparing = (plugin?: string) => {
    const data = plugin === undefined ? {} : { plugin }
    const chunk = { type: 'data-preparing' as const, transient: true, data }
    writer.push(lease, { type: 'chunk', turnId, messageId, chunk }, notify)
  }

  /** Reads the current run. `stepStart` is the step that starts: the first step of a turn can start a run. */
  const readRunNow = async (agentId: string, stepStart?: Extract<Begun, { kind: 'step' }>): Promise<void> => {
    if (run !== undefined && stepStart?.round !== 1) return
    const openRun = run?.opened === true ? run : undefined
    if (openRun !== undefined && stepStart?.userMessages.length === 0) return
    const { input, rounds, before } = await readRun(ctx, lease.sessionKey, turnId)
    const parked = stepStart?.left && {
      ...stepStart.left,
      input: await inputOf(ctx, lease.sessionKey, stepStart.left.from)
    }
    const previousRun = openRun ?? parked
    const agentOfRun = stepStart?.lastAgentId ?? agentId
    run = {
      input,
      rounds,
      resumed: before > 0,
      ...(previousRun === undefined
        ? {}
        : { left: { input: previousRun.input, rounds: previousRun.rounds, agentId: agentOfRun } })
    }
  }

  return {
    report,
    /** Sets the message in which plugin activity is shown. */
    writesIn(id: string) {
      messageId = id
    },
    get messageId() {
      return messageId
    },
    /**
     * Returns whether the agent has plugins, as of the last step. Checking again would wait for plugins that
     * are starting.
     */
    async hasPlugins({ chat }: Setup): Promise<boolean> {
      if (hasPlugins === undefined) await findPlugins(chat)
      return hasPlugins === true
    },
    /** Creates the hooks of the next step with the plugins of this setup. */
    async begin(
      { running, chat, tools }: Setup,
      stepStart?: Extract<Begun, { kind: 'step' }>
    ): Promise<Round & Pick<Step, 'serverHooks'>> {
      const { agentId } = running.config
      const hosted = await findPlugins(chat)
      if (hasPlugins) await readRunNow(agentId, stepStart)
      const currentRun = run ?? unknownRun
      const { userId } = hasPlugins ? await sessionOrigin(ctx, lease.sessionKey) : {}
      const hookContext = {
        workspaceId: ctx.workspaceId,
        sessionId,
        userId,
        agentId,
        turnId,
        get run() {
          const { opened: _, ...visibleRun } = currentRun
          return visibleRun
        },
        model: chat.model,
        get wikiTools() {
          return wikiToolsOf(tools)
        }
      }
      const { signal } = control.stop
      const hooks = hasPlugins
        ? await hooksOf(plugins, chat.plugins, hookContext, { signal, report, preparing }, hosted)
        : noHooks
      // The stored prompts show what the filter removed. The conversation shows only its failures.
      const reportFailures = (run: HookRun) => (run.outcome === 'failed' ? report(run) : undefined)
      const filters = [{ name: durationFilter.name, onFailure: 'continue' as const }]
      return {
        hooks: redactHooks(ctx, hooks),
        serverHooks: () => hooksOf(plugins, filters, hookContext, { signal, report: reportFailures }),
        run: currentRun,
        results: () => resultsForPlugins(ctx, lease),
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
