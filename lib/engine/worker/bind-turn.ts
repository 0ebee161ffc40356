import type { RunningAgent } from '#lib/agents/of-session.ts'
import { laidOver } from '#lib/agents/overlay/lay-over.ts'
import { resolveAgent } from '#lib/agents/resolve-agent.ts'
import { accountOfCall } from '#lib/engine/calls/account-of-call.ts'
import { agentOfCall } from '#lib/engine/calls/agent-of-call.ts'
import { claimCalls, recordCall } from '#lib/engine/calls/claim.ts'
import { askConnection, askConsent, askQuestion } from '#lib/engine/calls/suspend-call.ts'
import { billedTokens } from '#lib/engine/context/billed-tokens.ts'
import { compactHistory } from '#lib/engine/context/compact-history.ts'
import { messageTokens } from '#lib/engine/context/message-tokens.ts'
import { promptToKeep } from '#lib/engine/context/prompt-history/keep-prompt.ts'
import { readLastKept } from '#lib/engine/context/prompt-history/read-last-kept.ts'
import { definitionsOf } from '#lib/engine/context/prompt-history/tool-definition.ts'
import { systemTokens, toolsTokens } from '#lib/engine/context/prompt-size.ts'
import { turnFiles } from '#lib/engine/files/turn-files.ts'
import { acknowledgeOob } from '#lib/engine/inbox/acknowledge-out-of-band.ts'
import type { Bill } from '#lib/engine/limits/charge-bill.ts'
import { LeaseLost } from '#lib/engine/log/session-lock.ts'
import { hasDurations, overTokens } from '#lib/engine/turn/ttl.ts'
import type { AssembledPrompt, ContextEntry, FinishedStep, Spent, Turn } from '#lib/engine/turn/turn.ts'
import { cancelOwnAlarm } from '#lib/features/alarms/cancel-alarm.ts'
import { listOwnAlarms } from '#lib/features/alarms/list-alarms.ts'
import { setAlarm } from '#lib/features/alarms/set-alarm.ts'
import { discover } from '#lib/features/connections/discover.ts'
import { fetchAs } from '#lib/features/connections/fetch-as.ts'
import { accountOfList } from '#lib/features/connections/mcp/list-mcp.ts'
import { chatAgentIfAny, handOwnSession, noSuchAgent } from '#lib/features/delegation/hand-off-session.ts'
import { tellSession } from '#lib/features/out-of-band/tell-session.ts'
import { commitOwnRevision } from '#lib/features/self-config/commit-revision.ts'
import { readOwnConfig } from '#lib/features/self-config/proposal.ts'
import { wikiReader } from '#lib/features/wikis/wiki-reader.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
import { log, withFields } from '#lib/kernel/log.ts'
import type { ToolOutcome } from '#lib/kernel/ports/connection-needed.ts'
import { noHooks } from '#lib/kernel/ports/hooks.ts'
import type { ModelProblem } from '#lib/kernel/ports/model-problem.ts'
import { observer, type WatchedTurn } from '#lib/kernel/ports/observer.ts'
import { redactedOr } from '#lib/kernel/redact.ts'
import { redactModel } from '#lib/models/redact-model.ts'
import { textTools } from '#lib/models/text-tools/text-tools.ts'
import { takesUserAfterTools } from '#lib/models/user-after-tools.ts'
import { durationFilter } from '#lib/plugins/built-in/duration-filter.ts'
import { hooksOf } from '#lib/plugins/hooks-of.ts'
import type { ChatAgent, RunnableChat } from '#lib/protocol/agent/agent.ts'
import type { CallResult } from '#lib/protocol/call/call.ts'
import { toolDefaults } from '#lib/protocol/call/tool-settings.ts'
import type { HookRun } from '#lib/protocol/plugin/hook.ts'
import type { TurnError } from '#lib/protocol/session/event.ts'
import type { DeclaredTool } from '#lib/protocol/session/session.ts'
import { agentTools, hostedFor, toolsOfCall } from '#lib/tools/agent-tools.ts'
import { executeTool } from '#lib/tools/execute.ts'
import type { CheckBySchema } from '#lib/tools/fit-arguments.ts'
import {
  type ResolvedTools,
  resolveTools,
  toolSet,
  wikiToolsOf,
  withAcknowledge
} from '#lib/tools/resolve.ts'
import { toolsOff } from '#lib/tools/tools-off.ts'
import { type Begun, beginStep } from './begin-step/begin-step.ts'
import { commitStep } from './commit-step.ts'
import type { Desk } from './desk.ts'
import { inputOf, readRun } from './read-run.ts'
import { redactHooks } from './redact-hooks.ts'
import { replaceInput } from './replace-input.ts'
import { replaceResult } from './replace-result.ts'
import { readPace } from './tool-limits.ts'
import { unheardResults } from './unheard-results.ts'

