import {
  type Block,
  blockOf,
  functions,
  HclError,
  type HclValue,
  type Located,
  parseHcl,
  readBlock,
  readEntries,
  type Scope,
  scopeWith,
  shown,
  unique
} from '@waystation/hcl'
import { SecretName } from '@waystation/protocol/workspace/secret.ts'
import { WorkspaceName } from '@waystation/protocol/workspace/workspaces.ts'
import { serverVariable } from '#lib/kernel/settings/env.ts'
import { type PluginSource, pluginSource } from './plugin-source.ts'
import { type PluginTls, pluginTls, tlsAttributes } from './plugin-tls.ts'
import { readAgents, type WorkspaceAgent } from './read-agents.ts'

/**
 * A plugin of a workspace file. `config` contains the settings for Register, all as strings. `failClosed`: if a
 * hook fails, its event is canceled. `restartOnChange`: a local plugin restarts when its files change. `sandbox`: a
 * local plugin runs in a sandbox. `missingSecrets`: the plugin cannot start until the workspace has them.
 */
export type WorkspacePlugin = {
  name: string
  source: PluginSource
  tls?: PluginTls
  version?: string
  config: Record<string, string>
  failClosed: boolean
  restartOnChange?: true
  sandbox?: true
  missingSecrets?: string[]
}

/**
 * A workspace from a file. `name` is its ID. The order of the plugins is the order of their hooks. `defaultAgent` is the first
 * agent if the file sets none.
 */
export type WorkspaceFile = {
  name: string
  plugins: WorkspacePlugin[]
  agents: WorkspaceAgent[]
  env: Record<string, string>
  defaultAgent?: string
  /** The name that users see. Absent: the name in the playground stays. */
  displayName?: string
  /** The name of a workspace to delete. Nothing else of the block has an effect. */
  delete?: string
}

/** The attributes and blocks of a workspace. */
export const workspaceShape = {
  labels: ['name'],
  attributes: { default_agent: 'string?', display_name: 'string?', delete: 'string?' },
  blocks: { plugin: 'many', agent: 'many', env: 'one' }
} as const

/** The attributes and blocks of a plugin. */
export const pluginShape = {
  labels: ['name'],
  attributes: {
    source: 'string',
    version: 'string?',
    fail_closed: 'bool?',
    restart_on_change: 'bool?',
    sandbox: 'bool?',
    ...tlsAttributes
  },
  blocks: { config: 'one' }
} as const

/**
 * Parses the workspaces of a file, in its order (003-5, 003-18). `environment` has the variables that the function
 * `env` returns, and `secrets` those of `vault`, by workspace.
 * @throws HclError
 */
