import { z } from 'zod'

/** What a plugin in another language can be (003-4). */
export const PluginCapability = z.enum(['model', 'tools', 'hooks', 'views'])
export type PluginCapability = z.infer<typeof PluginCapability>

/** How a plugin stands in this process; `why` is a sentence, where it is not well. */
export const PluginState = z.object({
  kind: z.enum(['starting', 'serving', 'unhealthy', 'restarting', 'failed', 'stopped']),
  why: z.string().optional()
})
export type PluginState = z.infer<typeof PluginState>

/**
 * A plugin of a workspace as whoever looks after it sees it, in the process that answers. `source` as the workspace's file has
 * it. Of what it offers: what it said at its last start; `skipped`: what of that cannot be used, and why. `logs`: the last lines
 * that it wrote.
 */
export const PluginStatus = z.object({
  name: z.string(),
  source: z.string(),
  state: PluginState,
  version: z.string().optional(),
  capabilities: z.array(PluginCapability),
  tools: z.array(z.object({ name: z.string(), description: z.string() })),
  skipped: z.array(z.object({ name: z.string(), reason: z.string() })),
  restarts: z.int(),
  logs: z.array(z.object({ stream: z.enum(['stdout', 'stderr']), text: z.string() }))
})
export type PluginStatus = z.infer<typeof PluginStatus>
