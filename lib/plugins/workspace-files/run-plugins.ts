import { log } from '@waystation/base/log.ts'
import type { PluginSpec, PluginSupervisor } from '@waystation/plugin-host/host.ts'
import type { PemText, TlsText } from '@waystation/plugin-host/read-tls.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { PluginSource } from './plugin-source.ts'
import type { PemSource, PluginTls } from './plugin-tls.ts'
import type { Environment, WorkspaceFile } from './read-workspace.ts'
import { syncAgents } from './sync-agents.ts'
import { watchFiles } from './watch-files.ts'

/**
 * Applies the workspace files (docs/workspace-files.md) at the start and after each change. It runs their
 * plugins and updates their agents. A workspace that no file names (or no longer names) has no plugins.
 */
export function startWorkspaceFiles(
  ctx: Ctx,
  files: { folder: string; environment: Environment },
  host: PluginSupervisor,
  builtIn: (tool: string) => boolean
): Promise<{ stop: () => Promise<void> }> {
  const managed = new Set<string>()
  /** Changes whenever a user saves plugin settings, in any process. */
  const mark = async () => {
    const [row] = await ctx.sql<{ mark: string }[]>`
      select count(*) || ' ' || coalesce(max(saved_at)::text, '') as mark from plugin_settings`
    return row?.mark
  }
  return watchFiles(files, mark, async workspaces => {
    const existing = await ctx.sql<{ id: string }[]>`
      select id from workspaces where id = any(${workspaces.map(({ name }) => name)}::text[])`
    for (const workspace of workspaces) {
      if (existing.some(({ id }) => id === workspace.name)) continue
      log('error', 'a workspace file names an unknown workspace', { workspaceId: workspace.name })
    }
    const applicable = workspaces.filter(({ name }) => existing.some(({ id }) => id === name))
    for (const removed of [...managed].filter(id => !applicable.some(({ name }) => name === id)))
      await host.keep(removed, [], { envVars: {} })
    const rows = await ctx.sql<{ workspaceId: string; plugin: string; settings: Record<string, string> }[]>`
      select workspace_id, plugin, settings from plugin_settings
      where workspace_id = any(${applicable.map(({ name }) => name)}::text[])`
    for (const { name: workspaceId, plugins, agents, env, defaultAgent } of applicable) {
      managed.add(workspaceId)
      const savedOf = (name: string) =>
        rows.find(row => row.workspaceId === workspaceId && row.plugin === name)?.settings ?? {}
      const specs = plugins.map(plugin => toSpec(plugin, savedOf(plugin.name), files.folder))
      await host.keep(workspaceId, specs, { envVars: env, defaultAgent })
      const actor = { kind: 'system' as const, name: 'workspace file', workspaceId }
      await syncAgents({ ...ctx, workspaceId, actor }, agents, builtIn)
    }
  })
}

const toSpec = (
  { name, source, tls, version, config, failClosed, restartOnChange }: WorkspaceFile['plugins'][number],
  saved: Record<string, string>,
  folder: string
): PluginSpec => ({
  name,
  saved,
  source:
    source.kind === 'local'
      ? { kind: 'local', path: source.path, text: `local://${source.path}` }
      : { kind: 'remote', text: toAddress(source), ...(tls && { tls: toTls(tls, folder) }) },
  ...(version === undefined ? {} : { version }),
  config,
  failClosed,
  ...(restartOnChange && { restartOnChange })
})

function toAddress({ tls, host, port }: Extract<PluginSource, { kind: 'remote' }>): string {
  return `${tls ? 'remotes' : 'remote'}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Resolves file paths below the folder of the workspace files. */
function toTls({ ca, pin, clientCertificate, clientKey }: PluginTls, folder: string): TlsText {
  const pem = (source: PemSource): PemText => ('path' in source ? { ...source, folder } : source)
  return {
    ...(ca && { ca: pem(ca) }),
    ...(pin && { pin }),
    ...(clientCertificate && { clientCertificate: pem(clientCertificate) }),
    ...(clientKey && { clientKey: pem(clientKey) })
  }
}
