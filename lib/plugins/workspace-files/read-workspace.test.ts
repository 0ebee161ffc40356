import { expect, test } from 'vitest'
import { readWorkspaces } from './read-workspace.ts'

const text = `
workspace "support" {
  default_agent = "triage"

  plugin "weather" {
    source  = "remote://localhost:9010"
    version = "1.0.0"
    config {
      unit        = "celsius"
      max_retries = 3
      debug       = false
      greeting    = "Hello from \${env.REGION}, \${upper(env.REGION)}"
    }
  }
  plugin "guard" {
    source      = "grpcs://[2001:db8::1]:443"
    fail_closed = true
  }
  plugin "audit" {
    source = "local://house/audit"
    config { fail_closed = true }
  }

  agent "triage" {
    model        = "plugin:weather/small"
    instructions = <<-EOT
      Find out what they need.
        Be brief.
    EOT
    tools    = ["get_weather"]
    handoffs = ["billing"]
  }
  agent "billing" {}

  env {
    REGION = "eu"
    SHARDS = 2
  }
}

workspace "empty" {}
`

test('003-5, 003-18: the workspaces of a file are parsed with plugins, agents and values in the order of the text', () => {
  expect(readWorkspaces(text)).toEqual([
    {
      name: 'support',
      plugins: [
        {
          name: 'weather',
          source: { kind: 'remote', host: 'localhost', port: 9010, tls: false },
          version: '1.0.0',
          config: { unit: 'celsius', max_retries: '3', debug: 'false', greeting: 'Hello from eu, EU' },
          failClosed: false
        },
        {
          name: 'guard',
          source: { kind: 'remote', host: '2001:db8::1', port: 443, tls: true },
          config: {},
          failClosed: true
        },
        { name: 'audit', source: { kind: 'local', path: 'house/audit' }, config: {}, failClosed: true }
      ],
      agents: [
        {
          name: 'triage',
          model: 'plugin:weather/small',
          instructions: 'Find out what they need.\n  Be brief.\n',
          tools: ['get_weather'],
          handoffs: ['billing']
        },
        { name: 'billing', tools: [], handoffs: [] }
      ],
      env: { REGION: 'eu', SHARDS: '2' },
      defaultAgent: 'triage'
    },
    { name: 'empty', plugins: [], agents: [], env: {} }
  ])
})

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

test.each([
  ['remote', false],
  ['grpc', false],
  ['remotes', true],
  ['grpcs', true]
])('003-5: a source with the scheme %s uses TLS: %s', (scheme, tls) => {
  const [workspace] = readWorkspaces(`workspace "w" {\nplugin "p" {\nsource = "${scheme}://host:1"\n}\n}`)
  expect(workspace?.plugins[0]?.source).toEqual({ kind: 'remote', host: 'host', port: 1, tls })
})

test('003-5: property names that every object has are valid names in config and env', () => {
  for (const name of ['constructor', '__proto__']) {
    expect(plugin(`  ${name} = 1`)).toMatch(`"${name}"`)
    expect(plugin(`  ${name} {}`)).toMatch(`"${name}"`)
  }
  const [workspace] = readWorkspaces(
    'workspace "w" {\nenv {\n__proto__ = "x"\n}\nplugin "constructor" {\nsource = "local://p"\nconfig { __proto__ = env.__proto__ }\n}\n}'
  )
  expect(JSON.stringify(workspace?.plugins[0]?.config)).toBe('{"__proto__":"x"}')
  expect(Object.getPrototypeOf(workspace?.env)).toBe(Object.prototype)
})

