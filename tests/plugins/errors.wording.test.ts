import { Code, ConnectError } from '@connectrpc/connect'
import { parseAddress } from '@waystation/plugin-host/address.ts'
import { explain } from '@waystation/plugin-host/explain.ts'
import { readTls } from '@waystation/plugin-host/read-tls.ts'
import { expect, test } from 'vitest'
import { messageManagement } from '#lib/plugins/built-in/message-management.ts'
import { checkPayload } from '#lib/plugins/check-payload.ts'
import { checkLifecycle } from '#lib/plugins/lifecycle/payloads.ts'
import { loadPlugins } from '#lib/plugins/load-plugins.ts'
import type { Plugin } from '#lib/plugins/plugin.ts'
import { makeCertificate } from '#tests/support/fakes/certificates.ts'
import { pluginFolder } from '#tests/support/fakes/plugin-folder.ts'

test.each([
  [Code.DeadlineExceeded, '', 'The plugin did not respond in time.'],
  [Code.FailedPrecondition, 'Not on Sundays.', 'The plugin rejected the call: Not on Sundays.'],
  [Code.Unavailable, 'gone', 'The plugin is unavailable: gone.'],
  [Code.Unauthenticated, 'Who?', 'The plugin rejected the credentials: Who?.'],
  [Code.Unknown, 'boom', 'The plugin failed: boom.'],
  [Code.Internal, 'boom', 'The plugin failed: boom.'],
  [
    Code.Canceled,
    'http/2 stream closed with error code CANCEL (0x8)',
    'The plugin is unavailable: it closed the connection.'
  ],
  [Code.ResourceExhausted, 'x', 'The plugin has no capacity left: x.'],
  [
    Code.ResourceExhausted,
    'larger than 4 MiB',
    'The request to the plugin or its response is too large: larger than 4 MiB.'
  ],
  [
    Code.ResourceExhausted,
    'message size 16777300 is larger than configured writeMaxBytes 16777216',
    'A message to or from the plugin is larger than 16 MiB.'
  ]
])('the gRPC status %s of a plugin (%j) has a readable message', (code, detail, sentence) => {
  expect(explain(new ConnectError(detail, code)).message).toBe(sentence)
})

test.each([
  [
    'http://a.test:1',
    '“http://a.test:1” is not a plugin address: use remote://host:port, or remotes://host:port for TLS.'
  ],
  ['remote://a.test', '“remote://a.test” is not a plugin address: it has no port.']
])('the address %s is rejected with the correct syntax', (address, sentence) => {
  expect(() => parseAddress(address)).toThrow(sentence)
})

test.each<[change: () => unknown, sentence: string]>([
  [
    () => checkLifecycle('LLM_REQUEST', { model: 'a', messages: [{ role: 'system' }], tools: [] }),
    'Its LLM_REQUEST is not valid: “messages.0.content”: a value is required.'
  ],
  [
    () => checkLifecycle('TURN_START', { agent_name: 'a', turn_number: 'one' }),
    'Its TURN_START is not valid: “turn_number”: expected number, received string.'
  ],
  [
    () => checkLifecycle('LLM_REQUEST', { model: 'a', messages: [{ role: 'bot', content: '' }], tools: [] }),
    'Its LLM_REQUEST is not valid: “messages.0.role”: expected one of "system"|"user"|"assistant".'
  ],
  [
    () => checkPayload('beforeTurn', { input: '' }),
    'Its change is not valid: “input”: must have at least 1 character.'
  ],
  [
    () => checkPayload('beforeTurn', 5),
    'Its change is not valid: “beforeTurn”: expected object, received number.'
  ]
])('an invalid change of a hook names the field in plain words', (change, sentence) => {
  expect(change).toThrow(sentence)
})

const moduleNamed = (name: string) => `export default { name: '${name}', hooks: () => ({}) }`

test.each<[what: string, modules: Record<string, string>, sentence: string]>([
  [
    'a name that the server uses',
    { 'mine.mjs': moduleNamed('message-management') },
    'contains mine.mjs, whose plugin has the name of the built-in plugin "message-management". Use another name.'
  ],
  [
    'a duplicate name',
    { 'a.mjs': moduleNamed('router'), 'b.mjs': moduleNamed('router') },
    'contains two plugins named "router". The second one is b.mjs.'
  ]
])('%s in the plugin folder prevents the server from starting', async (_, modules, sentence) => {
  const builtIn = [messageManagement] as Plugin[]
  await expect(loadPlugins(await pluginFolder(modules), builtIn)).rejects.toThrow(
    `WAYSTATION_PLUGINS ${sentence}`
  )
})

test.each([
  [
    'SELF_SIGNED_CERT_IN_CHAIN',
    "The plugin's certificate was rejected: no trusted authority has signed it, so set “ca” or “pin”."
  ],
  ['CERT_HAS_EXPIRED', "The plugin's certificate was rejected: it has expired."],
  ['ERR_TLS_CERT_ALTNAME_INVALID', "The plugin's certificate was rejected: it is for another host."],
  [
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    'The plugin requires a client certificate. Set “client_certificate” and “client_key”.'
  ],
  [
    'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE',
    'The plugin requires a client certificate that it trusts. Check “client_certificate” and “client_key”.'
  ],
  [
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'The plugin does not use TLS. Start its address with remote://, or set up TLS in the plugin.'
  ],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'The plugin rejected the “client_certificate” from the workspace file.'],
  [
    'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
    'The plugin rejected the TLS connection. It may require another “client_certificate”.'
  ],
  ['ECONNREFUSED', 'The plugin is unavailable: no program listens at its address.'],
  ['ECONNRESET', 'The plugin is unavailable: it closed the connection.'],
  ['EOTHER', 'The plugin is unavailable: lost.']
])('22 A8: the TLS error %s of a connection has a readable message', (code, sentence) => {
  const cause = Object.assign(new Error('lost'), { code })
  const error = new ConnectError('lost', Code.Unavailable, undefined, undefined, cause)
  expect(explain(error)).toMatchObject({ reason: 'unavailable', message: sentence })
})

test('22 A8: errors in TLS settings name the setting, but not its value', async () => {
  const [first, second] = [makeCertificate('one'), makeCertificate('other')]
  const folder = '/nowhere'
  const text = (pem: string) => ({ text: pem })
  const messageFor = (tls: Parameters<typeof readTls>[0]) =>
    readTls(tls).catch((error: Error) => error.message)
  expect(await messageFor({ ca: { path: 'secret.pem', folder } })).toBe(
    "The file of this plugin's “ca” is not in the workspaces folder."
  )
  expect(await messageFor({ ca: text('-----BEGIN NOTHING') })).toBe(
    'The “ca” of this plugin contains no readable PEM certificate.'
  )
  expect(await messageFor({ clientCertificate: text(first.cert), clientKey: text(first.cert) })).toBe(
    'The “client_key” of this plugin is not a PEM private key without a passphrase.'
  )
  expect(await messageFor({ clientCertificate: text(first.cert), clientKey: text(second.key) })).toBe(
    'The “client_key” of this plugin does not match its “client_certificate”.'
  )
})
