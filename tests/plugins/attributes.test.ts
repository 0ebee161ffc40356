import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type AgentInContext, ChatConfig, ExternalConfig } from '@waystation/protocol/agent/agent.ts'
import type { PluginStatus } from '@waystation/protocol/plugin/plugin.ts'
import type { PluginSettings } from '@waystation/protocol/plugin/plugin-settings.ts'
import { expect, test } from 'vitest'
import { getAgent } from '#lib/agents/get.ts'
import { hostedPluginOperations } from '#lib/http/operations/hosted-plugins.ts'
import { pluginSettingsOperations } from '#lib/http/operations/plugin-settings.ts'
import { agentShape } from '#lib/plugins/workspace-files/read-agents.ts'
import { fieldShape, manifestShape } from '#lib/plugins/workspace-files/read-manifest.ts'
import { pluginShape, workspaceShape } from '#lib/plugins/workspace-files/read-workspace.ts'
import { makeCertificate } from '#tests/support/fakes/certificates.ts'
import { replyText } from '#tests/support/fakes/openai-replies.ts'
import { serveTestPlugin } from '#tests/support/fakes/plugins/serve-test-plugin.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

/** A test that shows the effect of an attribute: a file of this folder, and the start of a title. */
type OtherTest = readonly [file: string, title: string]
/** Shows the effect in the workspace of this file, or names the tests that show it. */
type Evidence = ((world: World) => unknown) | OtherTest

type World = Awaited<ReturnType<typeof startWorld>>

const settingsList: OtherTest = ['settings', '003-6: settings are listed with the schema of the manifest']
const settingsErrors: OtherTest = ['settings', '003-7: invalid values are reported by field']
const registeredSettings: OtherTest = ['settings', '003-5, 003-7: saved settings override the defaults']
const aboutPlugin: OtherTest = ['plugin-list', '22 B5: a plugin shows the data of its manifest']
const tls: OtherTest = ['tls', '22 A8: a plugin with TLS serves if its certificate matches']
const wrongTls: OtherTest = ['tls', '22 A8: a plugin with a wrong certificate or wrong settings']
const wholeFile: OtherTest = ['workspace-files', '003-9, 003-18: a workspace from a file works']
const agentSettings: OtherTest = ['agents-in-files', '003-18: an agent in a file has its settings']

