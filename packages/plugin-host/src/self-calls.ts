import { createClient } from '@connectrpc/connect'
import type { CallOptions, Channel } from './channel.ts'
import { Plugin, Status, Capability as Wire } from './generated/plugin_pb.ts'
import { deadlines, limits } from './limits.ts'
import { checkEntries, checkText } from './untrusted.ts'

/** A group of calls that a plugin can implement. */
export type Capability = 'model' | 'tools' | 'hooks' | 'views'

const capabilities: Partial<Record<Wire, Capability>> = {
  [Wire.LLM_PROVIDER]: 'model',
  [Wire.TOOL_PROVIDER]: 'tools',
  [Wire.LIFECYCLE_HOOK]: 'hooks',
  [Wire.VIEW_PROVIDER]: 'views'
}

/** A plugin's answer to Register. */
export type Registration = { name: string; capabilities: Capability[]; metadata: Record<string, string> }

/** Returns the calls that describe the plugin itself (003-2, 003-3). Each throws `PluginError`. */
export function selfCalls(channel: Channel) {
  const client = createClient(Plugin, channel.transport)
  return {
    /**
     * Registers the plugin. `envVars` is only for remote plugins: a local plugin has them in its environment.
     * Unknown capabilities are left out.
     */
    async register(
      settings: { config: Record<string, string>; envVars: Record<string, string> },
      options?: CallOptions
    ): Promise<Registration> {
      const response = await channel.ask(deadlines.register, o => client.register(settings, o), options)
      return {
        name: checkText(response.name, 64, "The plugin's name"),
        capabilities: [...new Set(response.capabilities)].flatMap(wire => capabilities[wire] ?? []),
        metadata: checkEntries(response.metadata, limits.metadata, "the plugin's metadata")
      }
    },
    /** Returns whether the plugin reports that it is serving. */
    async health(options?: CallOptions): Promise<boolean> {
      const { status } = await channel.ask(deadlines.health, o => client.health({}, o), options)
      return status === Status.SERVING
    },
    /** Returns the manifest as HCL text. */
    async manifest(options?: CallOptions): Promise<string> {
      const { manifestHcl } = await channel.ask(
        deadlines.getManifest,
        o => client.getManifest({}, o),
        options
      )
      return checkText(manifestHcl, limits.manifest, "The plugin's manifest")
    }
  }
}