/** A turn with what its newest step took of the model, while that is not committed: whoever ends the turn charges it. */
export type OwingTurn = Turn & { readonly owed: Bill | undefined }

/**
 * The turn's ports, bound to this lease: every one that writes does it in one fenced transaction. It begins on `began`, and
 * each step begins on what its session runs on then: a revision that was published or pinned meanwhile, or an overlay that was
 * laid on or taken off, is taken up there.
 */
export function turnOf(
  desk: Desk,
  {
    turnId,
    generation,
    sessionId,
    ownAgentId
  }: { turnId: string; generation: number; sessionId: string; ownAgentId: string },
  began: RunningAgent<ChatAgent> & { chat: RunnableChat; tools: ResolvedTools },
  clientTools: DeclaredTool[],
  watched: WatchedTurn,
  notify: { onLost(): void; onCancel(turnId: string): void }
): OwingTurn {
  const { ctx, bus, appender, windows, outside, lease, reins } = desk
  let { chat, tools, ...running }: typeof began = began
  const life = { sessionKey: lease.sessionKey, generation }
  const lane = `${ctx.workspaceId} session:${lease.sessionKey}`
  const checkBySchema: CheckBySchema = (schema, value) => ctx.ports.schemas.check(schema, value, lane)
  const fixed = () => systemTokens(chat) + toolsTokens(tools)
  let pace = toolDefaults
  let messageId = ''
  /** The tokens of the prompt that the step has, by the heuristic. */
  let estimated = 0
  /** What the step took of the model, while it is not committed. */
  let unpaid: Spent | undefined
  /** Which round the step is, and after how many cuts its window was read. */
  let at = { round: 1, cuts: 0 }
  const filesOf = turnFiles(ctx, lease.sessionKey, outside.promptFileBytes)
  /** How many files the model was sent as they are, at this step. */
  let sent = 0
  /** The words of its beginning, if that was here. */
  let beganWith: string | undefined
  let over = false
  let hooks = noHooks
  let filter = noHooks
  /** Undefined while no plugin had to know of it. */
  let run: Turn['runState'] | undefined
  const unknownRun: Turn['runState'] = { input: '', rounds: 0, resumed: false }
  const tell = ({ words, ...run }: HookRun) => {
    const data = words === undefined ? run : { ...run, words: redactedOr(ctx, 'model', words, unkept) }
    if (run.outcome === 'failed') log('warn', 'a plugin failed', data)
    const chunk = { type: 'data-hook' as const, id: newId('hook'), data }
    appender.push(lease, { type: 'chunk', turnId, messageId, chunk }, notify)
  }
  /** For whom MCP servers were asked for their tools. */
  let listedFor: string | undefined
  /** Takes the tools anew where others may have come: `changed`, or because other people asked for this step. */
  const toolsNow = async (changed: boolean) => {
    const isMcp = chat.tools.some(tool => 'mcp' in tool)
    const listsFor = isMcp ? JSON.stringify(await accountOfList(ctx, life)) : undefined
    if (!changed && listsFor === listedFor) return
    tools = await agentTools(ctx, life, chat, clientTools)
    listedFor = listsFor
  }
  /** The run as it is now; `begun`: the step that begins, the first of which may begin a run. */
  const runNow = async (begun?: Extract<Begun, { kind: 'step' }>): Promise<void> => {
    if (run !== undefined && begun?.round !== 1) return
    const ahead = run?.opened === true ? run : undefined
    if (ahead !== undefined && begun?.said.length === 0) return
    const { input, rounds, before } = await readRun(ctx, lease.sessionKey, turnId)
    const agentId = begun?.lastAgentId ?? running.config.agentId
    const parked = begun?.left && {
      ...begun.left,
      input: await inputOf(ctx, lease.sessionKey, begun.left.from)
    }
    const left = ahead ?? parked
    run = {
      input,
      rounds,
      resumed: before > 0,
      ...(left === undefined ? {} : { left: { input: left.input, rounds: left.rounds, agentId } })
    }
  }
  const hooksNow = async (begun?: Extract<Begun, { kind: 'step' }>) => {
    const { workspaceId } = ctx
    const hosted = await hostedFor(ctx)
    if ((chat.plugins?.length ?? 0) > 0 || hosted.some(({ events }) => events.length > 0)) await runNow(begun)
    const about = {
      workspaceId,
      sessionId,
      agentId: running.config.agentId,
      turnId,
      get run() {
        const { opened: _, ...shown } = turn.runState
        return shown
      },
      model: chat.model,
      wikiTools: wikiToolsOf(tools)
    }
    const made = await hooksOf(
      outside.plugins,
      chat.plugins,
      about,
      { signal: reins.stop.signal, tell },
      hosted
    )
    hooks = redactHooks(ctx, made)
    // What it leaves out is told in the prompt's states; only that it failed is told in the conversation.
    const tellFaults = (run: HookRun) => (run.outcome === 'failed' ? tell(run) : undefined)
    const filters = [{ name: durationFilter.name, onFailure: 'continue' as const }]
    filter = await hooksOf(outside.plugins, filters, about, { signal: reins.stop.signal, tell: tellFaults })
  }
  /** Without a next round of an agent that is not there: its plugin is told of, and the person has it. */
  const handable = async (step: FinishedStep): Promise<FinishedStep> => {
    const { next, ...rest } = step
    if (next === undefined || !next.to.startsWith('agent:')) return step
    const agentId = next.to.slice('agent:'.length)
    if (agentId === running.config.agentId) return step
    const { plugin } = next
    if ((await chatAgentIfAny(ctx, agentId)) !== undefined) {
      const passed = await hooks.run('beforeHandOff', { to: agentId, reason: '', by: 'plugin' })
      await appender.settled(lease.sessionKey)
      if ('cancelled' in passed) return rest
      return { ...rest, next: { ...next, reason: passed.payload.reason } }
    }
    const now = new Date().toISOString()
    tell({
      plugin,
      point: 'afterModel',
      outcome: 'failed',
      words: noSuchAgent(agentId),
      startedAt: now,
      ms: 0
    })
    await appender.settled(lease.sessionKey)
    return rest
  }
  /** Nothing is kept of a session in which the model has said nothing yet. */
  const lastKept = async ({ messages }: AssembledPrompt) =>
    windows.promptOf(lease.sessionKey) ??
    (messages.some(({ role }) => role === 'assistant') ? readLastKept(ctx, lease.sessionKey) : undefined)
  const turn: OwingTurn = {
    turnId,
    get instructions() {
      return chat.instructions
    },
    // Asked for by the step, so that a model that is not configured fails the step and not what is before it.
    get model() {
      const asked = outside.model(chat, ctx.workspaceId)
      const model = chat.toolCalling === 'text' ? textTools(asked) : asked
      const { redaction } = ctx.ports
      return redaction === undefined ? model : redactModel(model, redaction, ctx.workspaceId)
    },
    get userAfterTools() {
      // Its results are user messages, and those next to each other are one.
      if (chat.toolCalling === 'text') return true
      const model = outside.model(chat, ctx.workspaceId)
      return chat.userAfterTools ?? takesUserAfterTools(typeof model === 'string' ? model : model.modelId)
    },
    get tools() {
      return toolSet(tools, checkBySchema)
    },
    get hooks() {
      return hooks
    },
    get filter() {
      return filter
    },
    signal: reins.stop.signal,
    tokensOf: words => (typeof words === 'string' ? countTokens(words) : messageTokens(words)),
    describeError: error => turnError(withFiles(outside.describeError(error), sent)),
    describeFinish: (reason, raw) => {
      const problem = outside.describeFinish(reason, raw)
      return problem === undefined ? undefined : turnError(problem)
    },
    get soFar() {
      return beganWith === undefined ? undefined : { input: beganWith, rounds: at.round }
    },
    get runState() {
      return run ?? unknownRun
    },
    async hooksAtEnd() {
      if (hooks === noHooks) await hooksNow()
      return hooks
    },
    results: () => unheardResults(ctx, lease),
    async replaceResult(toolCallId, result, duration) {
      await replaceResult(ctx, lease, toolCallId, storedResult(ctx, result), duration)
      return windows.read(ctx, lease.sessionKey)
    },
    async replaceInput(messageIds, input) {
      beganWith = await replaceInput(ctx, lease, messageIds, input)
      return windows.read(ctx, lease.sessionKey)
    },
    ask: ask => watched.ask(() => ask(observer().telemetry)),
    async begin() {
      if (over) return { kind: 'done' }
      const begun = await beginStep(ctx, lease, running, fixed())
      if (begun.kind === 'tools') {
        await toolsNow(false)
        pace = await readPace(ctx, chat)
        await hooksNow()
      }
      if (begun.kind !== 'step') return begun
      const changed = begun.running !== running
      if (changed) {
        running = begun.running
        chat = await resolveAgent(ctx, laidOver(running.config.chat, running.overlay))
      }
      await toolsNow(changed)
      messageId = begun.messageId
      await hooksNow(begun)
      watched.stepBegun(begun.answered)
      const { move } = begun
      if (move !== undefined) {
        await compactHistory(ctx, lease, turn, {
          move,
          messageId,
          window: await windows.read(ctx, lease.sessionKey),
          model: chat.model,
          price: usage => outside.price(chat, usage),
          signal: reins.stop.signal,
          within: outside.summaryMs
        })
        if (reins.stop.signal.aborted) return { kind: 'aborted' }
        // A round's own: what they had to say of the summary is said.
        await hooksNow()
      }
      const window = await windows.read(ctx, lease.sessionKey)
      if (window.entries.some(({ kind }) => kind === 'oob')) tools = withAcknowledge(tools)
      const files = await filesOf(window.entries, outside.takes(chat))
      sent = files?.data.size ?? 0
      estimated = fixed() + countTokens(window.summary) + window.tokens - overIn(window.entries)
      at = { round: begun.round, cuts: window.cuts }
      if (begun.round === 1) beganWith = begun.said.map(({ text }) => text).join('\n\n')
      return { ...begun, ...window, files }
    },
    spend(spent) {
      unpaid = spent
    },
    get owed() {
      if (unpaid === undefined) return undefined
      return { ...unpaid.usage, usd: outside.price(chat, billedTokens(unpaid, estimated)) }
    },
    async commit(step, prompt) {
      await appender.settled(lease.sessionKey)
      // Some of its words may not be in the log: the step is not kept, and is run again.
      if (reins.over !== undefined) throw new LeaseLost(lease.sessionKey)
      const definitions = definitionsOf(tools, Object.keys(prompt.tools))
      const keep = promptToKeep(ctx, prompt, { ...at, tools: definitions }, await lastKept(prompt))
      const committed = await commitStep(
        ctx,
        lease,
        messageId,
        await handable(step),
        {
          tools,
          agentId: running.config.agentId,
          revision: running.revision,
          prompt: { model: chat.model, estimated },
          keep: keep.row
        },
        outside.price(
          chat,
          billedTokens({ usage: step.usage, said: JSON.stringify(step.content) }, estimated)
        )
      )
      unpaid = undefined
      over = committed.over
      windows.keepPrompt(lease.sessionKey, keep.last(committed.contextId))
      watched.stepCommitted({ ...step.usage, calls: step.calls.length })
    },
    async claim(active) {
      const room = pace.concurrency - active
      const rows = room > 0 ? await claimCalls(ctx, lease, room) : []
      for (const { toolCallId } of rows) reins.tools.add(toolCallId)
      // A worker that took the turn over has begun no step of it yet.
      messageId ||= rows[0]?.messageId ?? ''
      return rows.map(row => ({
        toolCallId: row.toolCallId,
        toolName: row.toolName,
        input: row.editedInput ?? row.input,
        edited: row.editedInput !== null,
        ofOther: (row.agentId ?? ownAgentId) !== running.config.agentId,
        approved: row.state === 'approved',
        account: accountOfCall(row),
        elicited: row.elicited ?? [],
        waited: row.waited,
        batchSeconds: pace.batchTimeoutSeconds
      }))
    },
    run: (call, until, left) =>
      withFields({ toolCallId: call.toolCallId }, () =>
        watched.tool(call, async () => {
          const others = call.ofOther && (await toolsOfCall(ctx, life, call.toolCallId, clientTools))
          const theirs = others || tools
          return executeTool(
            // Also for a call that a worker before this one had opened, or a revision that had a tool which is gone: what is
            // open stays as it was.
            withAcknowledge(
              theirs.has(call.toolName)
                ? theirs
                : resolveTools([{ name: call.toolName }], [], undefined, {
                    off: toolsOff(ctx.ports),
                    sampleTools: ctx.ports.sampleTools
                  })
            ),
            call,
            {
              ...outside.tools,
              checkBySchema,
              fetchAs: fetch => fetchAs(ctx, { ...life, account: call.account ?? null }, fetch),
              program: async (name, until, work, answers) => {
                const { programs } = ctx.ports
                if (programs === undefined) throw new Error('MCP programs are off on this server.')
                return programs.talk({ workspaceId: ctx.workspaceId, ...life }, name, until, work, answers)
              },
              async runScript(order) {
                const { scripts } = ctx.ports
                if (scripts === undefined) throw new Error('Scripts are off on this server.')
                return scripts.run(order)
              },
              discover: () => discover(ctx, life, call.account ?? null),
              ownConfig: {
                read: async () =>
                  readOwnConfig(ctx, await agentOfCall(ctx, lease.sessionKey, call.toolCallId)),
                commit: proposal => commitOwnRevision(ctx, lease, call.toolCallId, proposal)
              },
              handOff: (to, reason) =>
                handOwnSession(ctx, lease, { from: running.config.agentId, to, reason }),
              alarms: {
                set: asked => setAlarm(ctx, lease, call.toolCallId, asked),
                list: () => listOwnAlarms(ctx, lease.sessionKey),
                cancel: alarmId => cancelOwnAlarm(ctx, lease, alarmId)
              },
              wikis: allowed => wikiReader(ctx, allowed),
              acknowledge: (id, effect) => acknowledgeOob(ctx, lease, id, effect),
              tell: message => tellSession(ctx, lease, { turnId, callId: call.toolCallId }, message)
            },
            until,
            { seconds: pace.timeoutSeconds, left, together: call.batchSeconds }
          )
        })
      ),
    async record(toolCallId, outcome, duration) {
      if (outcome.type === 'connect') await askConnection(ctx, lease, toolCallId, outcome.ask)
      else if (outcome.type === 'consent') await askConsent(ctx, lease, toolCallId, outcome.ask)
      else if (outcome.type === 'ask') await askOrFail(ctx, lease, toolCallId, outcome)
      else {
        const kept = storedResult(ctx, outcome)
        const tokens = countTokens(JSON.stringify(kept))
        await recordCall(ctx, lease, toolCallId, kept, { tokens, duration })
      }
      reins.tools.delete(toolCallId)
    },
    rung: until =>
      new Promise(resolve => {
        const stop = bus.onRing(key => {
          if (key === null || key === lease.sessionKey) done()
        })
        const done = () => {
          stop()
          until.removeEventListener('abort', done)
          resolve()
        }
        until.addEventListener('abort', done, { once: true })
      })
  }
  return turn
}

