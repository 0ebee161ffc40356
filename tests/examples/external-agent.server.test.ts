import { expect, test } from 'vitest'
import { startExampleServer } from './example-runtime.ts'
import { startExample } from './start-example.ts'

const { api, create, sendMessage, replies } = startExampleServer()

const languages = [
  ['Node', process.execPath, ['examples/external-agent/agent.mjs']],
  ['Python', 'python3', ['examples/external-agent/agent.py']]
] as const

test.each(
  languages.flatMap(([name, command, args]) =>
    [false, true].map(signs => [name, signs, command, args] as const)
  )
)(
  "the external agent in %s (signed: %s) receives a user's message and replies",
  async (name, signs, command, args) => {
    const agentId = `${name}-${signs}`
    const agent = {
      agentId,
      displayName: name,
      type: 'external',
      external: { inputUrl: 'http://localhost:1/' }
    }
    await api('POST', '/api/agents', agent)
    const settings: Record<string, string> = signs
      ? { SECRET: (await api<{ secret: string }>('POST', `/api/agents/${agentId}/secrets`, {})).secret }
      : {}
    const { url } = await startExample(command, args, settings)
    await api('PUT', `/api/agents/${agentId}`, { ...agent, external: { inputUrl: url } })
    await create(agentId, agentId)
    await sendMessage(agentId, 'héllo')
    await expect
      .poll(() => replies(agentId), { timeout: 30_000 })
      .toEqual([`You said **héllo** in \`${agentId}\`.`])
  }
)
