import { log } from '#lib/kernel/log.ts'
import { lanesOf } from './lanes.ts'
import { Thread } from './thread.ts'
import { mostPatience, watchCpu } from './watch-cpu.ts'

/** Questions that wait in one lane. */
const mostWaiting = 1_000

type Options = {
  /** The worker's module. It says `ready` once, and then answers one message with one message. */
  file: URL
  /** How much CPU time one question may take. Milliseconds. */
  limitMs: number
  /** What the thread may hold. MiB. */
  memory: number
  /** For the log: what the thread does, and what happens without it. */
  about: string
}

type Asked<Question> = {
  question: Question
  ms: number
  since: number
  answer: (said: unknown) => void
}

export type WorkerThread<Question> = {
  /**
   * Undefined: it took more than `ms` of CPU time or too much memory, more than ten times as long went by (waiting included), or
   * too many waited. `lane`: for whom (`lanes.ts`).
   */
  ask: (question: Question, options?: { ms?: number; lane?: string }) => Promise<unknown>
  stop: () => Promise<void>
}

/**
 * A thread that answers questions that could take for ever, one after the other: however long one takes, nothing else of this
 * process waits. A thread that is late or too large ends, and the next question gets a new one. It begins with the first.
 */
export function workerThread<Question>({ file, limitMs, memory, about }: Options): WorkerThread<Question> {
  const lanes = lanesOf<Asked<Question>>(mostWaiting)
  let thread: Thread | undefined
  let busy = false
  let stopped = false

  const told = (error: unknown) => log('error', `The thread that ${about}`, { error })
  const begin = async (): Promise<Thread> => {
    const begun = new Thread(file, memory)
    // An error is followed by its end, which is what the question hears.
    begun.on('error', told)
    await begun.ready()
    return begun
  }
  const end = async () => {
    const ended = thread
    thread = undefined
    await ended?.end()
  }
  const askNow = async (question: Question, ms: number): Promise<unknown> => {
    // It may have ended between two questions.
    if (thread === undefined || thread.ended) thread = await begin()
    const asked = thread
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const over = () => resolve(undefined)
    asked.once('message', resolve).once('exit', over)
    asked.wait()
    asked.post(question)
    const watch = watchCpu(asked, ms, over)
    const said = await promise
    watch.stop()
    asked.rest()
    asked.off('message', resolve).off('exit', over)
    if (said === undefined) await end()
    return said
  }
  const work = async () => {
    if (busy) return
    busy = true
    for (let asked = lanes.next(); asked !== undefined; asked = lanes.next()) {
      const { question, ms, since, answer } = asked
      const isStale = stopped || performance.now() - since > mostPatience * limitMs
      answer(isStale ? undefined : await askNow(question, ms).catch(told))
    }
    busy = false
  }
  return {
    ask(question, { ms = limitMs, lane = '' } = {}) {
      const { promise, resolve } = Promise.withResolvers<unknown>()
      const asked = { question, ms, since: performance.now(), answer: resolve }
      if (lanes.add(lane, asked)) void work()
      else resolve(undefined)
      return promise
    },
    stop() {
      stopped = true
      return end()
    }
  }
}
