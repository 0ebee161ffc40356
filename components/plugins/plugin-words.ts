import type { PluginStatus } from '@waystation/protocol/plugin/plugin.ts'

/** What a plugin gives, in a few words: `3 tools, a model, hooks and 1 view`. Empty: nothing is known of it yet. */
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

/** `1 tool`, `2 tools`. */
export const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** Who made a plugin and as what it runs, by its manifest: `by Us, a remote server`. Empty: nothing is known of it yet. */
export const makerOf = ({ about }: PluginStatus): string =>
  about === undefined
    ? ''
    : `by ${about.author} (${about.type === 'local' ? 'local program' : 'remote server'})`

/** What to do about a plugin of another version than the workspace's file names; empty: nothing. */
export const versionError = ({ version, wantedVersion }: PluginStatus): string =>
  version === undefined || wantedVersion === undefined || version === wantedVersion
    ? ''
    : `The workspace file requires version ${wantedVersion}. Update the plugin or the file.`
