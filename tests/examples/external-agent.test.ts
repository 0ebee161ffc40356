import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startServer, type TestServer } from '#tests/support/start-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ WAYSTATION_ROLE: 'all', WAYSTATION_EGRESS_ALLOW: 'localhost,127.0.0.1,::1' })
})
afterAll(() => server.stop())

const api = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
  const answer = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const said = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${said}`)
  return JSON.parse(said)
}

/** Starts an example and gives the address that it prints. */
async function start(command: string, args: string[], settings: Record<string, string>): Promise<string> {
  const child = spawn(command, args, {
    env: { ...process.env, PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  onTestFinished(async () => {
    const exited = once(child, 'exit')
    child.kill()
    await exited
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^Listening on (\S+)$/.exec(line) ?? []
    if (url !== undefined) return url
  }
  throw new Error(`${command} ${args.join(' ')} ended before it listened.`)
}

const languages = [
  ['Node', process.execPath, ['examples/external-agent/agent.mjs']],
  ['Python', 'python3', ['examples/external-agent/agent.py']]
] as const

test.each(
  languages.flatMap(([name, command, args]) =>
    [false, true].map(signs => [name, signs, command, args] as const)
  )
)(
  'the external agent in %s (signed: %s) is told what a person says, and replies',
  async (name, signs, command, args) => {
    const agentId = `${name}-${signs}`
    const agent = {
      agentId,
      displayName: name,
      type: 'external',
      external: { inputUrl: 'http://localhost:1/' }
    }
    await api('POST', '/api/agents', agent)
    const settings = signs
      ? { SECRET: (await api<{ secret: string }>('POST', `/api/agents/${agentId}/secrets`, {})).secret }
      : {}
    const inputUrl = await start(command, [...args], settings as Record<string, string>)
    await api('PUT', `/api/agents/${agentId}`, { ...agent, external: { inputUrl } })
    await api('POST', '/api/plugins/sessions/operations/create', { agentId, sessionId: agentId })
    await api('POST', `/api/sessions/${agentId}/messages`, { text: 'héllo' })
    const said = async () => {
      const { messages } = await api<{ messages: { role: string; parts: { text?: string }[] }[] }>(
        'GET',
        `/api/sessions/${agentId}`
      )
      return messages.filter(({ role }) => role === 'assistant').map(({ parts }) => parts[0]?.text)
    }
    await expect.poll(said, { timeout: 10_000 }).toEqual([`You said **héllo** in \`${agentId}\`.`])
  }
)
