import { z } from 'zod'

/** What a plugin in another language can be (003-4). */
export const PluginCapability = z.enum(['model', 'tools', 'hooks', 'views'])
export type PluginCapability = z.infer<typeof PluginCapability>

/** The events that a plugin hears of, and how long it took over the last of them (milliseconds); the counts are since it is kept. */
export const PluginHooks = z.object({
  events: z.array(z.string()),
  calls: z.int(),
  failed: z.int(),
  p50Ms: z.number(),
  p95Ms: z.number()
})
export type PluginHooks = z.infer<typeof PluginHooks>

/** How a plugin stands in this process; `why` is a sentence, where it is not well. */
export const PluginState = z.object({
  kind: z.enum(['starting', 'serving', 'unhealthy', 'restarting', 'failed', 'stopped']),
  why: z.string().optional()
})
export type PluginState = z.infer<typeof PluginState>

/** What a plugin's manifest says of it. `type`: a program that a server starts, or one that serves at an address. */
export const PluginAbout = z.object({
  version: z.string(),
  description: z.string(),
  author: z.string(),
  icon: z.string().optional(),
  type: z.enum(['local', 'remote'])
})
export type PluginAbout = z.infer<typeof PluginAbout>

/**
 * A plugin of a workspace as whoever looks after it sees it, in the process that answers. `source` as the workspace's file has
 * it. Of what it offers: what it said at its last start; `skipped`: what of that cannot be used, and why.
 */
export const PluginStatus = z.object({
  name: z.string(),
  source: z.string(),
  state: PluginState,
  /** The version that it registered with, or else its manifest's. */
  version: z.string().optional(),
  /** The version that the workspace's file names. */
  wantedVersion: z.string().optional(),
  /** What the last manifest that could be read says of it. */
  about: PluginAbout.optional(),
  capabilities: z.array(PluginCapability),
  tools: z.array(z.object({ name: z.string(), description: z.string() })),
  views: z.array(z.object({ name: z.string(), label: z.string() })),
  hooks: PluginHooks.optional(),
  skipped: z.array(z.object({ name: z.string(), reason: z.string() })),
  restarts: z.int()
})
export type PluginStatus = z.infer<typeof PluginStatus>

/** The same, with the last lines that it wrote, oldest first. */
export const PluginDetails = PluginStatus.extend({
  logs: z.array(z.object({ stream: z.enum(['stdout', 'stderr']), text: z.string() }))
})
export type PluginDetails = z.infer<typeof PluginDetails>

export const InPlugin = z.object({ plugin: z.string().max(64) })
export type InPlugin = z.infer<typeof InPlugin>

/** A file of the contract that plugins are built with. */
export const ProtoFile = z.object({ name: z.string(), text: z.string() })
export type ProtoFile = z.infer<typeof ProtoFile>
