import { AgentConfig, type PluginTools } from '@waystation/protocol/agent/agent.ts'
import { expect, test } from 'vitest'
import { grantedTools, grantWords, pluginEntries, withPluginTools } from './plugin-grants.ts'

const tools = ['sum', 'ask', 'wait']
const agent = (...entries: PluginTools[]) =>
  AgentConfig.parse({ agentId: 'a', displayName: 'A', chat: { tools: [{ name: 'web-fetch' }, ...entries] } })
const granted = (...entries: PluginTools[]) => grantedTools(entries, 'desk', tools)

test('an agent has the tools of a plugin that its entries name, also in an entry for all plugins', () => {
  expect(granted()).toEqual([])
  expect(granted({ plugin: 'other' })).toEqual([])
  expect(granted({ plugin: 'desk', tools: ['ask', 'gone'] }, { plugin: '*', tools: ['wait'] })).toEqual([
    'ask',
    'wait'
  ])
  expect(granted({ plugin: '*' })).toEqual(tools)
})

test('an agent gets only the tools of a plugin that it does not have yet', () => {
  const added = (...entries: PluginTools[]) => {
    const next = withPluginTools(agent(...entries), 'desk', tools)
    return next && pluginEntries(next).slice(entries.length)
  }
  expect(added()).toEqual([{ plugin: 'desk', approval: 'ask' }])
  expect(added({ plugin: 'desk', tools: ['sum'], approval: 'auto' })).toEqual([
    { plugin: 'desk', tools: ['ask', 'wait'], approval: 'ask' }
  ])
  expect(added({ plugin: '*' })).toBeUndefined()
  expect(withPluginTools(agent(), 'desk', []), 'a plugin that has not started').toBeDefined()
  expect(withPluginTools(agent({ plugin: 'desk' }), 'desk', [])).toBeUndefined()
  const external = AgentConfig.parse({
    agentId: 'e',
    displayName: 'E',
    type: 'external',
    external: { inputUrl: 'https://acme.example/in' }
  })
  expect(withPluginTools(external, 'desk', tools)).toBeUndefined()
})

test('the tools that an agent has are named', () => {
  expect(grantWords([], tools)).toBeUndefined()
  expect(grantWords(['sum'], ['sum'])).toBe('sum')
  expect(grantWords(['sum', 'ask'], tools)).toBe('sum and ask')
  expect(grantWords(tools, tools)).toBe('all tools')
})
