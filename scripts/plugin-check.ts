import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parseEgressPolicy } from '@waystation/egress'
import { schemasWith } from '@waystation/json-schemas'
import { parseAddress } from '@waystation/plugin-host/address.ts'
import { checkPlugin, type Finding } from '@waystation/plugin-host/check-plugin.ts'
import { machineClock } from '@waystation/plugin-host/clock.ts'
import { connectPlugin } from '@waystation/plugin-host/connect-plugin.ts'
import { localEnv } from '@waystation/plugin-host/local-env.ts'
import { LogRing } from '@waystation/plugin-host/log-ring.ts'
import { newToken } from '@waystation/plugin-host/new-token.ts'
import { startProcess } from '@waystation/plugin-host/start-process.ts'
import { readView } from '#lib/plugins/views/read-view.ts'
import { readManifest } from '#lib/plugins/workspace-files/read-manifest.ts'

/**
 * `npm run plugin:check <address or program> [-- --model <name>]` checks a plugin against docs/plugins-grpc.md. An
 * address is `remote://host:port`, or `remotes://host:port` with TLS. Any other argument is a program, which runs
 * as a local plugin. Exits with 1 if a check fails and with 2 on wrong usage.
 */
const { values, positionals } = parseArgs({ allowPositionals: true, options: { model: { type: 'string' } } })
const [target] = positionals
if (target === undefined || positionals.length > 1) {
  console.error('Usage: npm run plugin:check <remote://host:port, or a program> [-- --model <name>]')
  process.exit(2)
}

let failed = 0
const print = ({ ok, what, words }: Finding) => {
  if (!ok) failed += 1
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${what}${words ? `\n       ${words}` : ''}`)
}
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const schemas = schemasWith()
const reads = {
  errorsOf: (tools: readonly Record<string, unknown>[]) => schemas.errorsOf(tools, ''),
  manifest: (text: string) => readManifest(text).manifest,
  view: readView
}

async function checkAddress(address: string, token?: string): Promise<void> {
  const parsed = parseAddress(address)
  const calls = connectPlugin(parsed, { policy: parseEgressPolicy(parsed.url.host), token })
  try {
    for await (const finding of checkPlugin(calls, reads, values.model)) print(finding)
  } finally {
    calls.close('The check has ended.')
  }
}

async function checkProgram(path: string): Promise<void> {
  const command = resolve(path)
  const token = newToken()
  const cwd = dirname(command)
  const [logs, { signal }] = [new LogRing(), new AbortController()]
  const env = localEnv({ cwd, token, more: {} })
  const options = { logs, clock: machineClock, withinMs: 10_000, signal }
  const program = await startProcess({ command, args: [], cwd, env }, options)
  print({ ok: true, what: 'Handshake', words: `The plugin listens on ${program.address.url.host}.` })
  await checkAddress(`remote://${program.address.url.host}`, token)
  program.closeInput()
  const timeout = new AbortController()
  const exited = await Promise.race([
    program.ended.then(() => true),
    machineClock.wait(2_000, timeout.signal).then(() => false)
  ])
  timeout.abort()
  print({
    ok: exited,
    what: 'It exits when its input is closed',
    ...(exited
      ? {}
      : { words: 'The plugin was still running after 2 s. It would outlive a server that crashes.' })
  })
  await program.end(true)
}

try {
  if (target.includes('://')) await checkAddress(target)
  else if (statSync(target, { throwIfNoEntry: false })?.isFile()) await checkProgram(target)
  else throw new Error(`${target} is neither a program nor an address such as remote://127.0.0.1:9010.`)
} catch (error) {
  print({ ok: false, what: 'Connection', words: messageOf(error) })
}
console.log(
  failed === 0 ? '\nAll checks passed.' : `\n${failed} ${failed === 1 ? 'check' : 'checks'} failed.`
)
process.exitCode = failed === 0 ? 0 : 1