const attributes = {
  'a manifest': {
    shape: manifestShape,
    effects: {
      version: [aboutPlugin],
      description: [aboutPlugin],
      author: [aboutPlugin],
      icon: [aboutPlugin],
      type: [aboutPlugin],
      config_schema: [settingsList]
    }
  },
  'a setting of a manifest': {
    shape: fieldShape,
    effects: {
      type: [settingsList, settingsErrors],
      ui_type: [settingsList],
      required: [settingsList, settingsErrors],
      default: [settingsList, registeredSettings],
      description: [settingsList],
      options: [
        settingsList,
        settingsErrors,
        ({ field }) =>
          expect(field('size')).toMatchObject({ options: ['s', 'l'], option_labels: { l: 'Large' } })
      ],
      pattern: [settingsList, settingsErrors],
      placeholder: [({ field }) => expect(field('key_env')).toMatchObject({ placeholder: 'SHOP_KEY' })],
      api_source: [['settings', '003-8: options come from the URL of the manifest']]
    }
  },
  'a workspace': {
    shape: workspaceShape,
    effects: {
      default_agent: [['callbacks', '003-17: a plugin that calls back talks to the default agent']],
      display_name: [['workspaces-in-files', '003-18: a file names its workspace']],
      delete: [['workspaces-in-files', '003-18: a file deletes its workspace']],
      plugin: [wholeFile],
      agent: [wholeFile],
      env: [({ shop }) => expect(shop.registered).toMatchObject([{ envVars: { REGION: 'eu' } }])]
    }
  },
  'a plugin': {
    shape: pluginShape,
    effects: {
      source: [
        ['restart-on-change', '003-18: a plugin with restart_on_change restarts'],
        ({ states }) =>
          expect(states).toEqual({ shop: 'serving', grpc: 'serving', remotes: 'serving', grpcs: 'serving' })
      ],
      version: [aboutPlugin],
      fail_closed: [['hooks', '003-15: a plugin with fail_closed that never started']],
      restart_on_change: [['restart-on-change', '003-18: a plugin with restart_on_change restarts']],
      sandbox: [['sandboxed-plugin', '003-18: a plugin sees only its own folder']],
      ca: [tls, wrongTls],
      pin: [tls, wrongTls],
      client_certificate: [tls, wrongTls],
      client_key: [tls, wrongTls],
      config: [wholeFile]
    }
  },
  'an agent': {
    shape: agentShape,
    effects: {
      display_name: [agentSettings],
      description: [
        ({ agent }) => expect(agent('front')).resolves.toMatchObject({ description: 'Answers first.' })
      ],
      model: [({ request }) => expect(request.model).toBe('gpt-front')],
      instructions: [
        ({ request }) => expect(JSON.stringify(request.messages[0])).toContain('Be at the front.')
      ],
      tools: [wholeFile, ({ request }) => expect(JSON.stringify(request.tools)).toMatch(/"name":"echo"/)],
      handoffs: [
        wholeFile,
        ({ request }) => expect(JSON.stringify(request.tools)).toMatch(/"name":"handoff_to_desk"/)
      ],
      approval: [['agents-in-files', '003-18: the tools of an agent in a file run without approval']],
      settings: [
        agentSettings,
        async ({ agent }) => expect((await agent('every')) as object).toMatchObject({ chat: chatSettings })
      ],
      out_of_band: [
        ({ agent }) => expect(agent('front')).resolves.toMatchObject({ outOfBand: { ttlSeconds: 60 } })
      ],
      external: [
        agentSettings,
        async ({ agent }) =>
          expect(await agent('desk')).toMatchObject({ type: 'external', external: externalSettings })
      ]
    }
  }
} satisfies Record<
  string,
  { shape: { attributes: object; blocks?: object }; effects: Record<string, Evidence[]> }
>

/** A value for each setting of a chat agent. */
const chatSettings: Required<ChatConfig> = {
  model: 'openai/gpt-every',
  parameters: { temperature: 0.5, topP: 0.5, maxOutputTokens: 70 },
  handler: 'chat',
  instructions: 'Do everything.',
  tools: [{ name: 'ask-question', approval: 'ask' }],
  skills: [
    {
      '@ag.embed': {
        '@ag.references': { agent: { slug: 'front' } },
        '@ag.selector': { path: 'chat.instructions' }
      }
    }
  ],
  plugins: [{ name: 'message-management', onFailure: 'stop' }],
  handoffs: ['front'],
  answer: { roles: ['owner'] },
  limits: { stepsPerTurn: 5, usdPerTurn: 2, contextTokens: 5_000 },
  toolSettings: { timeoutSeconds: 9, batchTimeoutSeconds: 90, concurrency: 2, retry: { maxAttempts: 2 } },
  compaction: 'words',
  userAfterTools: false,
  attachments: { images: true, files: false },
  toolCalling: 'text',
  buildKit: 'off',
  price: { inputPerMillion: 1, outputPerMillion: 2 },
  starters: [{ label: 'Begin', text: 'Begin now.' }]
}

/** A value for each setting of an external agent. */
const externalSettings: Required<ExternalConfig> = {
  inputUrl: 'https://desk.example/in',
  callbackBaseUrl: 'https://waystation.example',
  checkUrl: 'https://desk.example/check',
  retries: 2,
  activeItem: 'everyMessage',
  redact: ['iban'],
  history: 3
}

