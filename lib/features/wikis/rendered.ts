import type { WikiAnswer } from '#lib/kernel/ports/wiki-engine.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import type { Rendered } from '#lib/protocol/wiki/wiki.ts'

/** Why TiddlyWiki did not answer, in a sentence. */
export function problemOf(answer: Exclude<WikiAnswer<unknown>, { kind: 'done' }>): string {
  switch (answer.kind) {
    case 'failed':
      return `TiddlyWiki failed: ${answer.why.slice(0, 300)}`
    case 'late':
      return 'TiddlyWiki took too long or ran out of memory, so it was stopped. Look for macros or filters that never end.'
    case 'busy':
      return 'TiddlyWiki is busy. Try again in a moment.'
  }
}

/** What was rendered, or why it was not. */
export const renderedOr = (answer: WikiAnswer<string>): Rendered =>
  answer.kind === 'done' ? { html: answer.value } : { html: null, problem: problemOf(answer) }

/** The answer, or a refusal that says why there is none: `503` where to try again helps. */
export function answered<T>(answer: WikiAnswer<T>): T {
  if (answer.kind === 'done') return answer.value
  throw new Refusal(answer.kind === 'busy' ? 'UNAVAILABLE' : 'INVALID_INPUT', problemOf(answer))
}
