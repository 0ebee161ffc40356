import { digestOf } from '@waystation/base/digest.ts'
import { log, withFields } from '@waystation/base/log.ts'
import { toolDefaults } from '@waystation/protocol/call/tool-settings.ts'
import { hookPoints } from '@waystation/protocol/plugin/hook.ts'
import { type ClaimedRow, claimCalls, unclaimCalls } from '#lib/engine/calls/claim.ts'
import { readToolLimits } from '#lib/engine/calls/tool-limits.ts'
import type { CurrentWindow } from '#lib/engine/context/window-cache.ts'
import { LeaseLost } from '#lib/engine/log/session-lock.ts'
import { hasTtl } from '#lib/engine/turn/ttl.ts'
import type {
  AssembledPrompt,
  ClaimedCall,
  ContextEntry,
  FinishedStep,
  ModelCall,
  Spent,
  Step
} from '#lib/engine/turn/turn.ts'
import { beginStep } from '#lib/engine/worker/begin-step/begin-step.ts'
import { type Committed, commitStep } from '#lib/engine/worker/commit-step.ts'
import type { BoundTurn, TurnWork, WorkerContext } from '#lib/engine/worker/worker-context.ts'
import { billedTokens } from '#lib/features/compaction/billed-tokens.ts'
import { compactHistory } from '#lib/features/compaction/compact-history.ts'
import { noSuchAgent, partyIfAny } from '#lib/features/delegation/hand-off-session.ts'
import { readLastPrompt } from '#lib/features/prompts/read-last-prompt.ts'
import { storeFailedPrompt } from '#lib/features/prompts/store-failed-prompt.ts'
import { type LastPrompt, promptRow } from '#lib/features/prompts/store-prompt.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { noHooks, type RoundHooks } from '#lib/kernel/ports/hooks.ts'
import type { WatchedTurn } from '#lib/kernel/ports/observer.ts'
import { markOrigin } from '#lib/models/own-history.ts'
import type { OriginOf } from '#lib/models/providers/plugin.ts'
import { expiredTokens } from '#lib/sessions/context/expired-tokens.ts'
import type { CheckBySchema } from '#lib/tools/fit-arguments.ts'
import { sessionOrigin } from '#lib/tools/session-origin.ts'
import { definitionsOf } from '#lib/tools/tool-definition.ts'
import { claimedCalls, untilNotified } from './call-ports.ts'
import { commitHost } from './commit-host.ts'
import { recordOf, recordOutcome } from './record-outcome.ts'
import { runCall } from './run-call.ts'
import { createSetup, refreshSetup, type Setups, withAcknowledgeFor } from './setup.ts'
import { stepModel } from './step-model.ts'
import { bindStepPlugins } from './step-plugins.ts'
import { checkCall, promptTools, toolSet } from './tool-set.ts'
import { turnFiles } from './turn-files.ts'
import type { TurnServices } from './turn-services.ts'

/**
 * Binds a turn to the worker's lease: each write is one fenced transaction. Each step uses the session's
 * configuration at its start, including revisions that were published or pinned since, and changes of the
 * overlay.
 */
