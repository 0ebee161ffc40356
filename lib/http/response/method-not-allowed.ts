import { ApiError } from '@waystation/base/api-error.ts'
import { problem } from './problem.ts'

/** Answers a request for a method that a path does not have. `allowed` has the methods of the path. */
export function methodNotAllowed(request: Request, allowed: string): Response {
  const { pathname } = new URL(request.url)
  const error = new ApiError(
    'METHOD_NOT_ALLOWED',
    `${pathname} does not accept ${request.method}. Use one of: ${allowed}.`
  )
  const response = problem(error)
  response.headers.set('allow', allowed)
  return response
}
