import { log } from '#lib/kernel/log.ts'
import type {
  LoadedWiki,
  WikiAnswer,
  WikiEngine,
  WikiTask,
  WikiTasks
} from '#lib/kernel/ports/wiki-engine.ts'
import { lanesOf } from '#lib/kernel/threads/lanes.ts'
import { Thread } from '#lib/kernel/threads/thread.ts'
import { watchCpu } from '#lib/kernel/threads/watch-cpu.ts'

/** What is said to the thread: a wiki to keep, or a question, about the wiki of that key where it needs one. */
export type ToThread =
  | { load: string; tiddlers: string }
  | { task: WikiTask; ask: WikiTasks[WikiTask]['ask']; key: string | undefined }

/** What it says: it is ready, which tiddler it is at, that it does not have that wiki (any more), or how it ended. */
export type FromThread =
  | 'ready'
  | { at: string }
  | { end: 'unknown' }
  | { end: 'done'; value: unknown }
  | { end: 'failed'; why: string }

/** What the thread may hold, in MiB: one that needs more ends, and its question has no answer. */
const memory = 512

/**
 * How long a question may compute, in milliseconds of CPU time: of a wiki; one that reads or writes a whole wiki; wikitext that belongs to no
 * wiki, which any end user may send. And how long one may wait for its turn.
 */
type Limits = { limitMs?: number; wholeMs?: number; looseMs?: number; patienceMs?: number }
const isWhole = (task: WikiTask) => task === 'parse' || task === 'html'

/** On a busy machine a question may take so many times its limit. */
const patience = 4

/** Questions that wait in one lane. */
const mostWaiting = 32

/**
 * TiddlyWiki, on threads of its own, whatever the wikis say: one for wikitext that belongs to no wiki, since end users send
 * that, one for whole wikis that come in or go out, since those take long, and one for the rest. On each, one question runs at a time, and lanes take turns: behind the one that runs, a workspace
 * or an end user waits for at most one question of each other. A question whose lane is full, or that waited too long, is `busy`.
 */
export function wikiEngine({
  limitMs = 2_000,
  wholeMs = 15_000,
  looseMs = 500,
  patienceMs = 10_000
}: Limits = {}): WikiEngine & { stop: () => Promise<void> } {
  const loose = wikiThread({ limitMs: looseMs, wholeMs, patienceMs })
  const whole = wikiThread({ limitMs, wholeMs, patienceMs: Math.max(patienceMs, 2 * wholeMs) })
  const wikis = wikiThread({ limitMs, wholeMs, patienceMs })
  const ask = (task: WikiTask, asked: Ask, lane: string, wiki?: LoadedWiki) =>
    (task === 'wikitext' ? loose : isWhole(task) ? whole : wikis).ask({ task, asked, wiki }, lane)
  return Object.assign(ask as WikiEngine, {
    stop: async () => {
      await Promise.all([loose.stop(), whole.stop(), wikis.stop()])
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
 * One thread. It is given no environment, and a wiki's scripts are never run: they are texts to it. A question that takes
 * longer than its limit, or more memory than there is, is `late`, and the next one gets a new thread. It begins with the first
 * question.
 */
function wikiThread({ limitMs, wholeMs, patienceMs }: Omit<Required<Limits>, 'looseMs'>) {
  const lanes = lanesOf<Waiting>(mostWaiting)
  let thread: Thread | undefined
  let busy = false
  let stopped = false

  const say = async (words: ToThread, ms: number): Promise<WikiAnswer<unknown> | { kind: 'unknown' }> => {
    // It may have ended between two questions.
    if (thread === undefined || thread.ended) thread = (await begin().catch(told)) ?? undefined
    if (thread === undefined) return { kind: 'busy' }
    const asked = thread
    const { promise, resolve } = Promise.withResolvers<
      Exclude<FromThread, 'ready' | { at: string }> | 'late'
    >()
    let at: string | undefined
    const hear = (said: FromThread) => {
      if (said === 'ready') return
      if ('at' in said) at = said.at
      else resolve(said)
    }
    const over = () => resolve('late')
    asked.on('message', hear as (said: unknown) => void).once('exit', over)
    asked.wait()
    asked.post(words)
    const watch = watchCpu(asked, ms, over, patience)
    const said = await promise
    watch.stop()
    asked.rest()
    asked.off('message', hear as (said: unknown) => void).off('exit', over)
    if (said === 'late') {
      await end()
      return { kind: 'late', at }
    }
    return said.end === 'done'
      ? { kind: 'done', value: said.value }
      : said.end === 'failed'
        ? { kind: 'failed', why: said.why }
        : { kind: 'unknown' }
  }

  const askNow = async ({ task, asked, wiki }: Question): Promise<WikiAnswer<unknown>> => {
    const words = { task, ask: asked, key: wiki?.key }
    const ms = isWhole(task) ? wholeMs : limitMs
    const said = await say(words, ms)
    if (said.kind !== 'unknown') return said
    if (wiki === undefined) throw new Error(`The TiddlyWiki task "${task}" needs a wiki.`)
    const loaded = await say({ load: wiki.key, tiddlers: await wiki.load() }, wholeMs)
    if (loaded.kind !== 'done') return loaded.kind === 'unknown' ? { kind: 'busy' } : loaded
    const again = await say(words, ms)
    return again.kind === 'unknown' ? { kind: 'busy' } : again
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

async function begin(): Promise<Thread> {
  const thread = new Thread(new URL('./engine-worker.ts', import.meta.url), memory)
  // An error is followed by its end, which is what the question hears.
  thread.on('error', told)
  await thread.ready()
  return thread
}

function told(error: unknown): void {
  log('error', 'The TiddlyWiki thread failed. Its pending request got no response.', { error })
}