export function readWorkspaces(
  text: string,
  environment: Environment = {},
  secrets: ReadonlyMap<string, Environment> = new Map()
): WorkspaceFile[] {
  const scope = scopeWith({ functions: { ...functions, env: environmentFunction(environment) } })
  const file = parseHcl(text)
  const { blocks } = readBlock(file, { blocks: { workspace: 'many' } }, scope)
  const nameOf = unique('workspace')
  return blocks.map(block => {
    const name = checkedName(block, nameOf)
    return { name, ...readWorkspace(block, scope, secrets.get(name) ?? {}) }
  })
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Returns an own value, so that names such as `constructor` are unknown. */
const ownValue = (values: Environment, name: HclValue) =>
  Object.hasOwn(values, String(name)) ? values[String(name)] : undefined

/** The function `env`, which returns a variable of the server's environment, for secrets. */
const environmentFunction = (environment: Environment) => ({
  takes: ['a string' as const],
  returns(name: HclValue) {
    const value = ownValue(environment, name)
    if (value !== undefined) return value
    if (serverVariable.test(String(name)))
      throw new Error(`"env" does not return the server's own variables, such as ${shown(String(name))}`)
    throw new Error(`the server's environment has no variable ${shown(String(name))}: set it and restart`)
  }
})

/**
 * Returns a scope with the function `vault`, which returns a secret of the workspace. The names of missing ones are added
 * to `missing`: an owner can save them only while the server runs, so they do not make the file invalid.
 */
const withVault = (scope: Scope, secrets: Environment, missing: Set<string>): Scope => ({
  ...scope,
  functions: {
    ...scope.functions,
    vault: {
      takes: ['a string'],
      returns(name) {
        if (!SecretName.safeParse(name).success)
          throw new Error(`${shown(String(name))} cannot be the name of a secret`)
        const value = ownValue(secrets, name)
        if (value === undefined) missing.add(String(name))
        return value ?? ''
      }
    }
  }
})

/** The function `vault` outside of plugins. An agent's settings are stored and shown, so it cannot use secrets. */
const noVault = {
  takes: ['a string' as const],
  returns: (): HclValue => {
    throw new Error('"vault" can be used only in a plugin or in "env": an agent\'s settings are not secret')
  }
}

function readWorkspace(block: Block, outer: Scope, secrets: Environment): Omit<WorkspaceFile, 'name'> {
  const missingInEnv = new Set<string>()
  const env = readEnv(block, withVault(outer, secrets, missingInEnv))
  const scope = { ...outer, functions: { ...outer.functions, vault: noVault }, variables: { env } }
  const { values, blocks } = readBlock(block, workspaceShape, scope)
  const plugins = blocks.filter(({ type }) => type === 'plugin')
  const nameOf = unique('plugin')
  const { agents, defaultAgent } = readAgents(
    blocks.filter(({ type }) => type === 'agent'),
    values.default_agent,
    scope
  )
  return {
    plugins: plugins.map(plugin => {
      const name = checkedName(plugin, nameOf)
      const missing = new Set(missingInEnv)
      const read = readPlugin(plugin, withVault(scope, secrets, missing))
      return { name, ...read, ...(missing.size > 0 && { missingSecrets: [...missing] }) }
    }),
    agents,
    env,
    ...(defaultAgent !== undefined && { defaultAgent }),
    ...(values.display_name !== undefined && { displayName: displayNameOf(values.display_name) }),
    ...(values.delete !== undefined && { delete: values.delete.value })
  }
}

/** Returns the name that users see, as the API would store it. */
function displayNameOf(name: Located<string>): string {
  const { data, error } = WorkspaceName.safeParse(name.value)
  if (error === undefined) return data
  throw new HclError(name, '"display_name" must have 1 to 80 characters')
}

/** Returns the name of a workspace or plugin. It is used in URLs, and a plugin's in names of models and tools. */
function checkedName(block: Block, name: (block: Block) => string): string {
  const label = name(block)
  if (/^[A-Za-z0-9_-]{1,64}$/.test(label)) return label
  throw new HclError(
    block.labels[0] ?? block,
    `a ${block.type}'s name can have only letters, digits, "-" and "_", at most 64 characters, not ${shown(label)}`
  )
}

/**
 * Reads the `env` block, whose values cannot refer to `env` itself. Its names must be valid for environment
 * variables.
 */
function readEnv(block: Block, scope: Scope): Record<string, string> {
  const env = block.items.find(item => item.kind === 'block' && item.type === 'env')
  if (env?.kind !== 'block') return {}
  const invalid = env.items.find(
    ({ kind, ...item }) => 'name' in item && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(item.name)
  )
  if (invalid)
    throw new HclError(
      invalid,
      'an environment variable\'s name can have only letters, digits and "_", and no digit first'
    )
  return toValues(readEntries(env, scope))
}

function readPlugin(block: Block, scope: Scope): Omit<WorkspacePlugin, 'name'> {
  const { values, blocks } = readBlock(block, pluginShape, scope)
  const settings = blockOf(blocks, 'config')
  const config = settings ? readEntries(settings, scope) : new Map<string, Located<string>>()
  const inConfig = config.get('fail_closed')
  if (inConfig) checkInConfig(inConfig, values.fail_closed)
  config.delete('fail_closed')
  const source = pluginSource(values.source)
  const tls = pluginTls(source, values)
  const { restart_on_change: restart, sandbox } = values
  for (const [name, value] of Object.entries({ restart_on_change: restart, sandbox }))
    if (value && source.kind !== 'local')
      throw new HclError(value, `"${name}" needs a local plugin: remove it or use local://`)
  return {
    source,
    ...(tls && { tls }),
    ...(values.version && { version: values.version.value }),
    config: toValues(config),
    failClosed: values.fail_closed?.value ?? inConfig?.value === 'true',
    ...(restart?.value && { restartOnChange: true as const }),
    ...(sandbox?.value && { sandbox: true as const })
  }
}

/** `fail_closed` can also be set in `config`. It is for the server and is not sent to the plugin. */
function checkInConfig(setting: Located<string>, attribute: Located<boolean> | undefined): void {
  if (attribute)
    throw new HclError(
      setting,
      `"fail_closed" is already set at ${attribute.line}:${attribute.column}: remove one of the two`
    )
  if (setting.value !== 'true' && setting.value !== 'false')
    throw new HclError(setting, `"fail_closed" must be true or false, not ${shown(setting.value)}`)
}

function toValues(entries: Map<string, Located<string>>): Record<string, string> {
  return Object.fromEntries([...entries].map(([name, { value }]) => [name, value]))
}