/** Starts a workspace whose file has each attribute that no other test shows. */
async function startWorld() {
  const certificate = makeCertificate('localhost')
  const pin = new X509Certificate(certificate.cert).fingerprint256
  const fields = `
    field "size" {
      type    = "string"
      options = ["s", { value = "l", label = "Large" }]
    }
    field "key_env" {
      type        = "string"
      placeholder = "SHOP_KEY"
    }`
  const shop = await serveTestPlugin({ name: 'shop', fields })
  const grpc = await serveTestPlugin({ name: 'grpc', tools: [] })
  const remotes = await serveTestPlugin({ name: 'remotes', tools: [], tls: certificate })
  const grpcs = await serveTestPlugin({ name: 'grpcs', tools: [], tls: certificate })
  const server = await startTestServer({
    script: [replyText('Hello.')],
    settings: {
      WAYSTATION_EGRESS_ALLOW: '127.0.0.1,localhost',
      WAYSTATION_WORKSPACES: workspaceFolder(`
        env { REGION = "eu" }
        plugin "shop" { source = "remote://127.0.0.1:${shop.port}" }
        plugin "grpc" { source = "grpc://127.0.0.1:${grpc.port}" }
        plugin "remotes" {
          source = "remotes://localhost:${remotes.port}"
          pin    = "${pin}"
        }
        plugin "grpcs" {
          source = "grpcs://localhost:${grpcs.port}"
          pin    = "${pin}"
        }
        agent "front" {
          description  = "Answers first."
          model        = "openai/gpt-front"
          instructions = "Be at the front."
          tools        = ["echo"]
          handoffs     = ["desk"]
          out_of_band  = { ttlSeconds = 60 }
        }
        agent "every" { settings = ${JSON.stringify(chatSettings)} }
        agent "desk" { external = ${JSON.stringify(externalSettings)} }`)
    }
  })
  await server.ctx.ports.plugins?.ready('default', 20_000)
  const { body: list } = await callEndpoint(hostedPluginOperations.list)
  const { body: settings } = await callEndpoint(pluginSettingsOperations.list, {
    params: { workspaceId: 'default', plugin: 'shop' }
  })
  await (await server.startSession('front')).runTurn('Hi.')
  const schema = (settings as unknown as PluginSettings[]).find(({ name }) => name === 'shop')?.schema
  return {
    shop,
    states: Object.fromEntries(
      (list as { plugins: PluginStatus[] }).plugins.map(({ name, state }) => [name, state.kind])
    ),
    field: (name: string) => schema?.find(field => field.name === name),
    agent: (agentId: string): Promise<AgentInContext> => getAgent(server.ctx, { agentId }),
    request: server.model.requests[0]!.body
  }
}

const reference = readFileSync('docs/hcl.md', 'utf8')

test.each(Object.entries(attributes))(
  'each attribute and block of %s has a row, and docs/hcl.md names it',
  (_, { shape, effects }) => {
    const { attributes, blocks } = { blocks: {}, ...shape }
    const names = [...Object.keys(attributes), ...Object.keys(blocks)]
    expect(Object.keys(effects).toSorted()).toEqual(names.toSorted())
    for (const name of names) expect(reference).toMatch(new RegExp(`^\\|.*\`${name}[\` ].*\\|$`, 'm'))
  }
)

test('each setting of a chat agent and of an external agent has a value', () => {
  expect(Object.keys(chatSettings).toSorted()).toEqual(Object.keys(ChatConfig.shape).toSorted())
  expect(Object.keys(externalSettings).toSorted()).toEqual(Object.keys(ExternalConfig.shape).toSorted())
})

test('each attribute of a manifest and of a workspace file has an effect', async () => {
  const world = await startWorld()
  const failures: string[] = []
  for (const [block, { effects }] of Object.entries(attributes))
    for (const [name, evidence] of Object.entries<Evidence[]>(effects))
      for (const shown of evidence)
        try {
          if (typeof shown === 'function') await shown(world)
          else expectTest(shown)
        } catch (error) {
          failures.push(`${name} of ${block}: ${(error as Error).message}`)
        }
  expect(failures).toEqual([])
})

/** Throws if there is no such test. */
function expectTest([file, title]: OtherTest): void {
  expect(readFileSync(`tests/plugins/${file}.test.ts`, 'utf8')).toContain(`'${title}`)
}
