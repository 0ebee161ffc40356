import { log } from '@waystation/base/log.ts'
import { lanesOf } from './lanes.ts'
import { Thread } from './thread.ts'
import { mostPatience, watchCpu } from './watch-cpu.ts'

/** Maximum number of waiting questions per lane. */
const maxWaiting = 1_000

type Options = {
  /** The worker's module. It sends `ready` once, and then answers each message with one message. */
  file: URL
  /** Maximum CPU time of a question in milliseconds. */
  limitMs: number
  /** Maximum memory of the thread in MiB. */
  memory: number
  /** For the log: the thread's task, and the effect of a failure. */
  about: string
}

type QueuedQuestion<Question> = {
  question: Question
  ms: number
  since: number
  answer: (message: unknown) => void
}

/** Asks questions of a thread. */
export type WorkerThread<Question> = {
  /**
   * Asks a question. Undefined means that it took more than `ms` of CPU time or too much memory, took more than ten
   * times as long by the clock (including the wait), or that its lane was full. `lane` is for fair scheduling
   * (`lanes.ts`).
   */
  ask: (question: Question, options?: { ms?: number; lane?: string }) => Promise<unknown>
  stop: () => Promise<void>
}

/**
 * Creates a thread that answers questions one after the other. Questions can take forever, and nothing else in this
 * process waits for them. A thread that exceeds its limits is killed, and the next question starts a new one. The first
 * question starts the thread.
 */
export function workerThread<Question>({ file, limitMs, memory, about }: Options): WorkerThread<Question> {
  const lanes = lanesOf<QueuedQuestion<Question>>(maxWaiting)
  let thread: Thread | undefined
  let busy = false
  let stopped = false

  const logError = (error: unknown) => log('error', `The thread that ${about}`, { error })
  const start = async (): Promise<Thread> => {
    const newThread = new Thread(file, memory)
    // An `exit` event follows, which ends the question.
    newThread.on('error', logError)
    await newThread.ready()
    return newThread
  }
  const endThread = async () => {
    const current = thread
    thread = undefined
    await current?.end()
  }
  const askNow = async (question: Question, ms: number): Promise<unknown> => {
    // The thread can end between two questions.
    if (thread === undefined || thread.ended) thread = await start()
    const current = thread
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const onExit = () => resolve(undefined)
    current.once('message', resolve).once('exit', onExit)
    current.wait()
    current.post(question)
    const watch = watchCpu(current, ms, onExit)
    const answer = await promise
    watch.stop()
    current.rest()
    current.off('message', resolve).off('exit', onExit)
    if (answer === undefined) await endThread()
    return answer
  }
  const drain = async () => {
    if (busy) return
    busy = true
    for (let queued = lanes.next(); queued !== undefined; queued = lanes.next()) {
      const { question, ms, since, answer } = queued
      const isStale = stopped || performance.now() - since > mostPatience * limitMs
      answer(isStale ? undefined : await askNow(question, ms).catch(logError))
    }
    busy = false
  }
  return {
    ask(question, { ms = limitMs, lane = '' } = {}) {
      const { promise, resolve } = Promise.withResolvers<unknown>()
      const queued = { question, ms, since: performance.now(), answer: resolve }
      if (lanes.add(lane, queued)) void drain()
      else resolve(undefined)
      return promise
    },
    stop() {
      stopped = true
      return endThread()
    }
  }
}