test('22 A8: TLS settings of a plugin are PEM or paths, and all spellings of a pin give the same fingerprint', () => {
  const hex = '00ff'.repeat(16)
  const tlsOf = (lines: string) =>
    readWorkspaces(`workspace "w" {\nplugin "p" {\nsource = "remotes://p:443"\n${lines}\n}\n}`)[0]?.plugins[0]
      ?.tls
  expect(tlsOf('version = "1"')).toBeUndefined()
  expect(
    tlsOf(`
      ca = <<-END
        -----BEGIN CERTIFICATE-----
        MII=
        -----END CERTIFICATE-----
      END
      client_certificate = "certificates/client.pem"
      client_key         = "key.pem"`)
  ).toEqual({
    ca: { text: '-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----\n' },
    clientCertificate: { path: 'certificates/client.pem' },
    clientKey: { path: 'key.pem' }
  })
  const base64 = Buffer.from(hex, 'hex').toString('base64')
  for (const pin of [
    hex,
    hex.toUpperCase(),
    '00:FF:'.repeat(16).slice(0, -1),
    base64,
    base64.replace('=', '')
  ])
    expect(tlsOf(`pin = "${pin}"`), pin).toEqual({ pin: hex })
})

test('003-18: an agent of a file has every setting of the API, and its approval applies to its tools', () => {
  const [workspace] = readWorkspaces(`workspace "w" {
    agent "front" {
      display_name = "Front desk"
      description  = "Answers first"
      approval     = "auto"
      tools        = ["get_weather"]
      settings     = {
        limits     = { stepsPerTurn = 5 }
        parameters = { temperature = 0.5 }
        tools      = [{ name = "wiki-search", wikis = ["garden"] }]
      }
    }
    agent "desk" {
      external = { inputUrl = "https://desk.example/in", retries = 2 }
    }
  }`)
  expect(workspace?.agents).toMatchObject([
    {
      displayName: 'Front desk',
      description: 'Answers first',
      approval: 'auto',
      settings: {
        limits: { stepsPerTurn: 5 },
        parameters: { temperature: 0.5 },
        tools: [{ name: 'wiki-search', wikis: ['garden'] }]
      }
    },
    { external: { inputUrl: 'https://desk.example/in', retries: 2 } }
  ])
})

test('003-18: the function env returns a variable of the server, also inside env', () => {
  const text = `workspace "w" {
    env { KEY = env("WEATHER_KEY") }
    plugin "p" {
      source = "remote://host:1"
      config { token = "Bearer \${env("WEATHER_KEY")}" }
    }
  }`
  const [workspace] = readWorkspaces(text, { WEATHER_KEY: 'abc' })
  expect(workspace).toMatchObject({ env: { KEY: 'abc' }, plugins: [{ config: { token: 'Bearer abc' } }] })
  expect(() => readWorkspaces(text)).toThrow(/^2:17: .*WEATHER_KEY/)
  const own = text.replaceAll('WEATHER_KEY', 'WAYSTATION_API_KEY')
  expect(() => readWorkspaces(own)).toThrow(/^2:17: .*own variables/)
})

test('003-18: names of every object are neither variables nor secrets', () => {
  const file = (call: string) => `workspace "default" {
  plugin "twin" {
    source = "remote://127.0.0.1:1"
    config { key = ${call} }
  }
}`
  expect(readWorkspaces(file('vault("constructor")'))[0]?.plugins).toMatchObject([
    { missingSecrets: ['constructor'] }
  ])
  expect(() => readWorkspaces(file('env("constructor")'), process.env)).toThrow(/^4:/)
  for (const name of ['', 'a b']) expect(() => readWorkspaces(file(`vault("${name}")`))).toThrow(/^4:/)
})

test('003-18: a missing secret of vault() is noted at its plugins, and an agent cannot use vault()', () => {
  const [workspace] = readWorkspaces(`
  workspace "default" {
    plugin "twin" {
      source = "remote://127.0.0.1:1"
      config { key = vault("weather") }
    }
    plugin "other" { source = "remote://127.0.0.1:2" }
  }`)
  expect(workspace?.plugins).toMatchObject([
    { name: 'twin', missingSecrets: ['weather'] },
    { name: 'other', source: { kind: 'remote' } }
  ])
  expect(workspace?.plugins[1]).not.toHaveProperty('missingSecrets')
  const agent = `workspace "default" {
  agent "guide" { instructions = vault("weather") }
}`
  expect(() => readWorkspaces(agent, {}, new Map([['default', { weather: 'k' }]]))).toThrow(/^2:/)
})
