import { type ClaimedRow, claimCalls, unclaimCalls } from '#lib/engine/calls/claim.ts'
import { LeaseLost } from '#lib/engine/log/session-lock.ts'
import { hasTtl } from '#lib/engine/turn/ttl.ts'
import type {
  AssembledPrompt,
  ClaimedCall,
  ContextEntry,
  FinishedStep,
  Spent,
  Step
} from '#lib/engine/turn/turn.ts'
import { beginStep } from '#lib/engine/worker/begin-step/begin-step.ts'
import { commitStep } from '#lib/engine/worker/commit-step.ts'
import { readToolLimits } from '#lib/engine/worker/tool-limits.ts'
import type { BoundTurn, TurnWork, WorkerContext } from '#lib/engine/worker/worker-context.ts'
import { billedTokens } from '#lib/features/compaction/billed-tokens.ts'
import { compactHistory } from '#lib/features/compaction/compact-history.ts'
import { chatAgentIfAny, noSuchAgent } from '#lib/features/delegation/hand-off-session.ts'
import { type LastKept, promptToKeep } from '#lib/features/prompts/keep-prompt.ts'
import { readLastKept } from '#lib/features/prompts/read-last-kept.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { log, withFields } from '#lib/kernel/log.ts'
import { noHooks } from '#lib/kernel/ports/hooks.ts'
import type { WatchedTurn } from '#lib/kernel/ports/observer.ts'
import { toolDefaults } from '#lib/protocol/call/tool-settings.ts'
import { expiredTokens } from '#lib/sessions/context/expired-tokens.ts'
import type { CheckBySchema } from '#lib/tools/fit-arguments.ts'
import { toolSet, withAcknowledge } from '#lib/tools/resolve.ts'
import { definitionsOf } from '#lib/tools/tool-definition.ts'
import { claimedCalls, rungFor } from './call-ports.ts'
import { commitHost } from './open-step-calls.ts'
import { recordOf, recordOutcome } from './record-outcome.ts'
import { roundsOf } from './rounds.ts'
import { runCall } from './run-call.ts'
import { fixedTokens, refreshed, setUp } from './setup.ts'
import { stepModel } from './step-model.ts'
import { turnFiles } from './turn-files.ts'
import type { TurnServices } from './turn-host.ts'

/**
 * A turn, bound to the worker's lease: everything in it that writes does so in one fenced transaction. Each step runs on what its
 * session runs on when it begins: a revision that was published or pinned meanwhile, or an overlay that was laid on or taken
 * off, is taken up there.
 */
