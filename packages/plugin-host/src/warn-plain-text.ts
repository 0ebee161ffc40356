import { isLoopback } from '@waystation/base/is-loopback.ts'
import { log } from '@waystation/base/log.ts'
import type { PluginSource } from './connect-source.ts'

/**
 * Logs a warning if a plugin on another machine is called without TLS, because its secrets and prompts are then
 * readable on the network.
 */
export function warnPlainText(workspaceId: string, plugin: string, source: PluginSource): void {
  if (source.kind === 'local') return
  const { secure, target, url } = source.address
  if (secure || isLoopback(target.host)) return
  log('warn', 'a plugin is called without TLS', {
    workspaceId,
    plugin,
    source: `remote://${url.host}`,
    because:
      'Its settings, the workspace variables, its platform token and all prompts are sent unencrypted. ' +
      'Use remotes:// for this plugin.'
  })
}
