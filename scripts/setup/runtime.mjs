import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from './fault.mjs'
import { root } from './root.mjs'

/** The oldest Node that runs TypeScript without a flag. */
const OLDEST = { major: 22, minor: 18 }

/**
 * Returns the Node that runs Waystation: the one that npm installed, or else the current one if it is new enough.
 * Throws a `Fault` if neither works. Call it after the installation.
 */
export function findNode() {
  const own = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
  // It can be installed and still not run, because npm does not distinguish the C libraries of Linux.
  if (existsSync(own) && spawnSync(own, ['-v']).status === 0) return own
  if (isNewEnough(process.versions.node)) return process.execPath
  throw new Fault(
    `Node ${process.versions.node} is too old to run Waystation, and npm has no Node for ` +
      `${process.platform}-${process.arch}.\nInstall Node 24 (https://nodejs.org) and run the command again.`
  )
}

/** @param {string} version */
function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)
}