export async function bindTurn(
  services: TurnServices,
  setups: Setups,
  workerContext: WorkerContext,
  work: TurnWork,
  watched: WatchedTurn,
  notify: { onLost(): void; onCancel(turnId: string): void }
): Promise<BoundTurn> {
  const { ctx, pubsub, writer, windows, lease, control } = workerContext
  const { turnId, generation, agentId, clientTools, answered } = work
  const { sessionKey } = lease
  const sessionGeneration = { sessionKey, generation, clientTools }
  const schemaQueue = `${ctx.workspaceId} session:${sessionKey}`
  const checkBySchema: CheckBySchema = (schema, value) => ctx.ports.schemas.check(schema, value, schemaQueue)
  const loadFiles = turnFiles(ctx, sessionKey, ctx.ports.fileLimits.promptBytes)
  const stepPlugins = bindStepPlugins(workerContext, work, services.plugins, notify)

  let [setup, models] = await Promise.all([
    createSetup(ctx, setups, sessionGeneration, work.running),
    services.modelsOf(ctx)
  ])
  let limits = toolDefaults
  let hooks = noHooks
  let committed: Committed = {}
  /**
   * The current step: the estimated tokens of its prompt, its number, and how often its window had been cut
   * when it was read.
   */
  let step = { estimated: 0, round: 1, cuts: 0 }
  /** The prompt of the current step, once the model has received it. */
  let asked: AssembledPrompt | undefined
  /** Usage of the current step until it is committed. */
  let unbilled: Spent | undefined

  /** The agent's configuration with the model of the current step, which a plugin can choose. */
  let billedChat = setup.chat
  const priceOf = (spent: Spent) => models.price(billedChat, billedTokens(spent, step.estimated))
  /** The key is the same if a step is repeated with the same prompt. */
  const modelOrigin: OriginOf = async request => ({
    ...(await sessionOrigin(ctx, sessionKey)),
    idempotencyKey: digestOf([turnId, stepPlugins.messageId, step.round, request])
  })
  const modelWith = (files: number) =>
    stepModel(
      services,
      models,
      ctx,
      watched,
      setup.chat,
      { agentId: setup.running.config.agentId, sessionId: work.sessionId, files },
      modelOrigin,
      opened => {
        billedChat = opened
      }
    )

  const beginHooks = async (stepStart?: Parameters<typeof stepPlugins.begin>[1]) => {
    const round = await stepPlugins.begin(setup, stepStart)
    hooks = round.hooks
    return round
  }

  /** Validates the calls that plugins made or changed. */
  const checkCalls = async (finished: FinishedStep): Promise<FinishedStep> => {
    if (!hooks.has('afterModel') && !hooks.has('beforeTool') && !hooks.has('beforeHandOff')) return finished
    const check = (call: ModelCall) => checkCall(call, setup.tools, checkBySchema)
    return { ...finished, calls: await Promise.all(finished.calls.map(check)) }
  }

  /** Checks a handoff by a plugin. Drops it if the agent does not exist or a `beforeHandOff` hook cancels it. */
  const checkHandoff = async (finished: FinishedStep): Promise<FinishedStep> => {
    const { next, ...rest } = finished
    if (next === undefined || !next.to.startsWith('agent:')) return finished
    const to = next.to.slice('agent:'.length)
    if (to === setup.running.config.agentId) return finished
    let target = to
    if ((await partyIfAny(ctx, to)) !== undefined) {
      const result = await hooks.run('beforeHandOff', { to, reason: '', by: 'plugin' })
      await writer.settled(sessionKey)
      if ('cancelled' in result) return rest
      const { payload } = result
      target = payload.to
      if (target === to || (await partyIfAny(ctx, target)) !== undefined)
        return { ...rest, next: { ...next, to: `agent:${target}`, reason: payload.reason } }
    }
    const startedAt = new Date().toISOString()
    const { plugin } = next
    stepPlugins.report({
      plugin,
      point: 'afterModel',
      outcome: 'failed',
      words: noSuchAgent(target),
      startedAt,
      ms: 0
    })
    await writer.settled(sessionKey)
    return rest
  }

  const readFreeSlots = async (tx: Ctx) => {
    limits = await readToolLimits(tx, setup.chat)
    return limits.concurrency
  }
  const unclaim = async (calls: readonly ClaimedCall[] = []) => {
    if (calls.length === 0) return
    const toolCallIds = calls.map(({ toolCallId }) => toolCallId)
    for (const toolCallId of toolCallIds) control.tools.delete(toolCallId)
    await unclaimCalls(ctx, lease, toolCallIds)
  }
  const registerClaims = (rows: readonly ClaimedRow[]) => {
    for (const { toolCallId } of rows) control.tools.add(toolCallId)
    // A worker that took over the turn has not started a step in it yet.
    if (stepPlugins.messageId === '' && rows[0] !== undefined) stepPlugins.writesIn(rows[0].messageId)
    return claimedCalls(rows, limits, { agentId, speakerId: setup.running.config.agentId })
  }

  const rowOf = async (prompt: AssembledPrompt) => {
    const { estimated: _, ...windowState } = step
    const tools = definitionsOf(prompt.tools)
    return promptRow(ctx, prompt, { ...windowState, tools }, await lastStoredPrompt(prompt))
  }

  /** Returns the last stored prompt. A session without a model message has none, which saves the query. */
  const lastStoredPrompt = async ({ messages }: AssembledPrompt) =>
    windows.promptOf<LastPrompt>(sessionKey) ??
    (messages.some(({ role }) => role === 'assistant') ? readLastPrompt(ctx, sessionKey) : undefined)

  return {
    ended: () => committed.ended,
    unbilledUsage: () => unbilled && { ...unbilled.usage, usd: priceOf(unbilled) },
    async hooksAtEnd() {
      if (hooks === noHooks) await beginHooks()
      return hooks
    },
    turn: {
      signal: control.stop.signal,
      async begin(last) {
        if (committed.over !== undefined) return { kind: committed.over }
        asked = undefined
        let early: CurrentWindow | undefined
        const stepStart = await beginStep(ctx, lease, turnId, setup.running, {
          fixed: setup.fixedTokens,
          record: last && recordOf(ctx, last),
          // Plugins can stop a step before its calls run. With plugins, calls are therefore claimed only after
          // the plugins were asked.
          maxClaims: (await stepPlugins.hasPlugins(setup)) ? undefined : readFreeSlots,
          readWithCommit: windows.has(sessionKey)
            ? async tx => {
                early = await windows.readOnce(tx, sessionKey)
              }
            : undefined
        })
        if (last !== undefined) control.tools.delete(last.toolCallId)
        if (stepStart.kind === 'tools') {
          const calls = stepStart.claimed && registerClaims(stepStart.claimed)
          try {
            setup = await refreshSetup(ctx, sessionGeneration, setup)
            if (calls === undefined) limits = await readToolLimits(ctx, setup.chat)
            const round = await beginHooks()
            // The turn was stopped, or a plugin that has just started must be asked first. No call has started
            // yet.
            if (
              calls !== undefined &&
              (control.stop.signal.aborted || (await stepPlugins.hasPlugins(setup)))
            ) {
              await unclaim(calls)
              return { ...round, kind: 'tools', calls: undefined }
            }
            return { ...round, kind: 'tools', calls }
          } catch (error) {
            await unclaim(calls).catch(unclaimError =>
              log('warn', 'claims were not given back', { sessionKey, error: unclaimError })
            )
            throw error
          }
        }
        if (stepStart.kind !== 'step') return { kind: stepStart.kind }
        ;[setup, models] = await Promise.all([
          refreshSetup(ctx, sessionGeneration, setup, stepStart.running),
          services.modelsOf(ctx)
        ])
        const { messageId, move, lastAgentId, userMessages } = stepStart
        stepPlugins.writesIn(messageId)
        let round = await beginHooks(stepStart)
        watched.stepStarted(stepStart.answered)
        if (move !== undefined) {
          const model = modelWith(0)
          await compactHistory(
            ctx,
            lease,
            { ...round, model },
            {
              move,
              messageId,
              window: await windows.read(ctx, sessionKey),
              model: setup.chat.model,
              price: usage => models.price(setup.chat, usage),
              signal: control.stop.signal,
              within: services.summaryMs
            }
          )
          if (control.stop.signal.aborted) return { kind: 'aborted' }
          // Create the hooks again: the old ones already ran for the summary.
          round = await beginHooks()
        }
        const window = (move === undefined ? early : undefined) ?? (await windows.read(ctx, sessionKey))
        const { entries, summary, shortOob, tokens, cuts } = window
        const { fixedTokens } = setup
        setup = withAcknowledgeFor(entries, setup)
        const files = await loadFiles(entries, await ctx.ports.acceptedFiles(ctx, setup.chat))
        step = {
          estimated: fixedTokens + countTokens(summary) + tokens - expiredTokensIn(entries),
          round: stepStart.round,
          cuts
        }
        return {
          ...round,
          kind: 'step',
          messageId,
          round: stepStart.round,
          lastAgentId,
          userMessages,
          entries,
          summary,
          shortOob,
          files,
          instructions: setup.chat.instructions,
          tools: promptTools(setup.tools),
          toToolSet: tools => toolSet(tools, setup.tools, checkBySchema),
          model: modelWith(files?.data.size ?? 0)
        } satisfies Step
      },
      addUsage(spent) {
        unbilled = spent
      },
      asked(prompt) {
        asked = prompt
      },
      async keepFailed(error) {
        if (asked === undefined || control.endedBy !== undefined) return
        const { messageId } = stepPlugins
        const { row } = await rowOf(asked)
        await storeFailedPrompt(ctx, lease, { messageId, estimated: step.estimated, error }, row)
      },
      async commit(finished, prompt) {
        const { tools, running } = setup
        const { messageId } = stepPlugins
        const { agentId, revision } = { ...running, agentId: running.config.agentId }
        const { estimated } = step
        const storedPrompt = await rowOf(prompt)
        const onCommitted = (contextId: number) => {
          unbilled = undefined
          windows.keepPrompt(sessionKey, storedPrompt.last(contextId))
          watched.stepCommitted({ ...finished.usage, calls: finished.calls.length })
        }
        const checked = await checkHandoff(await checkCalls(finished))
        const unwritten = await writer.take(lease)
        // Some of its text may be missing from the log, so do not store the step. It will run again.
        if (control.endedBy !== undefined) throw new LeaseLost(sessionKey)
        committed = await commitStep(
          ctx,
          lease,
          messageId,
          {
            ...checked,
            content: markOrigin(checked.content, models.nameOf(prompt.model).split('/', 1)[0]!),
            unwritten
          },
          { agentId, revision, prompt: { model: billedChat.model, estimated } },
          priceOf({ usage: finished.usage, text: JSON.stringify(finished.content) }),
          commitHost({ messageId, agentId, tools }, onCommitted, storedPrompt.row),
          // Plugins observe a turn before it ends. A stop that has been noticed ends it in another way.
          isObserved(hooks) || control.stop.signal.aborted ? undefined : { answered }
        )
      },
      async claim(running) {
        const freeSlots = limits.concurrency - running
        return freeSlots > 0 ? registerClaims(await claimCalls(ctx, lease, freeSlots)) : []
      },
      run: (call, signal, secondsLeft) =>
        withFields({ toolCallId: call.toolCallId }, () =>
          watched.tool(call, () => {
            const speakerId = setup.running.config.agentId
            const host = { ctx, lease, turnId, generation, speakerId, fetch: ctx.ports.fetch, checkBySchema }
            return runCall(host, call, setup.tools, { clientTools, limits }, signal, secondsLeft)
          })
        ),
      async record(toolCallId, outcome, duration) {
        await recordOutcome(ctx, lease, toolCallId, outcome, duration)
        control.tools.delete(toolCallId)
      },
      notified: signal => untilNotified(pubsub, lease, signal)
    }
  }
}

/** Tells whether a plugin observes the turn. Its reports must reach the log before the turn ends. */
const isObserved = (hooks: RoundHooks): boolean =>
  hookPoints.some(point => point.startsWith('on') && hooks.has(point))

/**
 * Counts the tokens of entries in the context window whose duration has ended. No request contains them
 * (001-7).
 */
const expiredTokensIn = (entries: readonly ContextEntry[]): number =>
  hasTtl(entries)
    ? Object.values(expiredTokens(entries, countTokens)).reduce((sum, count) => sum + count, 0)
    : 0
