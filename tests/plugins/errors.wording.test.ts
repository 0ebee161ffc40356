import { Code, ConnectError } from '@connectrpc/connect'
import { expect, test } from 'vitest'
import { messageManagement } from '#lib/plugins/built-in/message-management.ts'
import { parseAddress } from '#lib/plugins/grpc/address.ts'
import { explain } from '#lib/plugins/grpc/explain.ts'
import { loadPlugins } from '#lib/plugins/load-plugins.ts'
import type { Plugin } from '#lib/plugins/plugin.ts'
import { pluginFolder } from '#tests/support/fakes/plugin-folder.ts'

test.each([
  [Code.DeadlineExceeded, '', 'The plugin did not answer in time.'],
  [Code.FailedPrecondition, 'Not on Sundays.', 'The plugin refused: Not on Sundays.'],
  [Code.Unavailable, 'gone', 'The plugin is unavailable: gone.'],
  [Code.ResourceExhausted, 'x', 'The plugin says that it has no room: x.'],
  [
    Code.ResourceExhausted,
    'larger than 4 MiB',
    'The plugin’s answer, or what it was sent, is too large: larger than 4 MiB.'
  ]
])('status %s of a plugin (%j) is told in a sentence', (code, said, sentence) => {
  expect(explain(new ConnectError(said, code)).message).toBe(sentence)
})

test.each([
  [
    'http://a.test:1',
    '“http://a.test:1” is no address of a plugin: write remote://host:port, or remotes://host:port for one with TLS.'
  ],
  ['remote://a.test', '“remote://a.test” is no address of a plugin: it names no port.']
])('the address %s is refused with how to write it', (address, sentence) => {
  expect(() => parseAddress(address)).toThrow(sentence)
})

const named = (name: string) => `export default { name: '${name}', hooks: () => ({}) }`

test.each<[what: string, modules: Record<string, string>, sentence: string]>([
  [
    'a name of the server’s own',
    { 'mine.mjs': named('message-management') },
    'holds mine.mjs, whose plugin is named "message-management", as one of the server\'s own. Give it another name.'
  ],
  [
    'one name twice',
    { 'a.mjs': named('router'), 'b.mjs': named('router') },
    'holds two plugins named "router"; the second is b.mjs.'
  ]
])('%s in the folder of plugins keeps a server from starting', async (_, modules, sentence) => {
  const own = [messageManagement] as Plugin[]
  await expect(loadPlugins(await pluginFolder(modules), own)).rejects.toThrow(
    `WAYSTATION_PLUGINS ${sentence}`
  )
})
