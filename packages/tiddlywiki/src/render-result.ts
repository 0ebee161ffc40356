import { ApiError } from '@waystation/base/api-error.ts'
import type { Rendered } from '@waystation/protocol/wiki/wiki.ts'
import type { WikiAnswer } from './wiki-engine.ts'

/** Returns why TiddlyWiki gave no answer, in one or two sentences. */
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

/** Returns the HTML, or the reason why there is none. */
export const toRendered = (answer: WikiAnswer<string>): Rendered =>
  answer.kind === 'done' ? { html: answer.value } : { html: null, problem: problemOf(answer) }

/** Returns the answer's value. Throws `UNAVAILABLE` if a retry can help, or else `INVALID_INPUT`. */
export function valueOrThrow<T>(answer: WikiAnswer<T>): T {
  if (answer.kind === 'done') return answer.value
  throw new ApiError(answer.kind === 'busy' ? 'UNAVAILABLE' : 'INVALID_INPUT', problemOf(answer))
}
