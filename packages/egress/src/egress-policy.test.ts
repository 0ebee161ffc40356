import { describe, expect, test } from 'vitest'
import { parseEgressPolicy, permits } from './egress-policy.ts'
import { isPublicAddress } from './public-address.ts'

describe('001-20: only addresses of the public internet are public', () => {
  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '93.184.216.34',
    '172.32.0.1',
    '2606:4700:4700::1111',
    '2a00:1450:4001::1'
  ])('%s is public', address => expect(isPublicAddress(address)).toBe(true))

  const privateAddresses =
    `0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.8.9.10 168.63.129.16 169.254.169.254
    172.16.0.1 172.31.255.255 192.0.0.8 192.0.0.192 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255
    198.51.100.7 203.0.113.9 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255
    :: ::1 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:10.0.0.1 64:ff9b::10.0.0.1 64:ff9b::8.8.8.8
    64:ff9b:1::7f00:1 100::1 2001::1 2001:0:7f00:1::1 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1::
    2002:808:808:: 3fff::1 4000::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1`.split(
      /\s+/
    )
  test.each(privateAddresses)('%s is not public', address => expect(isPublicAddress(address)).toBe(false))

  test.each(['', 'localhost', '0x7f.1', '127.1', '8.8.8.8:80'])('"%s" is not an address', text =>
    expect(isPublicAddress(text)).toBe(false)
  )
})

describe('WAYSTATION_EGRESS_ALLOW allows its entries and nothing else', () => {
  const isPermitted = (allow: string, host: string, address: string, port = 80, protocol = 'http:') =>
    permits(parseEgressPolicy(allow), { protocol, host, port }, address)

  test('without it, every private address is blocked', () => {
    expect(isPermitted('', 'db.internal', '10.0.0.5')).toBe(false)
    expect(permits(parseEgressPolicy(undefined), { protocol: 'http:', host: 'a', port: 1 }, '10.0.0.5')).toBe(
      false
    )
    expect(isPermitted('', 'example.com', '93.184.216.34')).toBe(true)
  })

  test.each([
    ['wiki.internal', 'wiki.internal', '10.0.0.5', 80, true],
    ['wiki.internal', 'wiki.internal', '10.0.0.5', 8080, true],
    ['wiki.internal', 'evil.wiki.internal', '10.0.0.5', 80, false],
    ['wiki.internal', 'internal', '10.0.0.5', 80, false],
    ['Wiki.Internal.:8080', 'wiki.internal', '10.0.0.5', 8080, true],
    ['wiki.internal:8080', 'wiki.internal', '10.0.0.5', 80, false],
    ['bücher.internal', 'xn--bcher-kva.internal', '10.0.0.5', 80, true],
    ['10.0.0.0/8', 'anything', '10.200.3.4', 9, true],
    ['10.0.0.0/8', 'anything', '11.0.0.1', 80, true /* public anyway */],
    ['10.0.0.0/8', 'anything', '192.168.0.1', 80, false],
    ['10.0.0.0/8', 'anything', '::ffff:10.1.2.3', 80, true],
    ['10.0.0.0/8', 'anything', '64:ff9b::10.1.2.3', 80, false],
    ['fd00::/8', 'anything', 'fd12::1', 80, true],
    ['fd00::/8', 'anything', '127.0.0.1', 80, false],
    ['127.0.0.1', 'anything', '127.0.0.1', 4000, true],
    ['127.0.0.1:4000', 'anything', '127.0.0.1', 4000, true],
    ['127.0.0.1:4000', 'anything', '127.0.0.1', 4001, false],
    ['127.0.0.1:4000', 'anything', '127.0.0.2', 4000, false],
    ['0x7f.1:4000', 'anything', '127.0.0.1', 4000, true],
    ['[::1]:4000', 'anything', '::1', 4000, true],
    ['::1', 'anything', '::1', 4000, true],
    [' a.test , b.test ,', 'b.test', '127.0.0.1', 80, true]
  ])('"%s": %s at %s port %i → %s', (allow, host, address, port, expected) =>
    expect(isPermitted(allow, host, address, port)).toBe(expected)
  )

  test.each([
    'http://a.test',
    'a.test/path',
    '10.0.0.0/33',
    'fd00::/129',
    '10.0.0.0/8/8',
    '10.0.0/8',
    '::ffff:10.0.0.0/104',
    '*.a.test',
    '*',
    'a.test:0',
    'a.test:65536',
    'a.test:http',
    'user@a.test',
    'a b',
    'a.test?x',
    '300.1.1.1'
  ])('"%s" is rejected at startup, and the error quotes it', allow => {
    expect(() => parseEgressPolicy(`ok.test,${allow}`)).toThrow(`"${allow}"`)
  })

  test('the bundled samples are additional exact origins, including scheme and port', () => {
    const policy = parseEgressPolicy('', { origins: ['http://127.0.0.1:4100', 'http://[::1]:4100'] })
    const sample = { protocol: 'http:', host: '127.0.0.1', port: 4100 }
    expect(permits(policy, sample, '127.0.0.1')).toBe(true)
    expect(permits(policy, { ...sample, host: '::1' }, '::1')).toBe(true)
    expect(permits(policy, { ...sample, port: 4101 }, '127.0.0.1')).toBe(false)
    expect(permits(policy, { ...sample, protocol: 'https:' }, '127.0.0.1')).toBe(false)
    expect(permits(policy, { ...sample, host: 'rebound.test' }, '127.0.0.1')).toBe(false)
    expect(() => parseEgressPolicy('', { origins: ['127.0.0.1:4100'] })).toThrow()
    expect(() => parseEgressPolicy('', { origins: ['http://a.test/path'] })).toThrow()
  })
})
