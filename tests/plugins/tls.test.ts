import { X509Certificate } from 'node:crypto'
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PluginStatus } from '@waystation/protocol/plugin/plugin.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { hostedPluginOperations } from '#lib/http/operations/hosted-plugins.ts'
import { pluginSettingsOperations } from '#lib/http/operations/plugin-settings.ts'
import { type Certificate, makeCertificate } from '#tests/support/fakes/certificates.ts'
import { serveTestPlugin } from '#tests/support/fakes/plugins/serve-test-plugin.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

const fingerprintOf = ({ cert }: Certificate) => new X509Certificate(cert).fingerprint256
const base64 = (fingerprint: string) => Buffer.from(fingerprint.replaceAll(':', ''), 'hex').toString('base64')
const heredoc = (pem: string) => `<<END\n${pem}END`

/** Plugins with TLS by name: the lines of their block, their host if not localhost, and the CA of their clients. */
type Twins = Record<string, { settings: string; host?: string; clients?: Certificate }>

/**
 * Starts a server whose workspace has these plugins, all with one certificate. `files` are stored next to the
 * workspace file.
 */
async function withTwins(server: Certificate, configs: Twins, files: Record<string, string> = {}) {
  const entries = await Promise.all(
    Object.entries(configs).map(async ([name, { settings, host = 'localhost', clients }]) => {
      const tls = { key: server.key, cert: server.cert, ...(clients && { ca: clients.cert }) }
      const plugin = await serveTestPlugin({ name, tls })
      const block = `plugin "${name}" {\nsource = "remotes://${host}:${plugin.port}"\n${settings}\n}`
      return { name, plugin, block }
    })
  )
  const folder = workspaceFolder(entries.map(({ block }) => block).join('\n'))
  mkdirSync(join(folder, 'certificates'))
  for (const [name, file] of Object.entries(files)) copyFileSync(file, join(folder, 'certificates', name))
  const start = async () => {
    const testServer = await startTestServer({
      settings: { WAYSTATION_EGRESS_ALLOW: 'localhost,127.0.0.1', WAYSTATION_WORKSPACES: folder }
    })
    await testServer.ctx.ports.plugins?.ready('default', 20_000)
  }
  const states = async () => {
    const { body } = await callEndpoint(hostedPluginOperations.list)
    const { plugins } = body as { plugins: PluginStatus[] }
    return Object.fromEntries(plugins.map(({ name, state }) => [name, state]))
  }
  return {
    folder,
    start,
    states,
    plugins: Object.fromEntries(entries.map(({ name, plugin }) => [name, plugin]))
  }
}

test('22 A8: a plugin with TLS serves if its certificate matches its CA or pin, and the client certificate matches', async () => {
  const authority = makeCertificate('authority')
  const server = makeCertificate('localhost', authority)
  const client = makeCertificate('waystation', authority)
  const pair = 'client_certificate = "certificates/client.pem"\n client_key = "certificates/client.key"'
  const { start, states } = await withTwins(
    server,
    {
      file: { settings: 'ca = "certificates/ca.pem"' },
      text: { settings: `ca = ${heredoc(authority.cert)}` },
      hex: { settings: `pin = "${fingerprintOf(server)}"`, host: '127.0.0.1' },
      base64: { settings: `pin = "${base64(fingerprintOf(server))}"` },
      all: {
        settings: `ca = "certificates/ca.pem"\n pin = "${fingerprintOf(server).toLowerCase()}"\n ${pair}`,
        clients: authority
      }
    },
    { 'ca.pem': authority.certFile, 'client.pem': client.certFile, 'client.key': client.keyFile }
  )
  await start()
  const serving = { kind: 'serving' }
  expect(await states()).toEqual({
    file: serving,
    text: serving,
    hex: serving,
    base64: serving,
    all: serving
  })
})

