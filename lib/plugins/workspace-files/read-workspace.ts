import {
  type Block,
  blockOf,
  functions,
  HclError,
  type Located,
  parseHcl,
  readBlock,
  readEntries,
  type Scope,
  scopeWith,
  shown,
  unique
} from '#packages/hcl/src/index.ts'
import { type PluginSource, pluginSource } from './plugin-source.ts'
import { type PluginTls, pluginTls, tlsAttributes } from './plugin-tls.ts'
import { readAgents, type WorkspaceAgent } from './read-agents.ts'

/** `config`: what Register is given, all of it strings. `failClosed`: what its hooks could not judge is cancelled. */
export type WorkspacePlugin = {
  name: string
  source: PluginSource
  tls?: PluginTls
  version?: string
  config: Record<string, string>
  failClosed: boolean
}

/** Plugins are in the order of the text: it is that of their hooks. `defaultAgent`: the first one where none is named. */
export type WorkspaceFile = {
  name: string
  plugins: WorkspacePlugin[]
  agents: WorkspaceAgent[]
  env: Record<string, string>
  defaultAgent?: string
}

/**
 * The workspaces of a file, in its order (003-5, 003-18).
 * @throws HclError
 */
export function readWorkspaces(text: string): WorkspaceFile[] {
  const scope = scopeWith({ functions })
  const file = parseHcl(text)
  const { blocks } = readBlock(file, { blocks: { workspace: 'many' } }, scope)
  const seen = unique('workspace')
  return blocks.map(block => ({ name: seen(block), ...readWorkspace(block, scope) }))
}

function readWorkspace(block: Block, outer: Scope): Omit<WorkspaceFile, 'name'> {
  const env = readEnv(block, outer)
  const scope = { ...outer, variables: { env } }
  const { values, blocks } = readBlock(
    block,
    {
      labels: ['name'],
      attributes: { default_agent: 'string?' },
      blocks: { plugin: 'many', agent: 'many', env: 'one' }
    },
    scope
  )
  const plugins = blocks.filter(({ type }) => type === 'plugin')
  const name = unique('plugin')
  const { agents, defaultAgent } = readAgents(
    blocks.filter(({ type }) => type === 'agent'),
    values.default_agent,
    scope
  )
  return {
    plugins: plugins.map(plugin => ({ name: pluginName(plugin, name), ...readPlugin(plugin, scope) })),
    agents,
    env,
    ...(defaultAgent !== undefined && { defaultAgent })
  }
}

/** It stands in addresses, in names of models and of tools. */
function pluginName(plugin: Block, name: (block: Block) => string): string {
  const said = name(plugin)
  if (/^[A-Za-z0-9_-]{1,64}$/.test(said)) return said
  throw new HclError(
    plugin.labels[0] ?? plugin,
    `a plugin's name can have only letters, digits, "-" and "_", at most 64 characters, not ${shown(said)}`
  )
}

/** The one block in whose values `env` itself is not known. Its names are those of environment variables. */
function readEnv(block: Block, scope: Scope): Record<string, string> {
  const env = block.items.find(item => item.kind === 'block' && item.type === 'env')
  if (env?.kind !== 'block') return {}
  const odd = env.items.find(
    ({ kind, ...item }) => 'name' in item && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(item.name)
  )
  if (odd)
    throw new HclError(
      odd,
      'an environment variable\'s name can have only letters, digits and "_", and no digit first'
    )
  return plain(readEntries(env, scope))
}

function readPlugin(block: Block, scope: Scope): Omit<WorkspacePlugin, 'name'> {
  const { values, blocks } = readBlock(
    block,
    {
      labels: ['name'],
      attributes: { source: 'string', version: 'string?', fail_closed: 'bool?', ...tlsAttributes },
      blocks: { config: 'one' }
    },
    scope
  )
  const settings = blockOf(blocks, 'config')
  const config = settings ? readEntries(settings, scope) : new Map<string, Located<string>>()
  const inConfig = config.get('fail_closed')
  if (inConfig) checkInConfig(inConfig, values.fail_closed)
  config.delete('fail_closed')
  const source = pluginSource(values.source)
  const tls = pluginTls(source, values)
  return {
    source,
    ...(tls && { tls }),
    ...(values.version && { version: values.version.value }),
    config: plain(config),
    failClosed: values.fail_closed?.value ?? inConfig?.value === 'true'
  }
}

/** `fail_closed` may stand in `config` as well; it is for the server, and not passed on. */
function checkInConfig(found: Located<string>, beside: Located<boolean> | undefined): void {
  if (beside)
    throw new HclError(
      found,
      `"fail_closed" is already set at ${beside.line}:${beside.column}: remove one of the two`
    )
  if (found.value !== 'true' && found.value !== 'false')
    throw new HclError(found, `"fail_closed" must be true or false, not ${shown(found.value)}`)
}

function plain(entries: Map<string, Located<string>>): Record<string, string> {
  return Object.fromEntries([...entries].map(([name, { value }]) => [name, value]))
}
