import { expect } from 'vitest'

/** The situation, a function that causes it, and the sentence that the user then reads. */
export type SentenceRow = [what: string, attempt: () => unknown, sentence: string | RegExp]

/**
 * Runs the rows in order and compares the sentences. A sentence is a thrown message, the `error` of a response, or
 * the returned value itself.
 */
export async function expectSentences(rows: readonly SentenceRow[]): Promise<void> {
  for (const [situation, attempt, sentence] of rows) {
    const actual = await sentenceOf(attempt)
    if (typeof sentence === 'string') expect(actual, situation).toBe(sentence)
    else expect(actual, situation).toMatch(sentence)
  }
}

async function sentenceOf(attempt: () => unknown): Promise<unknown> {
  try {
    const result = await attempt()
    return (result as { body?: { error?: string } } | undefined)?.body?.error ?? result
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}
