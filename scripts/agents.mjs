import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/**
 * Agents as files, so that they can live in git: `npm run agents -- export|diff|import [folder]`.
 *
 * Each agent of the workspace is `<folder>/<agentId>.json`, its whole configuration with its fields in one order. `export`
 * writes them; `diff` says which files are different from what is published, and ends with 1 when any is; `import` makes the
 * agents that are missing and publishes those that are different. No agent is removed. Where: `WAYSTATION_URL`
 * (http://localhost:3000) and `WAYSTATION_API_KEY`, a key of an editor.
 */
const [command = '', folder = 'agents'] = process.argv.slice(2)
const origin = (process.env.WAYSTATION_URL ?? 'http://localhost:3000').replace(/\/$/, '')
const key = process.env.WAYSTATION_API_KEY

/** What a person gets wrong: a sentence, and no stack. */
class Fault extends Error {}

/**
 * @typedef {Record<string, unknown> & { agentId: string }} Config an agent's configuration, or the agent itself
 * @typedef {{ file: string, config: Config }} Filed
 */

/**
 * What the server answers; undefined for what is not there.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 */
async function ask(method, path, body) {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  }).catch(() => {
    throw new Fault(`No server responds at ${origin}. Start Waystation, or set WAYSTATION_URL.`)
  })
  const answer = await response.json()
  if (response.ok || (method === 'GET' && response.status === 404)) return response.ok ? answer : undefined
  const fields = Object.entries(answer.fields ?? {}).map(([name, why]) => ` ${name}: ${why}.`)
  throw new Fault(`${method} ${path}: ${answer.error}${fields.join('')}`)
}

/**
 * A configuration without what is not its own, its fields in one order.
 * @param {Config} agent
 */
function configOf({ revision: _, updatedAt: __, additional_context: ___, ...config }) {
  return sorted(config)
}

/**
 * @param {unknown} value
 * @returns {unknown}
 */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const place = (/** @type {string} */ name) =>
    ['agentId', 'displayName', 'description', 'type', 'name'].indexOf(name) + 1 || 9
  const fields = /** @type {Record<string, unknown>} */ (value)
  const names = Object.keys(fields).sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
  return Object.fromEntries(names.map(name => [name, sorted(fields[name])]))
}

const written = (/** @type {unknown} */ config) => `${JSON.stringify(config, null, 2)}\n`

/**
 * @param {string} folder
 * @returns {Filed[]}
 */
function filesIn(folder) {
  if (!existsSync(folder))
    throw new Fault(`There is no folder ${folder}. Run export first, or name another folder.`)
  const files = readdirSync(folder).filter(name => name.endsWith('.json'))
  return files.sort().map(name => {
    const file = join(folder, name)
    let config
    try {
      config = JSON.parse(readFileSync(file, 'utf8'))
    } catch (error) {
      throw new Fault(`${file} is not JSON: ${error instanceof Error ? error.message : error}`)
    }
    if (config?.agentId !== basename(name, '.json'))
      throw new Fault(
        `${file} contains agent "${config?.agentId}". Rename the file to ${config?.agentId}.json.`
      )
    return { file, config }
  })
}

/**
 * How a file stands to what is published.
 * @param {Filed} filed
 */
async function stateOf({ file, config }) {
  const now = await ask('GET', `/api/agents/${encodeURIComponent(config.agentId)}`)
  const isSame = now !== undefined && written(configOf(now)) === written(configOf(config))
  return { file, config, now, state: now === undefined ? 'new' : isSame ? 'the same' : 'different' }
}

/** @type {Record<string, () => Promise<void>>} */
const commands = {
  async export() {
    const { agents } = await ask('GET', '/api/agents')
    mkdirSync(folder, { recursive: true })
    for (const agent of agents) {
      // The server is another machine's word: it names no file outside the folder.
      if (!/^[\w-]+$/.test(agent.agentId)) throw new Fault(`"${agent.agentId}" cannot be a file name.`)
      const file = join(folder, `${agent.agentId}.json`)
      writeFileSync(file, written(configOf(agent)))
      console.log(`${file}: revision ${agent.revision}`)
    }
  },
  async diff() {
    for (const one of filesIn(folder)) {
      const { file, state } = await stateOf(one)
      console.log(`${file}: ${state}`)
      if (state !== 'the same') process.exitCode = 1
    }
  },
  async import() {
    for (const one of filesIn(folder)) {
      const { file, config, now, state } = await stateOf(one)
      if (state === 'the same') console.log(`${file}: the same`)
      else if (state === 'new') {
        const { revision } = await ask('POST', '/api/agents', config)
        console.log(`${file}: created, revision ${revision}`)
      } else {
        const { revision } = await ask('PUT', `/api/agents/${encodeURIComponent(config.agentId)}`, {
          ...config,
          revision: now.revision
        })
        console.log(`${file}: published, revision ${revision}`)
      }
    }
  }
}

try {
  const run = Object.hasOwn(commands, command) ? commands[command] : undefined
  if (run === undefined) throw new Fault('Usage: npm run agents -- export|diff|import [folder]')
  if (!key)
    throw new Fault('Set WAYSTATION_API_KEY to an API key with the role editor (Settings → API keys).')
  await run()
} catch (error) {
  if (!(error instanceof Fault)) throw error
  console.error(error.message)
  process.exitCode = 2
}
