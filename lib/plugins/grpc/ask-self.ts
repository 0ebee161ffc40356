import { createClient } from '@connectrpc/connect'
import type { CallOptions, Channel } from './channel.ts'
import { Plugin, Status, Capability as Wire } from './generated/plugin_pb.ts'
import { deadlines, most } from './limits.ts'
import { entriesOf, textOf } from './untrusted.ts'

/** What a plugin can do. */
export type Capability = 'model' | 'tools' | 'hooks' | 'views'

const capabilities: Partial<Record<Wire, Capability>> = {
  [Wire.LLM_PROVIDER]: 'model',
  [Wire.TOOL_PROVIDER]: 'tools',
  [Wire.LIFECYCLE_HOOK]: 'hooks',
  [Wire.VIEW_PROVIDER]: 'views'
}

export type Registration = { name: string; capabilities: Capability[]; metadata: Record<string, string> }

/** Who a plugin is (003-2, 003-3): each throws `PluginError`. */
export function askSelf(channel: Channel) {
  const client = createClient(Plugin, channel.transport)
  return {
    /** `envVars`: for a remote plugin; a local one has them in its environment. Capabilities that nobody knows are left out. */
    async register(
      sent: { config: Record<string, string>; envVars: Record<string, string> },
      options?: CallOptions
    ): Promise<Registration> {
      const said = await channel.ask(deadlines.register, o => client.register(sent, o), options)
      return {
        name: textOf(said.name, 64, "The plugin's name"),
        capabilities: [...new Set(said.capabilities)].flatMap(wire => capabilities[wire] ?? []),
        metadata: entriesOf(said.metadata, most.metadata, "the plugin's metadata")
      }
    },
    /** Whether it says that it is well. */
    async health(options?: CallOptions): Promise<boolean> {
      const { status } = await channel.ask(deadlines.health, o => client.health({}, o), options)
      return status === Status.SERVING
    },
    /** Its manifest, in HCL. */
    async manifest(options?: CallOptions): Promise<string> {
      const { manifestHcl } = await channel.ask(
        deadlines.getManifest,
        o => client.getManifest({}, o),
        options
      )
      return textOf(manifestHcl, most.manifest, "The plugin's manifest")
    }
  }
}
