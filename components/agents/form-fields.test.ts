import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { expect, test } from 'vitest'
import { draftOf } from './agent-draft.ts'
import { formErrors, missingFields } from './form-fields.ts'

const config: AgentConfig = {
  agentId: 'clerk',
  displayName: 'Clerk',
  type: 'chat',
  chat: {
    model: 'default',
    instructions: '',
    tools: [
      { name: 'web-fetch' },
      { name: 'a b', where: 'external', title: '', description: '', inputSchema: {}, url: '' }
    ],
    limits: { stepsPerTurn: 25, usdPerTurn: 1, contextTokens: 120_000 }
  }
}

test('each error is shown at its field, without the path in the configuration', () => {
  const { faults, text } = formErrors(
    { 'config.chat.limits.stepsPerTurn': 'at most 100', 'config.chat.handoffs.0': 'unknown agent.' },
    config
  )
  expect(faults).toEqual({ stepsPerTurn: 'At most 100.', handoffs: 'Unknown agent.' })
  expect(text.split('\n')).toHaveLength(1)
})

test('errors of external tools name the tool, and all of them are shown', () => {
  const { faults } = formErrors({ 'chat.tools.1.name': 'only letters', 'chat.tools.1.url': 'no URL' }, config)
  expect(faults.external).toMatch(/a b › name: only letters\. .*a b › url: no URL\.$/)
  expect(faults.external).not.toContain('chat')
})

test('errors without a field in the form are listed', () => {
  const { faults, text } = formErrors(
    { 'chat.answer.people.0': 'unknown person', 'chat.tools.0.approval': 'unknown value' },
    config
  )
  expect(faults).toEqual({})
  expect(text).toMatch(/people › 0: unknown person\.\n.*web-fetch › approval: unknown value\.$/)
})

test('empty required fields are errors, and an external agent also requires its URL', () => {
  const draft = draftOf(undefined, [])
  expect(Object.keys(missingFields(draft)?.faults ?? {})).toEqual(['displayName', 'agentId'])
  const named = { ...draft, displayName: 'Clerk', agentId: 'clerk' }
  expect(missingFields(named)).toBeUndefined()
  expect(Object.keys(missingFields({ ...named, type: 'external' })?.faults ?? {})).toEqual(['inputUrl'])
})
