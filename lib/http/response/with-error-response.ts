import type { ApiError } from '@waystation/base/api-error.ts'
import { apiErrorFor } from './api-error-for.ts'
import { problem } from './problem.ts'

/** Writes the response to a request that failed. `status` differs from the code's own for errors of the server. */
export type ErrorWriter = (apiError: ApiError, status?: number) => Response

/** Runs `work` and turns every error into a response: JSON, or the output of `writeError`. */
export async function withErrorResponse(
  request: Request,
  path: string,
  work: () => Promise<Response>,
  writeError: ErrorWriter = problem
): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    const { apiError, status } = await apiErrorFor(request, path, error)
    return writeError(apiError, status)
  }
}
