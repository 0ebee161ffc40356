import type { PluginCapability, PluginHooks, PluginStatus } from '@waystation/protocol/plugin/plugin.ts'
import type { SettingField } from '@waystation/protocol/plugin/plugin-settings.ts'

/**
 * Describes what a plugin provides: `3 tools, models, hooks and 1 view`. Empty if that is not known yet. A plugin that
 * is not running lists no tools and views, so they have no number then.
 */
export function givesOf({ capabilities, tools, views }: PluginStatus): string {
  const each = {
    tools: tools.length === 0 ? 'tools' : countOf(tools.length, 'tool'),
    views: views.length === 0 ? 'views' : countOf(views.length, 'view'),
    model: 'models',
    hooks: 'hooks'
  }
  const words = capabilities.map(capability => each[capability])
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** Describes how often and how fast a plugin has handled events. */
export const callsOf = ({ calls, failed, p50Ms, p95Ms }: PluginHooks): string =>
  calls === 0
    ? 'No calls yet.'
    : `Called ${countOf(calls, 'time')}${failed === 0 ? '' : `, ${failed} without a response`}. Recent calls: median ${p50Ms} ms, 95th percentile ${p95Ms} ms.`

/** Returns a number with its noun: `1 tool`, `2 tools`. */
export const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/**
 * Returns the author and type of a plugin: `by Us (remote server)`. Empty if the plugin has sent no manifest.
 */
export const makerOf = ({ about }: PluginStatus): string =>
  about === undefined
    ? ''
    : `by ${about.author} (${about.type === 'local' ? 'local program' : 'remote server'})`

/** Returns an error if the workspace file requires another version of the plugin. Otherwise empty. */
export const versionError = ({ version, wantedVersion }: PluginStatus): string =>
  version === undefined || wantedVersion === undefined || version === wantedVersion
    ? ''
    : `The workspace file requires version ${wantedVersion}. Update the plugin or the file.`

/** Says what each capability lets a plugin do. */
export const allows: Record<PluginCapability, { name: string; words: string }> = {
  tools: { name: 'Tools', words: 'Agents that you give its tools can call them. It receives the arguments.' },
  model: { name: 'Models', words: 'Agents can use its models. It receives their conversations.' },
  hooks: {
    name: 'Hooks',
    words: 'It receives events of every agent in this workspace, and can change or cancel them.'
  },
  views: { name: 'Views', words: 'It adds pages to this workspace, and receives the requests from them.' }
}

/** Describes how the last reading of a manifest differs from the accepted one. Empty if it does not. */
export function changesOf(
  accepted: { version: string; capabilities: readonly PluginCapability[]; digest: string },
  now: { version: string; capabilities: readonly PluginCapability[]; digest: string }
): string[] {
  const names = (list: PluginCapability[]) => list.map(one => allows[one].name.toLowerCase()).join(', ')
  const added = now.capabilities.filter(one => !accepted.capabilities.includes(one))
  const removed = accepted.capabilities.filter(one => !now.capabilities.includes(one))
  const changes = [
    ...(accepted.version === now.version ? [] : [`Version ${accepted.version} is now ${now.version}.`]),
    ...(added.length === 0 ? [] : [`New: ${names(added)}.`]),
    ...(removed.length === 0 ? [] : [`Removed: ${names(removed)}.`])
  ]
  if (changes.length > 0 || accepted.digest === now.digest) return changes
  return ['Its description, tools, views or settings changed.']
}

/**
 * Describes a setting below its control. `showsDefault` is false if the control itself shows it. Authors often end a
 * description without a period.
 */
export function hintOf(
  { name, description, default: preset }: Pick<SettingField, 'name' | 'description' | 'default'>,
  showsDefault: boolean
): string {
  const more = [
    ...(name.endsWith('_env') ? ['Enter the name of an environment variable, not the secret itself.'] : []),
    ...(preset === undefined || !showsDefault ? [] : [`Default: ${preset}.`])
  ]
  const words = description?.trim() ?? ''
  const isOpen = words !== '' && more.length > 0 && !/[\p{Sentence_Terminal}:…]$/u.test(words)
  return [isOpen ? `${words}.` : words, ...more].filter(part => part !== '').join(' ')
}
