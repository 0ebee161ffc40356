import { existsSync, readFileSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Fault } from './fault.mjs'
import { needsInstall } from './install.mjs'
import { root } from './root.mjs'

/** Disk space for an installation and for a build, in megabytes, with a margin. */
const SPACE = { install: 1800, build: 300 }

/** Checks for problems that would make a later, slow step fail. Throws a `Fault`. */
export async function checkMachine() {
  checkNode()
  await checkSpace()
  await checkPort()
}

/** npm and these scripts need Node 18. The Node that runs the server is checked after the installation. */
function checkNode() {
  if (Number.parseInt(process.versions.node, 10) >= 18) return
  throw new Fault(
    `Node ${process.versions.node} is too old. Install Node 24 (https://nodejs.org) and run the command again.`
  )
}

async function checkSpace() {
  // Early releases of Node 18 lack `statfs`, and some file systems do not support it.
  const stats = await fs.statfs?.(root).catch(() => undefined)
  if (!stats) return
  const { bavail, bsize } = stats
  const free = Math.floor((bavail * bsize) / 2 ** 20)
  const needed = needsInstall() ? SPACE.install : SPACE.build
  if (free < needed)
    throw new Fault(
      `Not enough disk space: ${free} MB free, ${needed} MB needed. Free some space and run the command again.`
    )
}

/** Reports a used port before a long installation, with the same text as the server. */
async function checkPort() {
  const port = Number(setting('PORT') ?? 3000)
  // The server reports an invalid port, like all other settings.
  if (!(port > 0 && port < 65536) || (await isFree(port, setting('HOST') ?? '127.0.0.1'))) return
  throw new Fault(
    `Port ${port} is in use, perhaps by another Waystation. Stop that process, or choose another port: PORT=${port + 1} npm start`
  )
}

/** Returns a setting as the server reads it: from the environment, or else from `.env`. @param {string} name */
function setting(name) {
  const file = join(root, '.env')
  const content = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return process.env[name] || new RegExp(`^${name}=["']?([^"'\\s]+)`, 'm').exec(content)?.[1]
}

/**
 * Returns false only if the port is in use. The server reports all other problems with the address.
 *
 * @param {number} port
 * @param {string} host
 */
function isFree(port, host) {
  return new Promise(done => {
    const probe = createServer().once('error', error =>
      done(/** @type {any} */ (error).code !== 'EADDRINUSE')
    )
    probe.listen(port, host, () => probe.close(() => done(true)))
  })
}
