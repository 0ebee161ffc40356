import { type PluginSpec, type PluginSupervisor, remoteSource } from '@waystation/plugin-host/host.ts'
import type { PemText, TlsText } from '@waystation/plugin-host/read-tls.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { fileCtx } from '#lib/kernel/file-ctx.ts'
import { atOf } from '#lib/plugins/added/review.ts'
import { type AddedRow, addedRows } from '#lib/plugins/added/rows.ts'
import type { Copies } from '#lib/plugins/copies/with-copies.ts'
import type { PluginSource } from './plugin-source.ts'
import type { PemSource, PluginTls } from './plugin-tls.ts'
import type { WorkspaceFile } from './read-workspace.ts'
import { syncAgents } from './sync-agents.ts'
import { type FileSources, watchFiles } from './watch-files.ts'

type Workspaces = {
  /** Returns true for the name of a built-in tool. */
  builtIn: (tool: string) => boolean
  /** Creates, renames and deletes workspaces as the files say, and returns those that exist then. */
  makeWorkspaces: (files: readonly WorkspaceFile[]) => Promise<ReadonlySet<string>>
}

/**
 * Runs the plugins of each workspace: first those of its file (docs/workspace-files.md), then those that owners added
 * by their address, unless the file has a plugin of that name. Also updates the agents of the files. It does this at the
 * start and after each change. Without a folder, there are no files.
 */
export function runPlugins(
  ctx: Ctx,
  files: FileSources,
  host: PluginSupervisor,
  copies: Copies,
  { builtIn, makeWorkspaces }: Workspaces
): Promise<{ stop: () => Promise<void> }> {
  const managed = new Set<string>()
  /** Undefined until this process runs a local plugin. */
  let copyIndex: number | undefined
  let moved = 0
  /** Says that this process is alive, and returns how often its index has changed. */
  const moves = async () => {
    if (copyIndex === undefined) return moved
    const index = await copies.claim()
    if (index !== copyIndex) moved += 1
    copyIndex = index
    return moved
  }
  /**
   * Changes whenever a user saves plugin settings or a secret, or adds, changes or removes a plugin, in any process, and
   * when a workspace was deleted. It sums the times, because a transaction can commit after one with a later time.
   */
  const mark = async () => {
    const [row] = await ctx.sql<{ mark: string }[]>`
      select concat_ws(' ',
        (select count(*) || ' ' || coalesce(sum(extract(epoch from saved_at)), 0) from plugin_settings),
        (select count(*) || ' ' || coalesce(sum(extract(epoch from saved_at)), 0) from workspace_secrets),
        (select count(*) || ' ' || coalesce(sum(extract(epoch from changed_at)), 0) from workspace_plugins),
        (select count(*) from workspaces where deleted_at is not null)) as mark`
    return `${row?.mark} ${await moves()}`
  }
  return watchFiles(files, mark, async workspaces => {
    const existing = await makeWorkspaces(workspaces)
    const applicable = workspaces.filter(({ name }) => existing.has(name))
    // The agents come first: if one cannot be saved, the plugins stay as they are.
    for (const { name: workspaceId, agents } of applicable) {
      await syncAgents(fileCtx(ctx, workspaceId), agents, builtIn)
    }
    const added = (await addedRows(ctx)).filter(({ disabled }) => !disabled)
    const ids = new Set([...applicable.map(({ name }) => name), ...added.map(row => row.workspaceId)])
    for (const removed of [...managed].filter(id => !ids.has(id))) {
      managed.delete(removed)
      await host.keep(removed, [], { envVars: {} })
    }
    const rows = await ctx.sql<{ workspaceId: string; plugin: string; settings: Record<string, string> }[]>`
      select workspace_id, plugin, settings from plugin_settings
      where workspace_id = any(${[...ids]}::text[])`
    for (const workspaceId of ids) {
      managed.add(workspaceId)
      const savedOf = (name: string) =>
        rows.find(row => row.workspaceId === workspaceId && row.plugin === name)?.settings ?? {}
      const file = applicable.find(({ name }) => name === workspaceId)
      const { plugins = [], env = {}, defaultAgent } = file ?? {}
      if (plugins.some(({ source }) => source.kind === 'local')) copyIndex ??= await copies.claim()
      const specs = plugins.map(plugin => toSpec(plugin, savedOf(plugin.name), files.folder ?? '', copyIndex))
      const others = added.filter(
        row => row.workspaceId === workspaceId && !plugins.some(({ name }) => name === row.name)
      )
      const addedSpecs = others.map(row => addedSpec(row, savedOf(row.name)))
      await host.keep(workspaceId, [...specs, ...addedSpecs], { envVars: env, defaultAgent })
    }
  })
}

const addedSpec = (row: AddedRow, saved: Record<string, string>): PluginSpec => ({
  name: row.name,
  source: remoteSource(atOf(row)),
  config: {},
  saved,
  failClosed: row.failClosed,
  accepted: row.capabilities
})

const toSpec = (
  {
    name,
    source,
    tls,
    version,
    config,
    failClosed,
    restartOnChange,
    sandbox,
    missingSecrets
  }: WorkspaceFile['plugins'][number],
  saved: Record<string, string>,
  folder: string,
  copyIndex: number | undefined
): PluginSpec => ({
  name,
  saved,
  source:
    source.kind === 'local'
      ? { kind: 'local', path: source.path, text: `local://${source.path}`, ...(sandbox && { sandbox }) }
      : { kind: 'remote', text: toAddress(source), ...(tls && { tls: toTls(tls, folder) }) },
  ...(version === undefined ? {} : { version }),
  config,
  failClosed,
  ...(source.kind === 'local' && copyIndex !== undefined && { copyIndex }),
  ...(restartOnChange && { restartOnChange }),
  ...(missingSecrets && { problem: needsSecrets(missingSecrets) })
})

const needsSecrets = (names: readonly string[]): string =>
  `The workspace has no secret ${names.map(name => `“${name}”`).join(', ')}. Save it under Settings.`

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
