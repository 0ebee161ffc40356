import { z } from 'zod'
import { InPlugin, PluginAbout, PluginCapability } from './plugin.ts'
import { SaveSettings, SettingField } from './plugin-settings.ts'

const source = z.string().trim().min(1).max(300)
const pin = z.string().trim().min(1).max(200)
const ca = z.string().trim().min(1).max(65_536)
const settings = SaveSettings.shape.settings.default({})
/** The digest of a review. */
const digest = z.string().regex(/^[0-9a-f]{64}$/, 'must be the digest that reading the manifest returned')

/**
 * The address of a plugin, `remotes://host:port` or `remote://host:port`. `pin` (SHA-256 of its certificate) and `ca`
 * (PEM) set which certificate it must have. `settings` are sent when it registers.
 */
export const InspectPlugin = z.object({ source, pin: pin.optional(), ca: ca.optional(), settings })
export type InspectPlugin = z.infer<typeof InspectPlugin>

/** The data of a plugin that an owner reviews before they accept it. `digest` identifies exactly this. */
export const PluginReview = z.object({
  name: z.string(),
  source: z.string(),
  version: z.string(),
  about: PluginAbout,
  capabilities: z.array(PluginCapability),
  /** The hook events that it receives. */
  events: z.array(z.string()),
  tools: z.array(z.object({ name: z.string(), description: z.string() })),
  views: z.array(z.object({ name: z.string(), label: z.string() })),
  settings: z.array(SettingField),
  /** The parts of it that cannot be used, and why. */
  skipped: z.array(z.object({ name: z.string(), reason: z.string() })),
  /** Why it refused to register. Its capabilities are then unknown. */
  problem: z.string().optional(),
  /** True if its calls cross the network without TLS. */
  plainText: z.boolean(),
  digest: z.string()
})
export type PluginReview = z.infer<typeof PluginReview>

/** Adds the plugin if it still provides what `digest` identifies. */
export const AddPlugin = InspectPlugin.extend({ failClosed: z.boolean().default(false), digest })
export type AddPlugin = z.infer<typeof AddPlugin>

/** Changes only the fields that are present. Null removes `pin` or `ca`. */
export const ChangePlugin = InPlugin.extend({
  source: source.optional(),
  pin: pin.nullable().optional(),
  ca: ca.nullable().optional(),
  failClosed: z.boolean().optional(),
  disabled: z.boolean().optional()
})
export type ChangePlugin = z.infer<typeof ChangePlugin>

/** Accepts what the plugin provides now, if it is what `digest` identifies. */
export const AcceptPlugin = InPlugin.extend({ digest })
export type AcceptPlugin = z.infer<typeof AcceptPlugin>
