import { setTimeout as pause } from 'node:timers/promises'
import type { History, Operation } from './history.ts'
import type { Random } from './seeded.ts'
import type { Asking, Stage } from './stage.ts'

/** What a run's clients share. */
export type Run = {
  stage: Stage
  history: History
  /** True while clients begin something new. */
  going(): boolean
  /** How many operations have no outcome yet. */
  underWay: number
  /** How many were accepted. */
  accepted: number
}

/** One thing to ask for; the same request again is the same operation. */
export type Wanted = Pick<
  Operation,
  'verb' | 'session' | 'sender' | 'key' | 'mode' | 'value' | 'priority' | 'abort'
> &
  Pick<Asking, 'body' | 'text' | 'headers'> & { path: string; method?: 'POST' | 'DELETE' }

/** So many milliseconds a client waits for an answer. */
const patience = 3_000

/** One operation in so many is given up when its first attempt is in doubt: it stays unknown. */
const givesUp = 1 / 6

/** One operation in so many is asked for twice at the same moment, of two servers. */
const twins = 1 / 8

/**
 * Asks until there is an answer, as a good client does: each time another server, with the same key. A 5xx, a broken
 * connection and no answer in time leave it in doubt. Writes the operation to the history, and resolves with it.
 */
export async function operate(run: Run, random: Random, wanted: Wanted): Promise<Operation> {
  run.underWay += 1
  const operation = await insist(run, random, wanted).finally(() => {
    run.underWay -= 1
  })
  if (operation.outcome === 'ok') run.accepted += 1
  run.history.add(operation)
  return operation
}

async function insist({ stage }: Run, random: Random, wanted: Wanted): Promise<Operation> {
  const { method = 'POST', path, body, text, headers, ...told } = wanted
  const resigned = random.chance(givesUp)
  const twin = random.chance(twins)
  const first = random.below(stage.webs.length)
  const operation: Operation = {
    kind: 'operation',
    ...told,
    began: Date.now(),
    ended: 0,
    attempts: 0,
    outcome: 'unknown'
  }
  const askAt = (web: number) =>
    stage.ask(method, path, { body, text, headers, web, patience }).then(
      ({ status, body }) => ({ status, body: body as Receipt, web: web % stage.webs.length }),
      () => undefined
    )
  for (let doubt = false; ; ) {
    const next = first + operation.attempts
    const asked = await Promise.all(twin ? [askAt(next), askAt(next + 1)] : [askAt(next)])
    operation.attempts += asked.length
    const answered = asked.filter(one => one !== undefined && one.status < 500)
    doubt ||= answered.length < asked.length
    const accepted = answered.find(one => one !== undefined && one.status < 300)
    const answer = accepted ?? answered[0]
    if (answer !== undefined) {
      const { id, messageId = id, turnId, code } = answer.body
      Object.assign(operation, { web: answer.web }, messageId && { messageId }, turnId && { turnId })
      if (accepted !== undefined) operation.outcome = 'ok'
      // Another attempt may be on its way still.
      else
        Object.assign(operation, { outcome: doubt ? 'unknown' : 'failed', why: `${answer.status} ${code}` })
      break
    }
    if (resigned) break
    await pause(50 + random.below(150))
  }
  return { ...operation, ended: Date.now() }
}

type Receipt = { id?: string; messageId?: string; turnId?: string | null; code?: string }