/** The tokens of what stands in a window and is not sent any more (001-7). */
const overIn = (entries: readonly ContextEntry[]): number =>
  hasDurations(entries)
    ? Object.values(overTokens(entries, countTokens)).reduce((sum, count) => sum + count, 0)
    : 0

/** A provider that rejects a request with files may mean these, whatever it says. */
const withFiles = (problem: ModelProblem, sent: number): ModelProblem =>
  sent === 0 || problem.code !== 'BAD_REQUEST'
    ? problem
    : {
        ...problem,
        message: `${problem.message} The request had ${sent === 1 ? 'an attached file' : `${sent} attached files`}. If the model does not accept files, set "attachments" of the agent, or delete the turn with the file.`
      }

/** Asks what a tool's server asks, as it may be stored; what cannot be redacted is not asked. */
async function askOrFail(
  ctx: Ctx,
  lease: Desk['lease'],
  toolCallId: string,
  { ask, answer }: Extract<ToolOutcome, { type: 'ask' }>
): Promise<void> {
  const kept = redactedOr<typeof ask | undefined>(ctx, 'tool-result', ask, undefined)
  const [fault] = await ctx.ports.schemas.faultsOf(
    [ask.schema],
    `${ctx.workspaceId} session:${lease.sessionKey}`
  )
  if (kept !== undefined && fault === null) {
    // It was made of the words as they came, and names of fields stay.
    const { question, order, schema } = ask
    const { required } = schema
    const named = required === undefined ? kept.schema : { ...kept.schema, required }
    await askQuestion(ctx, lease, toolCallId, { ...kept, schema: named, question, order }, answer)
    return
  }
  const text =
    kept === undefined
      ? 'The MCP server asked a question that could not be redacted, so it was not shown.'
      : `The MCP server asked a question with a schema that ${fault}, so it was not shown.`
  await recordCall(ctx, lease, toolCallId, { type: 'error', text }, { tokens: countTokens(text) })
}

/** In the place of a plugin's words that cannot be redacted. */
const unkept = 'The text could not be redacted.'

/** What a tool brought back, as it may be stored; what cannot be redacted is not, and the tool is not run again for it. */
function storedResult(ctx: Ctx, result: CallResult): CallResult {
  const said = result.type === 'output' ? result.value : result.type === 'error' ? result.text : result.reason
  const unkept = 'The call ran, but its result could not be redacted and was not stored.'
  const failed = Symbol()
  const kept = redactedOr<unknown>(ctx, 'tool-result', said, failed)
  if (kept === failed) return { type: 'error', text: unkept }
  switch (result.type) {
    case 'output':
      return { type: 'output', value: kept }
    case 'error':
      return { type: 'error', text: String(kept) }
    case 'denied':
      return kept === undefined ? result : { type: 'denied', reason: String(kept) }
  }
}

const turnError = ({
  code,
  message,
  retryable,
  retryAfterMs
}: ModelProblem): TurnError & { retryAfterMs?: number } => ({
  code,
  message,
  retryable,
  ...(retryAfterMs === undefined ? {} : { retryAfterMs })
})
