import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from '#tests/browser/test.ts'
import { startTestPlugin, type TestPlugin } from '#tests/support/fakes/plugins/start-test-plugin.ts'
import { board } from './board.ts'

export const cities = ['Milan', 'Naples', 'Rome']

type Plugins = {
  /** The folder of the workspace, which also has the program of `broken`. */
  folder: string
  /** A plugin with hooks and two tools, one of which is skipped. */
  weather: TestPlugin
  /** A plugin with settings. */
  climate: TestPlugin
  /** A plugin with views and a chat. */
  desk: TestPlugin
  stop(): Promise<void>
}

/** Test for a server with four plugins: `weather`, `climate`, `desk` and `broken`, which does not start. */
export const test = base.extend<object, { plugins: Plugins }>({
  plugins: [
    // Playwright reads the fixtures that are needed from this pattern. This one needs none.
    // biome-ignore lint/correctness/noEmptyPattern: see above
    async ({}, use) => {
      const plugins = await startPlugins()
      await use(plugins)
      await plugins.stop()
    },
    { scope: 'worker' }
  ],

  serverOptions: [
    async ({ plugins: { folder } }, use) =>
      use({
        settings: {
          WAYSTATION_WORKSPACES: folder,
          WAYSTATION_PLUGIN_FOLDER: folder,
          WAYSTATION_EGRESS_ALLOW: '127.0.0.1'
        }
      }),
    { scope: 'worker' }
  ]
})

/** Writes the program of `broken`, which prints a line and fails. */
export function writeBroken(folder: string, line: string): void {
  writeFileSync(join(folder, 'broken'), `#!/bin/sh\necho "${line}" >&2\nexit 1\n`)
  chmodSync(join(folder, 'broken'), 0o755)
}

async function startPlugins(): Promise<Plugins> {
  const folder = mkdtempSync(join(tmpdir(), 'plugins-page-'))
  const optionsServer = createServer((request, response) => {
    const q = new URL(request.url ?? '', 'http://localhost').searchParams.get('q') ?? ''
    const matches = cities.filter(name => name.toLowerCase().includes(q.toLowerCase()))
    response.end(JSON.stringify(matches.map(label => ({ value: label.toLowerCase(), label }))))
  }).listen(0, '127.0.0.1')
  await once(optionsServer, 'listening')
  const weather = await startTestPlugin({
    name: 'weather',
    tools: ['forecast', 'almanac'].map(name => ({
      name,
      description: `Says the ${name} of a place.`,
      parametersJsonSchema: name === 'almanac' ? '{"type":' : ''
    })),
    metadata: { version: '1.2.0' },
    hook: () => undefined
  })
  const climate = await startTestPlugin({
    name: 'climate',
    fields: fieldsOf((optionsServer.address() as AddressInfo).port)
  })
  const desk = await startDesk()
  writeBroken(folder, 'There is no API key.')
  writeFileSync(
    join(folder, 'default.hcl'),
    `workspace "default" {
      plugin "weather" { source = "remote://127.0.0.1:${weather.port}" }
      plugin "broken"  { source = "local://broken" }
      plugin "climate" {
        source = "remote://127.0.0.1:${climate.port}"
        config { region = "europe" }
      }
      plugin "desk" { source = "remote://127.0.0.1:${desk.port}" }
    }`
  )
  return {
    folder,
    weather,
    climate,
    desk,
    async stop() {
      await Promise.all([weather.stop(), climate.stop(), desk.stop()])
      optionsServer.close()
      rmSync(folder, { recursive: true })
    }
  }
}

const fieldsOf = (port: number) => `
  field "api_key_env" {
    type        = "string"
    required    = true
    placeholder = "WEATHER_KEY"
  }
  field "unit" {
    type    = "string"
    ui_type = "radio"
    options = ["celsius", "fahrenheit"]
    default = "celsius"
  }
  field "retries" {
    type        = "number"
    default     = "3"
    description = "How often a call that failed is made again."
  }
  field "language" {
    type    = "string"
    options = ["English", "Italian", "Norwegian"]
  }
  field "city" {
    type       = "string"
    api_source = "http://127.0.0.1:${port}/"
  }
  field "debug" { type = "bool" }
  field "region" { type = "string" }`

const talk = 'component "talk" {\n  type = "chat"\n  placeholder = "Ask the desk"\n}'

function startDesk(): Promise<TestPlugin> {
  const tasks = ['Buy milk']
  return startTestPlugin({
    name: 'desk',
    views: [
      {
        name: 'board',
        label: 'Board',
        icon: 'calendar',
        routes: [{ method: 'POST', path: '/api/tasks' }]
      },
      { name: 'broken', label: 'Broken' },
      { name: 'talk', label: 'Ask', icon: 'chat', scope: 'global' }
    ],
    render: ({ viewName }) =>
      viewName === 'board' ? board(tasks) : viewName === 'talk' ? talk : '<p>Hi</p>',
    async route({ body }) {
      const { task } = JSON.parse(Buffer.from(body).toString()) as { task: string }
      if (task === 'nothing') {
        const problem = { error: 'Something is missing.', fields: { task: 'Say what is to be done.' } }
        return { statusCode: 422, body: Buffer.from(JSON.stringify(problem)) }
      }
      tasks.push(task)
      return { statusCode: 200, body: Buffer.from('{"message":"Added."}') }
    },
    async *stream(messages) {
      for await (const { data } of messages) {
        if (data.length === 0) continue
        const { content } = JSON.parse(Buffer.from(data).toString()) as { content: string }
        if (content === 'Fail') throw new Error('Out of paper.')
        const events = [
          { type: 'tool_call', agent: 'desk', tool: 'look', args: '{}' },
          { type: 'tool_result', agent: 'desk', tool: 'look', result: '"found"', is_error: false },
          { type: 'content', agent: 'desk', content: 'You said ' },
          { type: 'content', agent: 'desk', content: `“${content}”.` },
          { type: 'handoff', agent: 'desk', target: 'archive' },
          { type: 'finish', agent: 'archive' }
        ]
        for (const event of events) yield Buffer.from(JSON.stringify(event))
      }
    }
  })
}
