import { expect, test } from 'vitest'
import { readWorkspaces } from './read-workspace.ts'

/** Returns the error message for a workspace with these lines, the first of which is line 2. */
function errorFor(...lines: string[]): string {
  try {
    readWorkspaces(['workspace "w" {', ...lines, '}'].join('\n'))
    return 'read'
  } catch (error) {
    return (error as Error).message
  }
}
const plugin = (...lines: string[]) => errorFor('plugin "p" {', '  source = "local://p"', ...lines, '}')
const source = (value: string) => errorFor('plugin "p" {', `  source = "${value}"`, '}')

test.each([
  [
    'http://localhost:9010',
    '3:12: unknown scheme "http": use one of "remote", "remotes", "grpc", "grpcs", "local"'
  ],
  ['remot://localhost:9010', '3:12: unknown scheme "remot": did you mean "remote"?'],
  ['localhost:9010', '3:12: "localhost:9010" is not a source: write it like "remote://localhost:9010"'],
  ['remote://localhost', '3:12: a remote source must be a host and a port, like "remote://localhost:9010"'],
  ['grpcs://host:70000', '3:12: a grpcs source must be a host and a port, like "grpcs://localhost:9010"'],
  ['remote://user@host:1', '3:12: a remote source must be a host and a port, like "remote://localhost:9010"'],
  ['remote://host:1/path', '3:12: a remote source must be a host and a port, like "remote://localhost:9010"'],
  [
    'local://../up',
    '3:12: a local source must be a path in the folder of local plugins, like "local://weather"'
  ],
  [
    'local:///etc',
    '3:12: a local source must be a path in the folder of local plugins, like "local://weather"'
  ],
  [
    'local://a/../../b',
    '3:12: a local source must be a path in the folder of local plugins, like "local://weather"'
  ]
])('003-2, 003-5: the invalid source %s is rejected with its line', (value, message) => {
  expect(source(value)).toBe(message)
})

test('003-18: names are unique, and only existing agents can be named', () => {
  expect(errorFor('plugin "p" { source = "local://p" }', 'plugin "p" { source = "local://q" }')).toBe(
    '3:8: plugin "p" is already defined at 2:8: rename one of them'
  )
  expect(errorFor('plugin "my plugin" { source = "local://p" }')).toBe(
    '2:8: a plugin\'s name can have only letters, digits, "-" and "_", at most 64 characters, not "my plugin"'
  )
  expect(errorFor('agent "a" {}', 'agent a {}')).toBe(
    '3:7: agent "a" is already defined at 2:7: rename one of them'
  )
  expect(() => readWorkspaces('workspace "w" {}\nworkspace "w" {}')).toThrow(
    /^2:11: workspace "w" is already defined at 1:11/
  )
  expect(errorFor('agent "triage" { handoffs = ["billng"] }', 'agent "billing" {}')).toBe(
    '2:30: there is no agent "billng" in this workspace: did you mean "billing"?'
  )
  expect(errorFor('agent "a" { handoffs = ["a"] }')).toBe('2:25: agent "a" cannot hand off to itself')
  expect(errorFor('agent "a" {', '  handoffs = [', '    "b",', '    "b"]', '}', 'agent "b" {}')).toBe(
    '5:5: "b" is in "handoffs" twice: remove one of the two'
  )
  expect(errorFor('default_agent = "b"', 'agent "a" {}')).toBe(
    '2:17: there is no agent "b" in this workspace: did you mean "a"?'
  )
  expect(errorFor('agent "a b" {}')).toMatch(
    /^2:7: an agent's name can have only letters, digits, "-" and "_", at most 53 characters$/
  )
})

