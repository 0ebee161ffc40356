import type { Refusal } from '@waystation/base/refusal.ts'
import { problem } from './problem.ts'
import { refusalTo } from './refusal-to.ts'

/** Writes the response to a request that failed. `status` differs from the code's own for errors of the server. */
export type ErrorWriter = (refusal: Refusal, status?: number) => Response

/** Runs `work` and turns every error into a response: JSON, or the output of `refuse`. */
export async function respondOrRefuse(
  request: Request,
  path: string,
  work: () => Promise<Response>,
  refuse: ErrorWriter = problem
): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    const { refusal, status } = await refusalTo(request, path, error)
    return refuse(refusal, status)
  }
}