export async function bindTurn(
  services: TurnServices,
  desk: WorkerContext,
  work: TurnWork,
  watched: WatchedTurn,
  notify: { onLost(): void; onCancel(turnId: string): void }
): Promise<BoundTurn> {
  const { ctx, pubsub, writer, windows, lease, control } = desk
  const { turnId, generation, agentId, clientTools } = work
  const { sessionKey } = lease
  const life = { sessionKey, generation, clientTools }
  const lane = `${ctx.workspaceId} session:${sessionKey}`
  const checkBySchema: CheckBySchema = (schema, value) => ctx.ports.schemas.check(schema, value, lane)
  const filesOf = turnFiles(ctx, sessionKey, ctx.ports.fileLimits.promptBytes)
  const rounds = roundsOf(desk, work, services.plugins, notify)

  let setup = await setUp(ctx, life, work.running)
  let limits = toolDefaults
  let hooks = noHooks
  let isOver = false
  /** The step that was begun: the tokens of its prompt by the heuristic, its round, and after how many cuts its window was read. */
  let step = { estimated: 0, round: 1, cuts: 0 }
  /** What the step took of the model, while it is not committed. */
  let unpaid: Spent | undefined

  const priceOf = (spent: Spent) => services.price(setup.chat, billedTokens(spent, step.estimated))
  const modelWith = (files: number) => stepModel(services, ctx, watched, setup.chat, files)

  const beginRound = async (begun?: Parameters<typeof rounds.begin>[1]) => {
    const round = await rounds.begin(setup, begun)
    hooks = round.hooks
    return round
  }

  /** Checks a handoff by a plugin. Drops it if the agent does not exist or a `beforeHandOff` hook cancels it. */
  const handable = async (finished: FinishedStep): Promise<FinishedStep> => {
    const { next, ...rest } = finished
    if (next === undefined || !next.to.startsWith('agent:')) return finished
    const to = next.to.slice('agent:'.length)
    if (to === setup.running.config.agentId) return finished
    if ((await chatAgentIfAny(ctx, to)) !== undefined) {
      const passed = await hooks.run('beforeHandOff', { to, reason: '', by: 'plugin' })
      await writer.settled(sessionKey)
      if ('cancelled' in passed) return rest
      return { ...rest, next: { ...next, reason: passed.payload.reason } }
    }
    const startedAt = new Date().toISOString()
    const { plugin } = next
    rounds.tell({ plugin, point: 'afterModel', outcome: 'failed', words: noSuchAgent(to), startedAt, ms: 0 })
    await writer.settled(sessionKey)
    return rest
  }

  const roomFor = async (tx: Ctx) => {
    limits = await readToolLimits(tx, setup.chat)
    return limits.concurrency
  }
  const unclaim = async (calls: readonly ClaimedCall[] = []) => {
    if (calls.length === 0) return
    const toolCallIds = calls.map(({ toolCallId }) => toolCallId)
    for (const toolCallId of toolCallIds) control.tools.delete(toolCallId)
    await unclaimCalls(ctx, lease, toolCallIds)
  }
  const took = (rows: readonly ClaimedRow[]) => {
    for (const { toolCallId } of rows) control.tools.add(toolCallId)
    // A worker that took the turn over has begun no step of it yet.
    if (rounds.messageId === '' && rows[0] !== undefined) rounds.writesIn(rows[0].messageId)
    return claimedCalls(rows, limits, { agentId, speakerId: setup.running.config.agentId })
  }

  /** Nothing is kept of a session in which the model has said nothing yet. */
  const lastKept = async ({ messages }: AssembledPrompt) =>
    windows.promptOf<LastKept>(sessionKey) ??
    (messages.some(({ role }) => role === 'assistant') ? readLastKept(ctx, sessionKey) : undefined)

  return {
    owed: () => unpaid && { ...unpaid.usage, usd: priceOf(unpaid) },
    async hooksAtEnd() {
      if (hooks === noHooks) await beginRound()
      return hooks
    },
    turn: {
      signal: control.stop.signal,
      async begin(last) {
        if (isOver) return { kind: 'done' }
        const begun = await beginStep(ctx, lease, setup.running, {
          fixed: fixedTokens(setup),
          record: last && recordOf(ctx, last),
          // Plugins hear of a round before its calls run, and can stop it: these are claimed once they have been asked.
          room: (await rounds.hasPlugins(setup)) ? undefined : roomFor
        })
        if (last !== undefined) control.tools.delete(last.toolCallId)
        if (begun.kind === 'tools') {
          const calls = begun.claimed && took(begun.claimed)
          try {
            setup = await refreshed(ctx, life, setup)
            if (calls === undefined) limits = await readToolLimits(ctx, setup.chat)
            const round = await beginRound()
            // A stop came, or a plugin that has just started is to be asked first: none of the calls has started.
            if (calls !== undefined && (control.stop.signal.aborted || (await rounds.hasPlugins(setup)))) {
              await unclaim(calls)
              return { ...round, kind: 'tools', calls: undefined }
            }
            return { ...round, kind: 'tools', calls }
          } catch (error) {
            await unclaim(calls).catch(fault =>
              log('warn', 'claims were not given back', { sessionKey, fault })
            )
            throw error
          }
        }
        if (begun.kind !== 'step') return { kind: begun.kind }
        setup = await refreshed(ctx, life, setup, begun.running)
        const { messageId, move, lastAgentId, said } = begun
        rounds.writesIn(messageId)
        let round = await beginRound(begun)
        watched.stepBegun(begun.answered)
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
              price: usage => services.price(setup.chat, usage),
              signal: control.stop.signal,
              within: services.summaryMs
            }
          )
          if (control.stop.signal.aborted) return { kind: 'aborted' }
          // A round's own: what they had to say of the summary is said.
          round = await beginRound()
        }
        const window = await windows.read(ctx, sessionKey)
        const { entries, summary, oobStart, tokens, cuts } = window
        const fixed = fixedTokens(setup)
        if (entries.some(({ kind }) => kind === 'oob'))
          setup = { ...setup, tools: withAcknowledge(setup.tools) }
        const files = await filesOf(entries, ctx.ports.takenFiles(setup.chat))
        step = {
          estimated: fixed + countTokens(summary) + tokens - overIn(entries),
          round: begun.round,
          cuts
        }
        return {
          ...round,
          kind: 'step',
          messageId,
          round: begun.round,
          lastAgentId,
          said,
          entries,
          summary,
          oobStart,
          files,
          instructions: setup.chat.instructions,
          tools: toolSet(setup.tools, checkBySchema),
          model: modelWith(files?.data.size ?? 0)
        } satisfies Step
      },
      spend(spent) {
        unpaid = spent
      },
      async commit(finished, prompt) {
        await writer.settled(sessionKey)
        // Some of its words may not be in the log: the step is not kept, and is run again.
        if (control.endedBy !== undefined) throw new LeaseLost(sessionKey)
        const { tools, chat, running } = setup
        const { messageId } = rounds
        const { agentId, revision } = { ...running, agentId: running.config.agentId }
        const { estimated, ...at } = step
        const definitions = definitionsOf(tools, Object.keys(prompt.tools))
        const keep = promptToKeep(ctx, prompt, { ...at, tools: definitions }, await lastKept(prompt))
        const committed = await commitStep(
          ctx,
          lease,
          messageId,
          await handable(finished),
          { agentId, revision, prompt: { model: chat.model, estimated } },
          priceOf({ usage: finished.usage, said: JSON.stringify(finished.content) }),
          commitHost({ messageId, agentId, tools }, keep.row)
        )
        unpaid = undefined
        isOver = committed.over
        windows.keepPrompt(sessionKey, keep.last(committed.contextId))
        watched.stepCommitted({ ...finished.usage, calls: finished.calls.length })
      },
      async claim(running) {
        const room = limits.concurrency - running
        return room > 0 ? took(await claimCalls(ctx, lease, room)) : []
      },
      run: (call, signal, left) =>
        withFields({ toolCallId: call.toolCallId }, () =>
          watched.tool(call, () => {
            const speakerId = setup.running.config.agentId
            const host = { ctx, lease, turnId, generation, speakerId, fetch: ctx.ports.fetch, checkBySchema }
            return runCall(host, call, setup.tools, { clientTools, limits }, signal, left)
          })
        ),
      async record(toolCallId, outcome, duration) {
        await recordOutcome(ctx, lease, toolCallId, outcome, duration)
        control.tools.delete(toolCallId)
      },
      rung: signal => rungFor(pubsub, lease, signal)
    }
  }
}

/** Tokens of entries in the context window whose time to live has ended, so no request has them (001-7). */
const overIn = (entries: readonly ContextEntry[]): number =>
  hasTtl(entries)
    ? Object.values(expiredTokens(entries, countTokens)).reduce((sum, count) => sum + count, 0)
    : 0
