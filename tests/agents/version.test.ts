import { expect, test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { getAgent } from '#lib/agents/get.ts'
import { publishDraft } from '#lib/agents/publish-draft.ts'
import { restoreRevision } from '#lib/agents/restore-revision.ts'
import { saveDraft } from '#lib/agents/save-draft.ts'
import { updateAgent } from '#lib/agents/update.ts'
import { AgentConfig } from '#lib/protocol/agent/agent.ts'
import { ListSessions } from '#lib/protocol/session/session.ts'
import { listSessions } from '#lib/sessions/list-sessions.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

test('whoever keeps a list of sessions fresh is told that an agent is not what it was, whichever way it was changed (002-16)', async () => {
  const { ctx, as } = await testWorld()
  const version = async (by = ctx) => (await listSessions(by, ListSessions.parse({}))).agentsVersion
  const elsewhere = await version(as('Ben', 'other'))
  let before = await version()
  expect(await version()).toBe(before)
  const chat = { instructions: 'Be brief.' }
  const config = AgentConfig.parse({ agentId: 'porter', displayName: 'Porter', chat })
  const newer = AgentConfig.parse({ ...config, displayName: 'Newer' })
  const steps: [string, () => Promise<unknown>][] = [
    ['made', () => createAgent(ctx, config)],
    ['changed', () => updateAgent(ctx, newer)],
    ['drafted', () => saveDraft(ctx, { agentId: 'porter', config, base: 2, version: 0 })],
    ['published', () => publishDraft(ctx, { agentId: 'porter', base: 2, version: 1 })],
    ['restored', () => restoreRevision(ctx, { agentId: 'porter', revision: 2, base: 3 })]
  ]
  for (const [how, step] of steps) {
    await step()
    const after = await version()
    expect(after, how).not.toBe(before)
    before = after
  }
  expect(await getAgent(ctx, { agentId: 'porter' })).toMatchObject({ revision: 4 })
  expect(await version(as('Ben', 'other'))).toBe(elsewhere)
})
