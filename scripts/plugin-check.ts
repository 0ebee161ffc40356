import { readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parseEgressPolicy } from '@waystation/egress'
import { schemasWith } from '@waystation/json-schemas'
import { type PluginAddress, parseAddress } from '@waystation/plugin-host/address.ts'
import { checkPlugin, type Finding } from '@waystation/plugin-host/check-plugin.ts'
import { machineClock } from '@waystation/plugin-host/clock.ts'
import { connectPlugin } from '@waystation/plugin-host/connect-plugin.ts'
import { localEnv } from '@waystation/plugin-host/local-env.ts'
import { LogRing } from '@waystation/plugin-host/log-ring.ts'
import { PluginError } from '@waystation/plugin-host/plugin-error.ts'
import { readTls, type TlsText } from '@waystation/plugin-host/read-tls.ts'
import { noProgramIn } from '@waystation/plugin-host/resolve-source.ts'
import { startProcess } from '@waystation/plugin-host/start-process.ts'
import { newToken } from '@waystation/plugin-host/token.ts'
import type { SettingField } from '@waystation/protocol/plugin/plugin-settings.ts'
import { patternsWith } from '#lib/features/approvals/patterns.ts'
import { settingErrors } from '#lib/plugins/settings/validate-settings.ts'
import { readView } from '#lib/plugins/views/read-view.ts'
import { parseManifest } from '#lib/plugins/workspace-files/parse-manifest.ts'
import { hexOfPin } from '#lib/plugins/workspace-files/plugin-tls.ts'

/**
 * `npm run plugin:check <address or program> [-- options]` checks a plugin against docs/plugins-grpc.md. An address
 * is `remote://host:port`, or `remotes://host:port` with TLS. Any other argument is a program, or a folder with a
 * program named `plugin`, which runs as a local plugin. `usage` lists the options. Exits with 1 if a check fails and with 2 on wrong usage.
 */
const usage = `Usage: npm run plugin:check <remote://host:port, a program, or its folder> [-- options]
  --model <name>       send a prompt to this model
  --set <name>=<value>   set a setting of the plugin; repeat it for each setting
  --env <NAME>=<value>   set a variable of the workspace; repeat it for each variable
  --ca <file>            trust only these certificate authorities
  --pin <fingerprint>    accept only the certificate with this SHA-256 fingerprint
  --client-certificate <file>, --client-key <file>
                         present this certificate`

function readArguments() {
  const several = { type: 'string', multiple: true } as const
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      model: { type: 'string' },
      set: several,
      env: several,
      ca: { type: 'string' },
      pin: { type: 'string' },
      'client-certificate': { type: 'string' },
      'client-key': { type: 'string' }
    }
  })
  const [target, ...more] = positionals
  if (target === undefined) throw new Error('Name an address or a program.')
  if (more.length > 0) throw new Error(`“${more[0]}” is one argument too many. Write -- before the options.`)
  const settings = readPairs('--set', values.set, /^[^=]+$/, 'Write --set name=value.')
  const variable = 'Write --env NAME=value. A name has letters, digits and _, and no digit at its start.'
  const envVars = readPairs('--env', values.env, /^[A-Za-z_]\w*$/, variable)
  return { target, tls: readTlsOptions(target, values), model: values.model, settings, envVars }
}

/** The certificates of the options for TLS, which have the names of the fields in a workspace file. */
function readTlsOptions(
  target: string,
  options: { ca?: string; pin?: string; 'client-certificate'?: string; 'client-key'?: string }
): TlsText {
  const { ca, pin, 'client-certificate': certificate, 'client-key': key } = options
  if ((ca ?? pin ?? certificate ?? key) !== undefined && !/^(remotes|grpcs):/.test(target))
    throw new Error('Certificates need an address with TLS, such as remotes://localhost:9010.')
  if ((certificate === undefined) !== (key === undefined))
    throw new Error('Set both --client-certificate and --client-key.')
  const hex = pin === undefined ? undefined : hexOfPin(pin)
  if (pin !== undefined && hex === undefined)
    throw new Error('--pin must be the SHA-256 fingerprint of a certificate, in hex or base64.')
  return {
    ca: pemAt('--ca', ca),
    pin: hex,
    clientCertificate: pemAt('--client-certificate', certificate),
    clientKey: pemAt('--client-key', key)
  }
}

function pemAt(option: string, path: string | undefined): { text: string } | undefined {
  if (path === undefined) return undefined
  try {
    return { text: readFileSync(path, 'utf8') }
  } catch {
    throw new Error(`The file of ${option} cannot be read: ${path}.`)
  }
}

