import { type LifecycleType, lifecycleTypes } from '#lib/kernel/plugin-host.ts'
import type { Registration } from './ask-self.ts'
import type { PluginTools } from './ask-tools.ts'
import type { PluginViews } from './ask-views.ts'
import type { PluginCalls } from './connect-plugin.ts'
import { PluginError } from './plugin-error.ts'

/** All that a plugin says of itself when it starts: asked once for each start. */
export type Introduction = Registration & {
  manifest: string
  tools: PluginTools
  views: PluginViews
  events: readonly LifecycleType[]
}

/**
 * Register → GetManifest → ListTools and ListViews, of those that have any (003-2, 003-3, 003-9, 003-12). Throws `PluginError`,
 * `invalid` for one that has another name than the workspace gives it.
 */
export async function introduce(
  calls: Pick<PluginCalls, 'register' | 'manifest' | 'listTools' | 'listViews'>,
  name: string,
  sent: { config: Record<string, string>; envVars: Record<string, string> },
  signal: AbortSignal
): Promise<Introduction> {
  const registration = await calls.register(sent, { signal })
  if (registration.name !== name)
    throw new PluginError(
      'invalid',
      `The plugin calls itself “${registration.name}”, and the workspace calls it “${name}”. Both must be the same.`
    )
  const has = (capability: 'tools' | 'views' | 'hooks') => registration.capabilities.includes(capability)
  return {
    ...registration,
    manifest: await calls.manifest({ signal }),
    tools: has('tools') ? await calls.listTools({ signal }) : { tools: [], skipped: [] },
    views: has('views') ? await calls.listViews({ signal }) : { views: [], skipped: [] },
    events: has('hooks') ? eventsOf(registration.metadata) : []
  }
}

/**
 * The events that a plugin wants to hear of (003-15): `lifecycle_events` of its metadata, their names with commas between them;
 * without it all of them. Who wants no LLM_RESPONSE holds no answer back.
 */
function eventsOf({ lifecycle_events: named }: Record<string, string>): readonly LifecycleType[] {
  if (named === undefined) return lifecycleTypes
  const names = named
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
  const odd = names.find(name => !lifecycleTypes.some(type => type === name))
  if (odd !== undefined)
    throw new PluginError(
      'invalid',
      `The plugin wants to hear of “${odd}”, and there is no such event. There are ${lifecycleTypes.join(', ')}.`
    )
  return lifecycleTypes.filter(type => names.includes(type))
}
