import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { log } from '#lib/kernel/log.ts'
import type { LoadedWiki, WikiAnswer, WikiEngine, WikiTask, WikiTasks } from '#lib/kernel/wiki-engine.ts'

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

/** How long a question may take, in milliseconds; those that read or write a whole wiki have longer. */
type Limits = { limitMs?: number; wholeMs?: number }
const isWhole = (task: WikiTask) => task === 'parse' || task === 'html'

/**
 * TiddlyWiki, on a thread of its own: one question after the other, whatever the wikis say. It is given no environment, and a
 * wiki's scripts are never run: they are texts to it. A question that takes longer than `limitMs`, or more memory than there
 * is, is `late`, and the next one gets a new thread; one that waited for its turn five times as long is `busy`. The thread
 * begins with the first question.
 */
export function wikiEngine({ limitMs = 2_000, wholeMs = 15_000 }: Limits = {}): WikiEngine & {
  stop: () => Promise<void>
} {
  let thread: Worker | undefined
  let before: Promise<unknown> = Promise.resolve()

  const say = async (words: ToThread, ms: number): Promise<WikiAnswer<unknown> | { kind: 'unknown' }> => {
    thread ??= await begin()
    const worker = thread
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
    const late = setTimeout(over, ms)
    worker.on('message', hear).once('exit', over)
    worker.postMessage(words)
    const said = await promise
    clearTimeout(late)
    worker.off('message', hear).off('exit', over)
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

  const askNow = async (task: WikiTask, ask: WikiTasks[WikiTask]['ask'], wiki?: LoadedWiki) => {
    const question = { task, ask, key: wiki?.key }
    const ms = isWhole(task) ? wholeMs : limitMs
    const said = await say(question, ms)
    if (said.kind !== 'unknown') return said
    if (wiki === undefined) throw new Error(`TiddlyWiki was asked for "${task}" of no wiki.`)
    const loaded = await say({ load: wiki.key, tiddlers: await wiki.load() }, wholeMs)
    if (loaded.kind !== 'done') return loaded.kind === 'unknown' ? { kind: 'busy' as const } : loaded
    const again = await say(question, ms)
    return again.kind === 'unknown' ? { kind: 'busy' as const } : again
  }

  const end = async () => {
    const worker = thread
    thread = undefined
    await worker?.terminate()
  }
  const ask = async (task: WikiTask, asked: WikiTasks[WikiTask]['ask'], wiki?: LoadedWiki) => {
    const since = performance.now()
    const isStale = () => performance.now() - since > 5 * limitMs
    const answer = before.then(() => (isStale() ? { kind: 'busy' as const } : askNow(task, asked, wiki)))
    before = answer.catch(told)
    return answer
  }
  return Object.assign(ask as WikiEngine, { stop: end })
}

async function begin(): Promise<Worker> {
  const worker = new Worker(new URL('./engine-worker.ts', import.meta.url), {
    execArgv: [],
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memory }
  })
  worker.unref()
  // What a wiki makes TiddlyWiki say on the way is nobody's.
  worker.stdout.resume()
  worker.stderr.resume()
  await once(worker, 'message')
  // An error is followed by its end, which is what the question hears.
  worker.on('error', told)
  return worker
}

function told(error: unknown): void {
  log('error', 'The thread of TiddlyWiki failed; what it was asked had no answer.', { error })
}
