import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/**
 * `npm run agents -- export|diff|import [folder]` stores agents as files, so that you can keep them in Git.
 *
 * Each agent of the workspace is `<folder>/<agentId>.json`: its whole configuration, with the fields in a fixed
 * order.
 *
 * - `export` writes the files.
 * - `diff` lists the files that differ from the published agents. It exits with 1 if there are any.
 * - `import` creates the missing agents and publishes the changed ones. It removes no agent.
 *
 * Set `WAYSTATION_URL` (default: http://localhost:3000) and `WAYSTATION_API_KEY`, the API key of an editor.
 */
const [command = '', folder = 'agents'] = process.argv.slice(2)
const origin = (process.env.WAYSTATION_URL ?? 'http://localhost:3000').replace(/\/$/, '')
const key = process.env.WAYSTATION_API_KEY

/** An error that the user can fix. The script prints its message without a stack trace. */
class Fault extends Error {}

/**
 * @typedef {Record<string, unknown> & { agentId: string }} Config an agent's configuration, or the agent itself
 * @typedef {{ file: string, config: Config }} Filed
 */

/**
 * Sends a request and returns the parsed JSON body. Returns undefined if a GET responds with 404. Throws a `Fault`
 * for every other error.
 *
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 */
async function request(method, path, body) {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  }).catch(() => {
    throw new Fault(`No server responds at ${origin}. Start Waystation, or set WAYSTATION_URL.`)
  })
  const data = await response.json()
  if (response.ok || (method === 'GET' && response.status === 404)) return response.ok ? data : undefined
  const fields = Object.entries(data.fields ?? {}).map(([name, why]) => ` ${name}: ${why}.`)
  throw new Fault(`${method} ${path}: ${data.error}${fields.join('')}`)
}

/**
 * Returns the configuration without the fields that the server adds, with the fields in a fixed order.
 *
 * @param {Config} agent
 */
function toConfig({ revision: _, updatedAt: __, additional_context: ___, ...config }) {
  return sorted(config)
}

/**
 * @param {unknown} value
 * @returns {unknown}
 */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const rank = (/** @type {string} */ name) =>
    ['agentId', 'displayName', 'description', 'type', 'name'].indexOf(name) + 1 || 9
  const fields = /** @type {Record<string, unknown>} */ (value)
  const names = Object.keys(fields).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
  return Object.fromEntries(names.map(name => [name, sorted(fields[name])]))
}

const toText = (/** @type {unknown} */ config) => `${JSON.stringify(config, null, 2)}\n`

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
 * Compares a file with the published agent.
 *
 * @param {Filed} filed
 */
async function compare({ file, config }) {
  const published = await request('GET', `/api/agents/${encodeURIComponent(config.agentId)}`)
  const isSame = published !== undefined && toText(toConfig(published)) === toText(toConfig(config))
  return {
    file,
    config,
    now: published,
    state: published === undefined ? 'new' : isSame ? 'the same' : 'different'
  }
}

/** @type {Record<string, () => Promise<void>>} */
const commands = {
  async export() {
    const { agents } = await request('GET', '/api/agents')
    mkdirSync(folder, { recursive: true })
    for (const agent of agents) {
      // The server is not trusted: an agent ID must not name a file outside the folder.
      if (!/^[\w-]+$/.test(agent.agentId)) throw new Fault(`"${agent.agentId}" cannot be a file name.`)
      const file = join(folder, `${agent.agentId}.json`)
      writeFileSync(file, toText(toConfig(agent)))
      console.log(`${file}: revision ${agent.revision}`)
    }
  },
  async diff() {
    for (const entry of filesIn(folder)) {
      const { file, state } = await compare(entry)
      console.log(`${file}: ${state}`)
      if (state !== 'the same') process.exitCode = 1
    }
  },
  async import() {
    for (const entry of filesIn(folder)) {
      const { file, config, now, state } = await compare(entry)
      if (state === 'the same') console.log(`${file}: the same`)
      else if (state === 'new') {
        const { revision } = await request('POST', '/api/agents', config)
        console.log(`${file}: created, revision ${revision}`)
      } else {
        const { revision } = await request('PUT', `/api/agents/${encodeURIComponent(config.agentId)}`, {
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
