import { Refusal } from '#lib/kernel/refusal.ts'
import { problem } from './problem.ts'

/** Answers for an address of the API that does not exist: an error like any other, never a page. */
export const notHere = (request: Request): Response =>
  problem(
    new Refusal(
      'NOT_FOUND',
      `There is no endpoint ${request.method} ${new URL(request.url).pathname}. See /api/openapi.json.`
    )
  )
