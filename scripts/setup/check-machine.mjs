import { existsSync, readFileSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Fault } from './fault.mjs'
import { needsInstall } from './install.mjs'
import { root } from './root.mjs'

/** What an installation and what a build take, in megabytes, with some air. */
const ROOM = { install: 1800, build: 300 }

/** Looks for what would spoil a later step, before anybody waits for it. Throws a `Fault`. */
export async function checkMachine() {
  checkNode()
  await checkRoom()
  await checkPort()
}

/** npm itself and these scripts want this much; what runs the server is looked for after the installation. */
function checkNode() {
  if (Number.parseInt(process.versions.node, 10) >= 18) return
  throw new Fault(
    `Node ${process.versions.node} is too old. Install Node 24 (https://nodejs.org) and run the command again.`
  )
}

async function checkRoom() {
  // Node 18 got it late, and not every file system knows.
  const room = await fs.statfs?.(root).catch(() => undefined)
  if (!room) return
  const { bavail, bsize } = room
  const free = Math.floor((bavail * bsize) / 2 ** 20)
  const needed = needsInstall() ? ROOM.install : ROOM.build
  if (free < needed)
    throw new Fault(
      `Not enough disk space: ${free} MB free, ${needed} MB needed. Free some space and run the command again.`
    )
}

/** The same words as the server's own, which is too late to hear when an installation comes first. */
async function checkPort() {
  const port = Number(setting('PORT') ?? 3000)
  // What is no port is the server's to refuse, with all other settings.
  if (!(port > 0 && port < 65536) || (await isFree(port, setting('HOST') ?? '127.0.0.1'))) return
  throw new Fault(
    `Port ${port} is in use, perhaps by another Waystation. Stop that process, or choose another port: PORT=${port + 1} npm start`
  )
}

/** A setting as the server will see it: from the environment, else from `.env`. @param {string} name */
function setting(name) {
  const file = join(root, '.env')
  const written = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return process.env[name] || new RegExp(`^${name}=["']?([^"'\\s]+)`, 'm').exec(written)?.[1]
}

/** Any other trouble with the address is the server's to explain. @param {number} port @param {string} host */
function isFree(port, host) {
  return new Promise(done => {
    const probe = createServer().once('error', error =>
      done(/** @type {any} */ (error).code !== 'EADDRINUSE')
    )
    probe.listen(port, host, () => probe.close(() => done(true)))
  })
}
