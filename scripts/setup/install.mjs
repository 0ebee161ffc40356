import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from './fault.mjs'
import { root } from './root.mjs'
import { head, run } from './run.mjs'

/**
 * Returns true if `node_modules` does not match `package-lock.json`. When an installation is complete, npm leaves a
 * copy of the lock file in `node_modules`. The copy lacks the packages for other machines.
 */
export function needsInstall() {
  const expected = readPackages('package-lock.json')
  const installed = readPackages('node_modules/.package-lock.json')
  if (!expected || !installed) return true
  return Object.entries(expected).some(([path, { version, optional }]) => {
    const actual = installed[path]
    return path !== '' && (actual ? actual.version !== version : !optional)
  })
}

/** @returns {Record<string, { version?: string, optional?: boolean }> | undefined} @param {string} file */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages
  } catch {
    return undefined
  }
}

/** Installs exactly the packages of the lock file, including those that the user's npm configuration omits. */
export async function install() {
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const { code, output } = await run([...npm(), ...args]).catch(() => {
    throw new Fault(
      'npm was not found. Install Node with npm (https://nodejs.org) and run the command again.'
    )
  })
  if (code !== 0) throw new Fault(`npm could not install the packages. ${advice(output)}\n\n${head(output)}`)
}

/** Returns the npm that started this script, or else the one in the path. */
function npm() {
  const script = process.env.npm_execpath
  return script?.endsWith('.js') ? [process.execPath, script] : ['npm']
}

/** @param {string} output */
function advice(output) {
  if (/ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ECONNRESET|network/i.test(output))
    return 'The package registry cannot be reached. Check the network, the proxy and `npm config get registry`, then run the command again.'
  if (/ENOSPC/.test(output)) return 'The disk is full. Free about 2 GB and run the command again.'
  if (/EUSAGE/.test(output)) return 'package.json and package-lock.json do not match. Restore both.'
  if (/EACCES|EPERM/.test(output))
    return 'Files in node_modules belong to another user. Delete node_modules or change its owner.'
  return 'Output of npm:'
}
