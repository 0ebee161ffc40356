import type { SessionState } from './playground.ts'

/** Returns why the session cannot be read, or why the last action failed. */
export function errorOf({ gone, problem }: Pick<SessionState, 'gone' | 'problem'>): Error | undefined {
  return gone ?? (problem === undefined ? undefined : new Error(problem))
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
    const last = known
    known = new Set<unknown>([...refusals, gone ?? problem])
    const error = errorOf(state)
    if (error !== undefined && !last.has(gone ?? problem)) report(error)
    for (const refusal of refusals) if (!last.has(refusal)) report(refusal)
  }
}