function readPairs(
  option: string,
  pairs: string[] = [],
  names: RegExp,
  help: string
): Record<string, string> {
  const entries = pairs.map(pair => {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(pair) ?? []
    if (!names.test(name)) throw new Error(`“${option} ${pair}” is not valid. ${help}`)
    return [name, value] as const
  })
  const [twice] =
    entries.find(([name], index) => entries.findIndex(([other]) => other === name) < index) ?? []
  if (twice !== undefined) throw new Error(`${option} has “${twice}” twice. Write each name once.`)
  return Object.fromEntries(entries)
}

const { target, tls, ...options } = (() => {
  try {
    return readArguments()
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`)
    process.exit(2)
  }
})()

// A reader such as `head` closes its end early. The check goes on, so that it ends the plugin.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

let failed = 0
const print = ({ ok, what, words }: Finding) => {
  if (!ok) failed += 1
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${what}${words ? `\n       ${words}` : ''}`)
}
/** The output of a local plugin. */
const logs = new LogRing()
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const schemas = schemasWith()
const patterns = patternsWith()
const reads = {
  errorsOf: (tools: readonly Record<string, unknown>[]) => schemas.errorsOf(tools, ''),
  manifest: (text: string) => parseManifest(undefined, text, patterns),
  settingErrors: (fields: readonly SettingField[], settings: Record<string, string>) =>
    settingErrors(patterns, fields, settings),
  view: readView
}

async function checkAddress(address: string, token?: string): Promise<void> {
  // A local plugin has the variables in its environment.
  const sent = token === undefined ? options : { ...options, envVars: {} }
  const parsed = parseAddress(address)
  const policy = parseEgressPolicy(parsed.url.host)
  const calls = connectPlugin(parsed, { policy, token, tls: await readTls(tls) })
  try {
    for await (const finding of checkPlugin(calls, reads, sent)) print(finding)
  } finally {
    calls.close('The check has ended.')
  }
}

/** Checks that a local plugin rejects the calls of other programs on its machine, which do not know its token. */
async function checkToken(address: PluginAddress): Promise<void> {
  const calls = connectPlugin(address, { policy: parseEgressPolicy(address.url.host), token: newToken() })
  const what = 'It rejects a call with another token'
  try {
    await calls.manifest()
    const words = 'Any program on this machine can call the plugin. Compare each call with PLUGIN_TOKEN.'
    print({ ok: false, what, words })
  } catch (error) {
    const lost = error instanceof PluginError && error.reason === 'unavailable'
    print({ ok: !lost, what, words: messageOf(error) })
  } finally {
    calls.close('The check has ended.')
  }
}

async function checkProgram(path: string): Promise<void> {
  const command = resolve(path)
  const token = newToken()
  const cwd = dirname(command)
  const { signal } = new AbortController()
  const env = localEnv({ cwd, token, more: { ...options.envVars, PLUGIN_COPY_INDEX: '0' } })
  const limits = { logs, clock: machineClock, withinMs: 10_000, signal }
  const program = await startProcess({ command, args: [], cwd, env }, limits)
  print({ ok: true, what: 'Handshake', words: `The plugin listens on ${program.address.url.host}.` })
  await checkAddress(`remote://${program.address.url.host}`, token)
  await checkToken(program.address)
  const what = 'It exits when its input is closed'
  const crashed = await Promise.race([program.ended, machineClock.wait(100, new AbortController().signal)])
  if (typeof crashed === 'string')
    return print({ ok: false, what, words: `It had ended before: ${crashed}.` })
  program.closeInput()
  const timeout = new AbortController()
  const exited = await Promise.race([
    program.ended.then(() => true),
    machineClock.wait(2_000, timeout.signal).then(() => false)
  ])
  timeout.abort()
  print({
    ok: exited,
    what,
    ...(exited
      ? {}
      : { words: 'The plugin was still running after 2 s. It would outlive a server that crashes.' })
  })
  await program.end(true)
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Returns the program at a path, which can be a folder as in `local://name`. */
function programAt(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isDirectory() ? programAt(join(path, 'plugin')) : found?.isFile() ? path : undefined
}

try {
  const program = programAt(target)
  if (target.includes('://')) await checkAddress(target)
  else if (program !== undefined) await checkProgram(program)
  else if (isFolder(target)) throw new Error(noProgramIn(target))
  else throw new Error(`${target} is neither a program nor an address such as remote://127.0.0.1:9010.`)
} catch (error) {
  print({ ok: false, what: 'Connection', words: messageOf(error) })
}
await patterns.stop()
const shown = failed === 0 ? [] : logs.lines().slice(-20)
if (shown.length > 0)
  console.log(`\nThe plugin's log ends with:\n${shown.map(({ text }) => `  ${text}`).join('\n')}`)
console.log(
  failed === 0 ? '\nAll checks passed.' : `\n${failed} ${failed === 1 ? 'check' : 'checks'} failed.`
)
process.exitCode = failed === 0 ? 0 : 1
