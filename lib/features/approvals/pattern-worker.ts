import { parentPort } from 'node:worker_threads'
import { patternError } from '@waystation/json-schemas/pattern-error.ts'
import { RE2JS } from 're2js'
import type { PatternQuestion } from './patterns.ts'

/** Recently used patterns, so that rules are not compiled for each call. The least recently used is removed first. */
const cache = new Map<string, RE2JS>()
const maxCached = 1_000

function compiled(pattern: string): RE2JS {
  const regex = cache.get(pattern) ?? RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE)
  cache.delete(pattern)
  cache.set(pattern, regex)
  const [oldest] = cache.keys()
  if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest)
  return regex
}

/**
 * The worker thread of `patterns.ts`. It handles one question at a time. An exception ends the thread, and
 * the question has no answer.
 */
parentPort?.on('message', ({ patterns, text }: PatternQuestion) => {
  parentPort?.postMessage(
    text === undefined
      ? patterns.map(pattern => patternError(pattern) ?? null)
      : patterns.findIndex(pattern => compiled(pattern).test(text))
  )
})
parentPort?.postMessage('ready')
