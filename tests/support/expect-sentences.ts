import { expect } from 'vitest'

/** What happened, how to cause it, and the sentence that a person reads then. */
export type SentenceRow = [what: string, attempt: () => unknown, sentence: string | RegExp]

/** Runs the rows in their order. A sentence is what is thrown, the `error` of a response, or the value itself. */
export async function expectSentences(rows: readonly SentenceRow[]): Promise<void> {
  for (const [what, attempt, sentence] of rows) {
    const said = await saidBy(attempt)
    if (typeof sentence === 'string') expect(said, what).toBe(sentence)
    else expect(said, what).toMatch(sentence)
  }
}

async function saidBy(attempt: () => unknown): Promise<unknown> {
  try {
    const result = await attempt()
    return (result as { body?: { error?: string } } | undefined)?.body?.error ?? result
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}
