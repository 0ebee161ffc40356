import type { PluginHooks, PluginStatus } from '@waystation/protocol/plugin/plugin.ts'

/** Describes what a plugin provides: `3 tools, models, hooks and 1 view`. Empty if that is not known yet. */
export function givesOf({ capabilities, tools, views }: PluginStatus): string {
  const each = {
    tools: countOf(tools.length, 'tool'),
    views: countOf(views.length, 'view'),
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
