import { log } from '@waystation/base/log.ts'
import { lanesOf } from '@waystation/base/threads/lanes.ts'
import { Thread } from '@waystation/base/threads/thread.ts'
import { watchCpu } from '@waystation/base/threads/watch-cpu.ts'
import type { LoadedWiki, WikiAnswer, WikiEngine, WikiTask, WikiTasks } from './wiki-engine.ts'

/** A message to the thread: a wiki to load, or a question. `key` identifies the wiki, if the task needs one. */
export type ToThread =
  | { load: string; tiddlers: string }
  | { task: WikiTask; ask: WikiTasks[WikiTask]['ask']; key: string | undefined }

/**
 * A message from the thread: it is ready, which tiddler it is processing, that the wiki is not loaded, or the
 * result.
 */
export type FromThread =
  | 'ready'
  | { at: string }
  | { end: 'unknown' }
  | { end: 'done'; value: unknown }
  | { end: 'failed'; why: string }

/** The thread's memory limit, in MiB. A thread that exceeds it ends, and its question has no answer. */
const memoryMiB = 512

/**
 * Limits in milliseconds. CPU time of a question about a wiki (`limitMs`), about a whole wiki (`wholeMs`),
 * and of wikitext in transcripts, which any end user can send (`looseMs`). `patienceMs` is the maximum time
 * in the queue.
 */
type Limits = { limitMs?: number; wholeMs?: number; looseMs?: number; patienceMs?: number }
const isWholeWiki = (task: WikiTask) => task === 'parse' || task === 'html'

/** On a busy machine, a question may take its CPU limit times this factor in wall-clock time. */
const wallTimeFactor = 4

/** The maximum number of waiting questions in a lane. */
const maxWaiting = 32

/**
 * Runs TiddlyWiki in three threads: one for wikitext in transcripts, which end users send, one for slow
 * imports and exports of whole wikis, and one for everything else. Each thread handles one question at a
 * time, and lanes take turns. A workspace or an end user waits for the running question and for at most one
 * question of each other lane. If a lane is full or a question waits too long, its answer is `busy`.
 */
export function wikiEngine({
  limitMs = 2_000,
  wholeMs = 15_000,
  looseMs = 500,
  patienceMs = 10_000
}: Limits = {}): WikiEngine & { stop: () => Promise<void> } {
  const wikitextThread = wikiThread({ limitMs: looseMs, wholeMs, patienceMs })
  const wholeWikiThread = wikiThread({ limitMs, wholeMs, patienceMs: Math.max(patienceMs, 2 * wholeMs) })
  const mainThread = wikiThread({ limitMs, wholeMs, patienceMs })
  const ask = (task: WikiTask, input: Ask, lane: string, wiki?: LoadedWiki) =>
    (task === 'wikitext' ? wikitextThread : isWholeWiki(task) ? wholeWikiThread : mainThread).ask(
      { task, asked: input, wiki },
      lane
    )
  return Object.assign(ask as WikiEngine, {
    stop: async () => {
      await Promise.all([wikitextThread.stop(), wholeWikiThread.stop(), mainThread.stop()])
    }
  })
}

type Ask = WikiTasks[WikiTask]['ask']
type Question = { task: WikiTask; asked: Ask; wiki: LoadedWiki | undefined }
type Waiting = {
  question: Question
  since: number
  answer: (answer: WikiAnswer<unknown>) => void
  fail: (error: unknown) => void
}

/**
 * Manages one thread, which starts with the first question. The thread has no environment variables and never
 * runs scripts of wikis. If a question exceeds its CPU or memory limit, its answer is `late`, and the next
 * question gets a new thread.
 */
function wikiThread({ limitMs, wholeMs, patienceMs }: Omit<Required<Limits>, 'looseMs'>) {
  const lanes = lanesOf<Waiting>(maxWaiting)
  let thread: Thread | undefined
  let busy = false
  let stopped = false

  const send = async (message: ToThread, ms: number): Promise<WikiAnswer<unknown> | { kind: 'unknown' }> => {
    // The thread may have ended between two questions.
    if (thread === undefined || thread.ended) thread = (await startThread().catch(logFailure)) ?? undefined
    if (thread === undefined) return { kind: 'busy' }
    const current = thread
    const { promise, resolve } = Promise.withResolvers<
      Exclude<FromThread, 'ready' | { at: string }> | 'late'
    >()
    let at: string | undefined
    const onMessage = (reply: FromThread) => {
      if (reply === 'ready') return
      if ('at' in reply) at = reply.at
      else resolve(reply)
    }
    const onLate = () => resolve('late')
    current.on('message', onMessage as (reply: unknown) => void).once('exit', onLate)
    current.wait()
    current.post(message)
    const watch = watchCpu(current, ms, onLate, wallTimeFactor)
    const outcome = await promise
    watch.stop()
    current.rest()
    current.off('message', onMessage as (reply: unknown) => void).off('exit', onLate)
    if (outcome === 'late') {
      await end()
      return { kind: 'late', at }
    }
    return outcome.end === 'done'
      ? { kind: 'done', value: outcome.value }
      : outcome.end === 'failed'
        ? { kind: 'failed', why: outcome.why }
        : { kind: 'unknown' }
  }

  const askNow = async ({ task, asked: input, wiki }: Question): Promise<WikiAnswer<unknown>> => {
    const message = { task, ask: input, key: wiki?.key }
    const ms = isWholeWiki(task) ? wholeMs : limitMs
    const answer = await send(message, ms)
    if (answer.kind !== 'unknown') return answer
    if (wiki === undefined) throw new Error(`The TiddlyWiki task "${task}" needs a wiki.`)
    const loaded = await send({ load: wiki.key, tiddlers: await wiki.load() }, wholeMs)
    if (loaded.kind !== 'done') return loaded.kind === 'unknown' ? { kind: 'busy' } : loaded
    const retried = await send(message, ms)
    return retried.kind === 'unknown' ? { kind: 'busy' } : retried
  }

  const end = async () => {
    const ended = thread
    thread = undefined
    await ended?.end()
  }
  const work = async () => {
    if (busy) return
    busy = true
    for (let next = lanes.next(); next !== undefined; next = lanes.next()) {
      const { question, since, answer, fail } = next
      if (stopped || performance.now() - since > patienceMs) answer({ kind: 'busy' })
      else await askNow(question).then(answer, fail)
    }
    busy = false
  }
  return {
    ask(question: Question, lane: string): Promise<WikiAnswer<unknown>> {
      const { promise, resolve: answer, reject: fail } = Promise.withResolvers<WikiAnswer<unknown>>()
      if (lanes.add(lane, { question, since: performance.now(), answer, fail })) void work()
      else answer({ kind: 'busy' })
      return promise
    },
    stop() {
      stopped = true
      return end()
    }
  }
}

async function startThread(): Promise<Thread> {
  const thread = new Thread(new URL('./engine-worker.ts', import.meta.url), memoryMiB)
  // The thread ends after an error, and the pending question reacts to its exit.
  thread.on('error', logFailure)
  await thread.ready()
  return thread
}

function logFailure(error: unknown): void {
  log('error', 'The TiddlyWiki thread failed. Its pending request got no response.', { error })
}
