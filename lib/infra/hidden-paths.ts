import { resolve } from 'node:path'
import type { HiddenPath } from '@waystation/sandbox'
import type { Env } from '#lib/kernel/settings/env.ts'

type Settings = Pick<
  Env,
  'dataDir' | 'mcpStdio' | 'workspaces' | 'plugins' | 'tools' | 'pluginFolder' | 'redact'
>

/**
 * Returns the paths that sandboxes must not expose: the server's folder, its data with its keys, and its
 * configuration files.
 */
export function hiddenPaths({
  dataDir,
  mcpStdio,
  workspaces,
  plugins,
  tools,
  pluginFolder,
  redact
}: Settings): HiddenPath[] {
  const configFiles = {
    WAYSTATION_MCP_STDIO: mcpStdio,
    WAYSTATION_WORKSPACES: workspaces,
    WAYSTATION_PLUGINS: plugins,
    WAYSTATION_TOOLS: tools,
    WAYSTATION_PLUGIN_FOLDER: pluginFolder,
    WAYSTATION_REDACT: redact
  }
  return [
    { path: resolve(import.meta.dirname, '../..'), name: 'the folder of the server', isCode: true },
    { path: dataDir, name: 'the data directory (WAYSTATION_DATA_DIR)' },
    { path: resolve('.env'), name: 'the file .env' },
    ...Object.entries(configFiles).flatMap(([name, path]) => (path === undefined ? [] : [{ path, name }]))
  ]
}
