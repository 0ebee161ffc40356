import { expect, test } from 'vitest'
import { parseEgressPolicy } from './egress-policy.ts'

test.each([
  ['http://a.test', 'without a scheme'],
  ['a.test/path', 'CIDR|prefix length'],
  ['10.0.0.0/33', 'at most 32'],
  ['fd00::/129', 'at most 128'],
  ['10.0.0.0/8/8', 'prefix length'],
  ['10.0.0/8', 'prefix length'],
  ['::ffff:10.0.0.0/104', 'IPv4 address itself'],
  ['*.a.test', 'wildcards are not supported'],
  ['*', 'wildcards are not supported'],
  ['a.test:0', '1 to 65535'],
  ['a.test:65536', '1 to 65535'],
  ['a.test:http', 'host:port'],
  ['user@a.test', 'not a host name'],
  ['a b', 'not a host name'],
  ['a.test?x', 'not a host name'],
  ['300.1.1.1', 'not a host name']
])('WAYSTATION_EGRESS_ALLOW with "%s" is rejected at startup with advice', (allow, advice) => {
  const parse = () => parseEgressPolicy(`ok.test,${allow}`)
  expect(parse).toThrow(new RegExp(advice))
  expect(parse).toThrow(`WAYSTATION_EGRESS_ALLOW: cannot read "${allow}"`)
})