test('003-5: unknown names and invalid values are rejected with their line and a suggestion', () => {
  expect(errorFor('plugn "p" {}')).toBe('2:1: unknown block "plugn" in workspace "w": did you mean "plugin"?')
  expect(plugin('  versoin = "1"')).toBe(
    '4:3: unknown attribute "versoin" in plugin "p": did you mean "version"?'
  )
  expect(plugin('  config = {}')).toBe('4:3: "config" is a block: write it as config { … }, without "="')
  expect(plugin('  version {}')).toBe('4:3: "version" is an attribute: write version = …')
  expect(plugin('  version = 1')).toBe('4:13: "version" must be a string, not a number')
  expect(plugin('  fail_closed = "yes"')).toBe(
    '4:17: "fail_closed" must be a bool (true or false), not a string'
  )
  expect(plugin('  config {}', '  config {}')).toBe(
    '5:3: plugin "p" can have only one block "config": move everything into the first one'
  )
  expect(plugin('  config "x" {}')).toBe('4:10: unexpected label "x": write config {')
  expect(plugin('  config {', '    list = [1]', '  }')).toBe(
    '5:12: "list" must be a string, a number or a bool, not a list'
  )
  expect(plugin('  config {', '    none = null', '  }')).toBe(
    '5:12: "none" must be a string, a number or a bool, not null'
  )
  expect(plugin('  config {', '    inner {}', '  }')).toBe(
    '5:5: config can have only attributes, not blocks: write inner = …'
  )
  expect(plugin('  config { a = env.NAME }')).toBe('4:19: unknown key "NAME" (none are known)')
  expect(errorFor('plugin "p" {', '  source = "remote://p:443"', '  restart_on_change = true', '}')).toBe(
    '4:23: "restart_on_change" needs a local plugin: remove it or use local://'
  )
  expect(plugin('  config { fail_closed = 1 }')).toBe('4:26: "fail_closed" must be true or false, not "1"')
  expect(plugin('  fail_closed = true', '  config { fail_closed = true }')).toBe(
    '5:26: "fail_closed" is already set at 4:17: remove one of the two'
  )
  expect(errorFor('plugin "p" {}')).toBe('2:1: plugin "p" needs "source": set source = …')
  expect(errorFor('plugin {}')).toBe('2:1: "plugin" needs a name: write plugin "name" {')
  expect(errorFor('agent "" {}')).toBe('2:7: a label must have 1 to 100 characters')
  expect(errorFor('agent "a" { tools = ["x", 1] }')).toBe(
    '2:27: "tools" must be a list of strings, not a number'
  )
  expect(errorFor('env { A = env.B }')).toMatch(/^2:11: unknown name "env"/)
  expect(errorFor('env {', '  with-dash = 1', '}')).toBe(
    '3:3: an environment variable\'s name can have only letters, digits and "_", and no digit first'
  )
  expect(() => readWorkspaces('a = 1')).toThrow(/^1:1: unknown attribute "a" in this text: remove it$/)
})

test('22 A8: invalid TLS settings are rejected with their line and without their values', () => {
  const secure = (...lines: string[]) =>
    errorFor('plugin "p" {', '  source = "remotes://p:443"', ...lines, '}')
  expect(plugin('  pin = "00"')).toBe('4:9: "pin" needs a source with TLS: write remotes://host:port')
  expect(errorFor('plugin "p" {', '  source = "remote://p:443"', '  ca = "ca.pem"', '}')).toBe(
    '4:8: "ca" needs a source with TLS: write remotes://host:port'
  )
  for (const name of ['client_certificate', 'client_key'])
    expect(secure(`  ${name} = "file.pem"`)).toMatch(
      /^4:\d+: "client_certificate" and "client_key" belong together: set both$/
    )
  for (const pin of ['secret', '00ff'.repeat(8), `${'00ff'.repeat(16)}0`, 'a b'])
    expect(secure(`  pin = "${pin}"`)).toBe(
      '4:9: "pin" must be the SHA-256 fingerprint of a certificate: 64 hex digits, or 32 bytes in base64'
    )
  for (const path of ['../ca.pem', '/etc/ca.pem', 'a/../../ca.pem', 'MII+secret=', ''])
    expect(secure(`  ca = "${path}"`), path).toBe(
      '4:8: "ca" must be PEM text or a path below this file\'s folder, like "certificates/ca.pem"'
    )
  expect(secure('  token = "secret"')).toMatch(/^4:3: unknown attribute "token" in plugin "p"/)
})

test('003-18: an invalid setting of an agent is reported at the settings, with its name', () => {
  const agent = (...lines: string[]) => errorFor('agent "a" {', ...lines, '}')
  expect(agent('  settings = { limits = { stepsPerTurn = 0 } }')).toMatch(
    /^3:14: "settings.limits.stepsPerTurn" is not valid: /
  )
  expect(agent('  settings = { colour = "red" }')).toMatch(/^3:14: "settings" is not valid: .*colour/)
  expect(agent('  external = {}')).toMatch(/^3:14: "external.inputUrl" is not valid: /)
  expect(agent('  approval = "never"')).toBe('3:14: an approval cannot be "never": use one of "ask", "auto"')
  expect(agent('  model = "demo/demo"', '  external = { inputUrl = "https://a.example" }')).toMatch(
    /^3:11: an external agent has no settings of a chat agent/
  )
})
