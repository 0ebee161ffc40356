import { ApiError } from '@waystation/base/api-error.ts'
import { problem } from './problem.ts'

/** Answers a request for an unknown API path with a JSON error, never with a page. */
export const endpointNotFound = (request: Request): Response =>
  problem(
    new ApiError(
      'NOT_FOUND',
      `There is no endpoint ${request.method} ${new URL(request.url).pathname}. See /api/openapi.json.`
    )
  )
