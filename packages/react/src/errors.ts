import { type ApiError, WaystationError } from '@waystation/client'
import type { SessionState } from './playground.ts'

/** Returns the error of a response body. */
export const errorFrom = (body: Pick<ApiError, 'error' | 'code'>): WaystationError =>
  new WaystationError(0, body)

/** Returns why the session cannot be read, or why the last action failed. */
export function errorOf({ gone, problem }: SessionState): Error | undefined {
  if (gone !== undefined) return errorFrom(gone)
  return problem === undefined ? undefined : new Error(problem)
}

/**
 * Returns a function that takes each state of a session, and reports each new error once: of the session, of an
 * action, and of a message or an answer that the server rejected.
 */
export function createErrorReporter(report: (error: Error) => void): (state: SessionState) => void {
  let known: ReadonlySet<unknown> = new Set()
  return state => {
    const { gone, problem, pending } = state
    const refusals = [...pending.sends, ...Object.values(pending.answers)].flatMap(
      ({ refusal }) => refusal ?? []
    )
    const current = new Set<unknown>([...refusals, gone ?? problem].filter(error => error !== undefined))
    const last = known
    known = current
    const error = errorOf(state)
    if (error !== undefined && !last.has(gone ?? problem)) report(error)
    for (const refusal of refusals) if (!last.has(refusal)) report(errorFrom(refusal))
  }
}
