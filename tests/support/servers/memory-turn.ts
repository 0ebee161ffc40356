import { demoModel } from '@waystation/demo-model'
import { sdkFastPath } from '@waystation/text-stream'
import type {
  Begin,
  ContextEntry,
  FinishedStep,
  Spent,
  Step,
  StepModel,
  Turn
} from '#lib/engine/turn/turn.ts'
import { noHooks } from '#lib/kernel/ports/hooks.ts'

/**
 * Returns a turn on arrays, with the demo model. `beginKinds` contains the results of the `begin` calls; the last one
 * repeats forever. `actions` records in order what the loop does.
 */
export function memoryTurn(
  beginKinds: Begin['kind'][],
  { model, ...more }: Partial<Turn> & { step?: Partial<Step>; model?: Partial<StepModel> } = {}
) {
  const { step: stepMore, ...turnMore } = more
  const actions: string[] = []
  const steps: FinishedStep[] = []
  const spent: Spent[] = []
  const entries: ContextEntry[] = [
    { id: 1, kind: 'user', parts: [{ type: 'text', text: 'say Hello there.' }], tokens: 1 }
  ]
  const stop = new AbortController()
  let n = 0
  const base = {
    hooks: noHooks,
    run: { input: '', rounds: 0, resumed: false },
    results: async () => [],
    replaceResult: async () => ({ entries }),
    replaceInput: async () => ({ entries })
  }
  const step: Step = {
    ...base,
    kind: 'step',
    messageId: 'm',
    entries,
    summary: '',
    shortOob: { upTo: 0, characters: 100 },
    round: 1,
    userMessages: [],
    instructions: '',
    tools: [],
    toToolSet: () => ({}),
    serverHooks: async () => noHooks,
    ...stepMore,
    model: {
      name: 'demo/demo',
      open: demoModel,
      openStream: () => sdkFastPath((model?.open ?? demoModel)()),
      userAfterTools: () => true,
      tokensOf: words => JSON.stringify(words).length,
      ask: ask => ask({ recordInputs: false, recordOutputs: false }),
      describeError: error => ({ code: 'X', message: String(error), retryable: false }),
      describeFinish: () => undefined,
      ...model
    }
  }
  const turn: Turn = {
    signal: stop.signal,
    async begin() {
      const kind = beginKinds[Math.min(n++, beginKinds.length - 1)] ?? 'done'
      actions.push(`begin ${kind}`)
      if (kind === 'step') return step
      return kind === 'tools' ? { ...base, kind } : { kind }
    },
    addUsage(cost) {
      spent.push(cost)
    },
    asked: () => undefined,
    keepFailed: async () => undefined,
    async commit(step) {
      actions.push('commit')
      steps.push(step)
    },
    async claim() {
      actions.push('claim')
      return []
    },
    async run(call) {
      actions.push(`run ${call.toolCallId}`)
      return { type: 'output', value: call.toolCallId }
    },
    async record(toolCallId) {
      actions.push(`record ${toolCallId}`)
    },
    notified: signal =>
      new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true })),
    ...turnMore
  }
  return { turn, step, actions, steps, spent, stop }
}
