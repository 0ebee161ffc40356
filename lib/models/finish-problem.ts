import type { ModelProblem } from '#lib/kernel/ports/model-problem.ts'

/**
 * The problem behind the way a step finished, if there is one. The AI SDK reports a stream that just stopped as
 * `other` (or `interrupted`) and no error, and a refusal as `content-filter`; both look like success to a caller
 * that only waits for errors. An unusual word of the provider (`other` with a raw reason) is not a cut.
 *
 * @param reason the step's `finishReason`
 * @param raw the step's `rawFinishReason`
 */
export function problemOfFinish(reason: string, raw: string | undefined): ModelProblem | undefined {
  if (reason === 'content-filter') {
    return {
      code: 'REFUSED',
      message: "The model provider's content filter stopped the answer. Rephrase your message and try again.",
      retryable: false
    }
  }
  if (reason === 'interrupted' || (reason === 'other' && raw === undefined)) return CUT
  return undefined
}

/** The answer stopped in the middle. */
export const CUT: ModelProblem = {
  code: 'CUT',
  message: "The model's answer was cut off before it was complete.",
  retryable: true
}
