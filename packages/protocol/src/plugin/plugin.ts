import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'

/** A kind of extension that a gRPC plugin can provide (003-4). */
export const PluginCapability = z.enum(['model', 'tools', 'hooks', 'views'])
export type PluginCapability = z.infer<typeof PluginCapability>

/**
 * The events that a plugin receives and its response times in milliseconds. The counts start when the plugin is loaded.
 */
export const PluginHooks = z.object({
  events: z.array(z.string()),
  calls: z.int(),
  failed: z.int(),
  p50Ms: z.number(),
  p95Ms: z.number()
})
export type PluginHooks = z.infer<typeof PluginHooks>

/** The state of a plugin in this process. `why` explains an unhealthy state. */
export const PluginState = z.object({
  kind: z.enum(['starting', 'serving', 'unhealthy', 'restarting', 'failed', 'stopped']),
  why: z.string().optional()
})
export type PluginState = z.infer<typeof PluginState>

/** Data from a plugin's manifest. `type`: a program that the server starts, or a service at a URL. */
export const PluginAbout = z.object({
  version: z.string(),
  description: z.string(),
  author: z.string(),
  icon: z.string().optional(),
  type: z.enum(['local', 'remote'])
})
export type PluginAbout = z.infer<typeof PluginAbout>

/**
 * How an owner added a plugin by its address, and what they accepted. `hasCa`: only its own certificate authorities are
 * trusted.
 */
export const AddedPlugin = z.object({
  source: z.string(),
  pin: z.string().optional(),
  hasCa: z.boolean(),
  failClosed: z.boolean(),
  disabled: z.boolean(),
  version: z.string(),
  capabilities: z.array(PluginCapability),
  digest: z.string(),
  addedBy: z.string(),
  addedAt: Time
})
export type AddedPlugin = z.infer<typeof AddedPlugin>

/**
 * The status of a workspace's plugin in the process that answers the request. `source` is the value in the workspace
 * file, or the address that it was added with. `tools`, `views` and `capabilities` are as of its last start. `skipped` lists parts that cannot be used, and
 * why.
 */
export const PluginStatus = z.object({
  name: z.string(),
  source: z.string(),
  state: PluginState,
  /** The version that it registered with, or that of its manifest. */
  version: z.string().optional(),
  /** The version that the workspace file requests. */
  wantedVersion: z.string().optional(),
  /** Data from the last readable manifest. */
  about: PluginAbout.optional(),
  capabilities: z.array(PluginCapability),
  tools: z.array(z.object({ name: z.string(), description: z.string() })),
  views: z.array(z.object({ name: z.string(), label: z.string() })),
  hooks: PluginHooks.optional(),
  /** The capabilities that it declares but no owner has accepted. They are not used. */
  withheld: z.array(PluginCapability).optional(),
  /** Only for plugins that an owner added by their address. */
  added: AddedPlugin.optional(),
  skipped: z.array(z.object({ name: z.string(), reason: z.string() })),
  restarts: z.int()
})
export type PluginStatus = z.infer<typeof PluginStatus>

/** `logs` are the last lines that the plugin wrote, oldest first. Lines of the stream `server` say when its program is started and stopped. */
export const PluginDetails = PluginStatus.extend({
  logs: z.array(z.object({ stream: z.enum(['stdout', 'stderr', 'server']), text: z.string(), at: Time }))
})
export type PluginDetails = z.infer<typeof PluginDetails>

export const InPlugin = z.object({ plugin: z.string().max(64) })
export type InPlugin = z.infer<typeof InPlugin>

/** A file of the protocol definition that plugins are built with. */
export const ProtoFile = z.object({ name: z.string(), text: z.string() })
export type ProtoFile = z.infer<typeof ProtoFile>