test('22 A8: a plugin with a wrong certificate or wrong settings is not called, and its state has the reason', async () => {
  const authority = makeCertificate('authority')
  const server = makeCertificate('localhost', authority)
  const stranger = makeCertificate('localhost')
  const ca = `ca = ${heredoc(authority.cert)}`
  const pair = (certificate: Certificate, keyOwner: Certificate) =>
    `client_certificate = ${heredoc(certificate.cert)}\n client_key = ${heredoc(keyOwner.key)}`
  const { start, states, plugins, folder } = await withTwins(server, {
    unsigned: { settings: '' },
    authority: { settings: `ca = ${heredoc(stranger.cert)}` },
    host: { settings: ca, host: '127.0.0.1' },
    pin: { settings: `pin = "${fingerprintOf(stranger)}"` },
    both: { settings: `${ca}\n pin = "${fingerprintOf(authority)}"` },
    signed: { settings: `ca = ${heredoc(stranger.cert)}\n pin = "${fingerprintOf(server)}"` },
    client: { settings: ca, clients: authority },
    unknown: { settings: `${ca}\n ${pair(stranger, stranger)}`, clients: authority },
    missing: { settings: 'ca = "certificates/none.pem"' },
    externalSystem: { settings: 'ca = "certificates/link.pem"' },
    odd: { settings: 'ca = "certificates/odd.pem"' },
    key: { settings: `${ca}\n ${pair(server, stranger)}` }
  })
  symlinkSync(authority.certFile, join(folder, 'certificates', 'link.pem'))
  writeFileSync(join(folder, 'certificates', 'odd.pem'), 'no certificate')
  await start()
  const reasons = {
    unsigned: /certificate.*“ca” or “pin”/,
    authority: /certificate.*“ca” or “pin”/,
    host: /certificate.*another host/,
    pin: /certificate.*“pin”/,
    both: /certificate.*“pin”/,
    signed: /certificate.*“ca” or “pin”/,
    client: /“client_certificate” and “client_key”/,
    unknown: /“client_certificate”/,
    missing: /“ca”.*folder/,
    externalSystem: /“ca”.*folder/,
    odd: /“ca”/,
    key: /“client_key”/
  }
  // A failed plugin is retried, so its state has a reason most of the time.
  await Promise.all(
    Object.entries(reasons).map(([name, why]) =>
      expect
        .poll(async () => (await states())[name], { message: name })
        .toEqual({ kind: 'restarting', why: expect.stringMatching(why) })
    )
  )
  expect(Object.values(plugins).flatMap(({ registered }) => registered)).toEqual([])
})

test('22 A8: a replaced certificate file is read when the plugin restarts', async () => {
  const server = makeCertificate('localhost')
  const { start, states, folder } = await withTwins(
    server,
    { plugin: { settings: 'ca = "certificates/ca.pem"' } },
    { 'ca.pem': makeCertificate('localhost').certFile }
  )
  await start()
  await expect.poll(states).toMatchObject({ plugin: { kind: 'restarting' } })
  copyFileSync(server.certFile, join(folder, 'certificates', 'ca.pem'))
  await callEndpoint(hostedPluginOperations.restart, { params: { plugin: 'twin' } })
  await expect.poll(states).toEqual({ plugin: { kind: 'serving' } })
})

test('22 A8: a client key appears in no log, no state and no API response, even if it does not match', async () => {
  const logged: string[] = []
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation(line => logged.push(String(line)) > 0)
  onTestFinished(() => spy.mockRestore())
  const [server, other] = [makeCertificate('localhost'), makeCertificate('other')]
  const settings = (key: string) =>
    `ca = ${heredoc(server.cert)}\n client_certificate = ${heredoc(server.cert)}\n client_key = ${heredoc(key)}`
  const { start, states } = await withTwins(server, {
    fits: { settings: settings(server.key) },
    wrong: { settings: settings(other.key) },
    broken: { settings: settings(other.key.replace('PRIVATE KEY', 'PRIVATE CHEESE')) }
  })
  await start()
  const reason = expect.stringContaining('“client_key”')
  for (const name of ['wrong', 'broken'])
    await expect.poll(async () => (await states())[name]).toEqual({ kind: 'restarting', why: reason })
  expect(await states()).toMatchObject({ fits: { kind: 'serving' } })
  const responses = [
    await callEndpoint(hostedPluginOperations.list),
    ...(await Promise.all(
      ['fits', 'wrong', 'broken'].map(plugin =>
        callEndpoint(hostedPluginOperations.get, { params: { plugin } })
      )
    )),
    await callEndpoint(pluginSettingsOperations.list, { params: { workspaceId: 'default' } })
  ]
  const all = JSON.stringify(responses) + logged.join('')
  for (const { key } of [server, other]) expect(all).not.toContain(key.split('\n')[1])
})
