import { z } from 'zod'

/** An idempotency key: a repeated request gets the first response (api.md; draft-ietf-httpapi-idempotency-key). */
export const Key = z.string().min(1).max(255)
