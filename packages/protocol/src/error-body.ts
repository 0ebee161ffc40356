import { z } from 'zod'
import { Time } from './time.ts'

/** All error codes of requests (api.md "Errors"). Only `lib/http/response/problem.ts` maps them to statuses. */
export const ErrorCode = z.enum([
  'MALFORMED_JSON',
  'INVALID_SESSION_ID',
  'SESSION_ID_REQUIRED',
  'SESSION_AGENT_MISMATCH',
  'AGENT_NOT_FOUND',
  'EMPTY_MESSAGE',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'FOREIGN_ORIGIN',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'SESSION_BUSY',
  'ALREADY_SETTLED',
  'NOT_ANSWERABLE',
  'CONFLICT',
  'EXPIRED',
  'TOO_LARGE',
  'UNSUPPORTED_TYPE',
  'INVALID_INPUT',
  'KEY_REUSED',
  'RATE_LIMITED',
  'UNAVAILABLE'
])
export type ErrorCode = z.infer<typeof ErrorCode>

/**
 * The body of every error response: a message for people and a code for programs.
 * - `fields`: the error of each invalid field
 * - `winner`: the answer that settled the call first
 * - `newest`: the newer version, and who published or saved it
 * - `retryAfter`: in seconds
 */
export const ErrorBody = z.object({
  error: z.string(),
  code: ErrorCode,
  fields: z.record(z.string(), z.string()).optional(),
  winner: z.object({ state: z.string(), answeredBy: z.string().optional(), at: Time }).optional(),
  newest: z
    .object({ revision: z.int().optional(), version: z.int().optional(), by: z.string(), at: Time })
    .optional(),
  retryAfter: z.number().optional()
})
export type ErrorBody = z.infer<typeof ErrorBody>
