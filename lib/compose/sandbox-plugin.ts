import type { SandboxLocal } from '@waystation/plugin-host/connect-source.ts'
import {
  commandLineOf,
  exposedPaths,
  exposureOf,
  type HiddenPath,
  type Program,
  sandboxError
} from '@waystation/sandbox'

/**
 * Returns a function that runs a local plugin in a sandbox. It sees its own folder, read-only, and the system's programs
 * and libraries. It shares the network, because the server calls it over TCP.
 */
export const pluginSandbox =
  (hidden: readonly HiddenPath[]): SandboxLocal =>
  async ({ command, args, cwd, env }) => {
    const program: Program = {
      command,
      args,
      env: { ...env, HOME: '/tmp' },
      description: '',
      network: true,
      readOnly: [cwd],
      readWrite: [],
      sandbox: true
    }
    const error = (await sandboxError(hidden)) ?? exposureOf(exposedPaths(program), hidden)
    if (error !== undefined) throw new Error(`The plugin needs a sandbox, but ${error}`)
    return { ...commandLineOf(program, { start: cwd, service: true }), cwd: '/' }
  }
