import type { ModelProblem } from '#lib/kernel/ports/model-problem.ts'

/**
 * Returns the problem behind a step's finish reason, or undefined. The AI SDK reports a stream that just
 * stopped as `other` (or `interrupted`), and a content filter as `content-filter`. Neither comes with an error,
 * so both look like success. `other` with a raw reason is only an unusual finish reason of the provider.
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
  // Some providers report an error of the model, such as a malformed call, only as the finish reason.
  const failed = reason === 'error' || reason === 'interrupted' || raw === 'TIMEOUT'
  if (failed || (reason === 'other' && raw === undefined)) return CUT
  return undefined
}

/** The problem of an answer that ends before it is complete. */
export const CUT: ModelProblem = {
  code: 'CUT',
  message: "The model's answer was cut off before it was complete.",
  retryable: true
}
