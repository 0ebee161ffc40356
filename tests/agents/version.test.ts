import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { ListSessions } from '@waystation/protocol/session/session.ts'
import { expect, test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { getAgent } from '#lib/agents/get.ts'
import { publishDraft } from '#lib/agents/publish-draft.ts'
import { restoreRevision } from '#lib/agents/restore-revision.ts'
import { saveDraft } from '#lib/agents/save-draft.ts'
import { updateAgent } from '#lib/agents/update.ts'
import { listSessions } from '#lib/sessions/list-sessions.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

test('a client that refreshes its list of sessions sees a new version after any change of an agent (002-16)', async () => {
  const { ctx, actAs } = await startTestServer()
  const version = async (caller = ctx) => (await listSessions(caller, ListSessions.parse({}))).agentsVersion
  const otherWorkspaceVersion = await version(actAs('Ben', 'other'))
  let before = await version()
  expect(await version()).toBe(before)
  const chat = { instructions: 'Be brief.' }
  const config = AgentConfig.parse({ agentId: 'porter', displayName: 'Porter', chat })
  const newerConfig = AgentConfig.parse({ ...config, displayName: 'Newer' })
  const steps: [string, () => Promise<unknown>][] = [
    ['made', () => createAgent(ctx, config)],
    ['changed', () => updateAgent(ctx, newerConfig)],
    ['drafted', () => saveDraft(ctx, { agentId: 'porter', config, base: 2, version: 0 })],
    ['published', () => publishDraft(ctx, { agentId: 'porter', base: 2, version: 1 })],
    ['restored', () => restoreRevision(ctx, { agentId: 'porter', revision: 2, base: 3 })]
  ]
  for (const [label, step] of steps) {
    await step()
    const versionAfter = await version()
    expect(versionAfter, label).not.toBe(before)
    before = versionAfter
  }
  expect(await getAgent(ctx, { agentId: 'porter' })).toMatchObject({ revision: 4 })
  expect(await version(actAs('Ben', 'other'))).toBe(otherWorkspaceVersion)
})
