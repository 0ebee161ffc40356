import type { Ctx } from '#lib/kernel/ctx.ts'
import { log } from '#lib/kernel/log.ts'
import type { KeptPlugins, WantedPlugin } from '#lib/plugins/grpc/host.ts'
import type { PemText, TlsText } from '#lib/plugins/grpc/read-tls.ts'
import { followFiles } from './follow-files.ts'
import { keepAgents } from './keep-agents.ts'
import type { PluginSource } from './plugin-source.ts'
import type { PemSource, PluginTls } from './plugin-tls.ts'
import type { WorkspaceFile } from './read-workspace.ts'

/**
 * Workspaces as files say they are (docs/workspace-files.md): their plugins are kept running and their agents are what the files
 * say, from the start and with each change. A workspace that a file does not name (any more) has no plugins.
 */
export function openWorkspaces(
  ctx: Ctx,
  folder: string,
  host: KeptPlugins,
  builtIn: (tool: string) => boolean
): Promise<{ stop: () => Promise<void> }> {
  const named = new Set<string>()
  /** Another one whenever somebody saved settings, in whichever process. */
  const mark = async () => {
    const [row] = await ctx.sql<{ mark: string }[]>`
      select count(*) || ' ' || coalesce(max(saved_at)::text, '') as mark from plugin_settings`
    return row?.mark
  }
  return followFiles(folder, mark, async workspaces => {
    const known = await ctx.sql<{ id: string }[]>`
      select id from workspaces where id = any(${workspaces.map(({ name }) => name)}::text[])`
    for (const workspace of workspaces) {
      if (known.some(({ id }) => id === workspace.name)) continue
      log('error', 'a workspace file names an unknown workspace', { workspaceId: workspace.name })
    }
    const ours = workspaces.filter(({ name }) => known.some(({ id }) => id === name))
    for (const gone of [...named].filter(id => !ours.some(({ name }) => name === id)))
      await host.keep(gone, [], { envVars: {} })
    const rows = await ctx.sql<{ workspaceId: string; plugin: string; settings: Record<string, string> }[]>`
      select workspace_id, plugin, settings from plugin_settings
      where workspace_id = any(${ours.map(({ name }) => name)}::text[])`
    for (const { name: workspaceId, plugins, agents, env, defaultAgent } of ours) {
      named.add(workspaceId)
      const savedOf = (name: string) =>
        rows.find(row => row.workspaceId === workspaceId && row.plugin === name)?.settings ?? {}
      const keep = plugins.map(plugin => wanted(plugin, savedOf(plugin.name), folder))
      await host.keep(workspaceId, keep, { envVars: env, defaultAgent })
      const actor = { kind: 'system' as const, name: 'workspace file', workspaceId }
      await keepAgents({ ...ctx, workspaceId, actor }, agents, builtIn)
    }
  })
}

const wanted = (
  { name, source, tls, version, config, failClosed }: WorkspaceFile['plugins'][number],
  saved: Record<string, string>,
  folder: string
): WantedPlugin => ({
  name,
  saved,
  source:
    source.kind === 'local'
      ? { kind: 'local', path: source.path, text: `local://${source.path}` }
      : { kind: 'remote', text: addressOf(source), ...(tls && { tls: tlsOf(tls, folder) }) },
  ...(version === undefined ? {} : { version }),
  config,
  failClosed
})

function addressOf({ tls, host, port }: Extract<PluginSource, { kind: 'remote' }>): string {
  return `${tls ? 'remotes' : 'remote'}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Paths are below the folder of the files. */
function tlsOf({ ca, pin, clientCertificate, clientKey }: PluginTls, folder: string): TlsText {
  const pem = (source: PemSource): PemText => ('path' in source ? { ...source, folder } : source)
  return {
    ...(ca && { ca: pem(ca) }),
    ...(pin && { pin }),
    ...(clientCertificate && { clientCertificate: pem(clientCertificate) }),
    ...(clientKey && { clientKey: pem(clientKey) })
  }
}
