import { parentPort } from 'node:worker_threads'
import { RE2JS } from 're2js'
import { patternFault } from '#lib/kernel/schemas/pattern-fault.ts'
import type { PatternQuestion } from './patterns.ts'

/** Patterns that were used lately, so that a rule is not compiled for each call; the oldest goes first. */
const kept = new Map<string, RE2JS>()
const keptMost = 1_000

function compiled(pattern: string): RE2JS {
  const made = kept.get(pattern) ?? RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE)
  kept.delete(pattern)
  kept.set(pattern, made)
  const [oldest] = kept.keys()
  if (kept.size > keptMost && oldest !== undefined) kept.delete(oldest)
  return made
}

/** The thread of `patterns.ts`: one question at a time. What throws here ends the thread, and the question has no answer. */
parentPort?.on('message', ({ patterns, text }: PatternQuestion) => {
  parentPort?.postMessage(
    text === undefined
      ? patterns.map(pattern => patternFault(pattern) ?? null)
      : patterns.findIndex(pattern => compiled(pattern).test(text))
  )
})
parentPort?.postMessage('ready')
