import { Code, ConnectError } from '@connectrpc/connect'
import { expect, test } from 'vitest'
import { parseAddress } from '#lib/plugins/grpc/address.ts'
import { explain } from '#lib/plugins/grpc/explain.ts'

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
