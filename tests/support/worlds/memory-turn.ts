import type { Begin, ContextEntry, FinishedStep, Spent, Turn } from '#lib/engine/turn/turn.ts'
import { noHooks } from '#lib/kernel/ports/hooks.ts'
import { demoModel } from '#packages/demo-model/src/index.ts'

/**
 * A turn on arrays, with the demo model: `begins` says what each `begin` finds (its last one again for ever), and
 * everything the loop does is written down, in order.
 */
export function memoryTurn(begins: Begin['kind'][], more: Partial<Turn> = {}) {
  const did: string[] = []
  const steps: FinishedStep[] = []
  const spent: Spent[] = []
  const entries: ContextEntry[] = [
    { id: 1, kind: 'user', parts: [{ type: 'text', text: 'say Hello there.' }], tokens: 1 }
  ]
  const stop = new AbortController()
  let n = 0
  const turn: Turn = {
    turnId: 't',
    instructions: '',
    model: demoModel(),
    userAfterTools: true,
    tools: {},
    hooks: noHooks,
    filter: noHooks,
    tokensOf: words => JSON.stringify(words).length,
    soFar: undefined,
    runState: { input: '', rounds: 0, resumed: false },
    hooksAtEnd: async () => noHooks,
    results: async () => [],
    replaceResult: async () => ({ entries }),
    replaceInput: async () => ({ entries }),
    signal: stop.signal,
    describeError: error => ({ code: 'X', message: String(error), retryable: false }),
    describeFinish: () => undefined,
    ask: ask => ask({ recordInputs: false, recordOutputs: false }),
    async begin() {
      const kind = begins[Math.min(n++, begins.length - 1)] ?? 'done'
      did.push(`begin ${kind}`)
      return kind === 'step'
        ? { kind, messageId: 'm', entries, summary: '', oobStart: 0, round: 1, said: [] }
        : { kind }
    },
    spend(one) {
      spent.push(one)
    },
    async commit(step) {
      did.push('commit')
      steps.push(step)
    },
    async claim() {
      did.push('claim')
      return []
    },
    async run(call) {
      did.push(`run ${call.toolCallId}`)
      return { type: 'output', value: call.toolCallId }
    },
    async record(toolCallId) {
      did.push(`record ${toolCallId}`)
    },
    rung: signal => new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true })),
    ...more
  }
  return { turn, did, steps, spent, stop }
}
