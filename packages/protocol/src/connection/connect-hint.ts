import * as z from 'zod/mini'

/** The render hint of a call that waits for a connection, for any tool (002-4). */
export const ConnectHint = z.looseObject({
  kind: z.literal('connect'),
  integration: z.string(),
  slug: z.string(),
  /** Display name of the service. */
  service: z.string(),
  /** Available ways to connect, the preferred one first. Empty: the integration is not set up. */
  modes: z.array(z.enum(['oauth', 'device', 'api_key'])),
  scopes: z.optional(z.array(z.string())),
  why: z.optional(z.string()),
  /** When a user connected the account after the call had ended without it (002-12), in ISO 8601. */
  connectedAt: z.optional(z.string())
})
export type ConnectHint = z.infer<typeof ConnectHint>
