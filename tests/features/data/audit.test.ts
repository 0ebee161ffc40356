import { expect, test } from 'vitest'
import { listAudit } from '#lib/features/data/list-audit.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { workspaceOperations } from '#lib/http/operations/workspace.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/** Returns a server whose audit has a branched session, another one, and a rotated link secret. */
async function serverWithAudit() {
  const server = await startTestServer()
  const sessions = [await server.startSession(), await server.startSession()]
  for (const session of sessions) {
    await session.runTurn('say hello')
    const [message] = (await session.get()).messages
    await callEndpoint(sessionOperations.branch, {
      params: { sessionId: session.id, messageId: message!.id },
      body: {}
    })
  }
  await callEndpoint(workspaceOperations.rotateLinkSecret)
  const audit = async (query: Record<string, string> = {}) => {
    const { status, body } = await callEndpoint(externalOperations.audit, { query })
    return { status, ...(body as { entries: { id: number; action: string }[]; nextBefore: number | null }) }
  }
  return { ...server, sessions: sessions.map(({ id }) => id), audit }
}

test('000-23: the audit is filtered by kind, person and session, and each filter applies to the next page too', async () => {
  const { audit, sessions, actAs } = await serverWithAudit()
  const actionsOf = async (query: Record<string, string>) =>
    (await audit(query)).entries.map(({ action }) => action)
  expect(await actionsOf({})).toEqual(['link-secret.rotated', 'session.branched', 'session.branched'])
  expect(await actionsOf({ action: 'link-secret.rotated' })).toEqual(['link-secret.rotated'])
  expect(await actionsOf({ sessionId: sessions[0]! })).toEqual(['session.branched'])
  expect(await actionsOf({ sessionId: sessions[0]!, action: 'link-secret.rotated' })).toEqual([])
  const [{ actor }] = (await audit()).entries as unknown as [{ actor: string }]
  expect(await actionsOf({ actor: actor.slice(1).toUpperCase() })).toHaveLength(3)
  expect(await actionsOf({ actor: 'somebody else' })).toEqual([])

  const first = await audit({ action: 'session.branched', limit: '1' })
  const second = await audit({ action: 'session.branched', limit: '1', before: `${first.nextBefore}` })
  expect([...first.entries, ...second.entries]).toMatchObject([
    { sessionId: sessions[1] },
    { sessionId: sessions[0] }
  ])
  expect(second.nextBefore).toBeNull()
  expect((await listAudit(actAs('Eve', 'other'), {})).entries).toEqual([])
})

test('000-23: an entry names the title of its session, and no title after the session is deleted', async () => {
  const { audit, sessions, ctx } = await serverWithAudit()
  await callEndpoint(sessionOperations.rename, {
    params: { sessionId: sessions[0]! },
    body: { title: 'Lamp oil' }
  })
  const titleOf = async (query: Record<string, string>) => (await audit(query)).entries[0]
  expect(await titleOf({ sessionId: sessions[0]! })).toMatchObject({ sessionTitle: 'Lamp oil' })
  await deleteSession(ctx, { sessionId: sessions[0]! })
  expect(await titleOf({ sessionId: sessions[0]! })).toMatchObject({ sessionTitle: null })
  expect(await titleOf({ action: 'link-secret.rotated' })).toMatchObject({ sessionTitle: null })
})

test('an invalid filter of the audit is rejected with the name of its field', async () => {
  const { audit } = await serverWithAudit()
  for (const [field, value] of [
    ['action', 'nothing'],
    ['limit', '201'],
    ['before', 'x'],
    ['sessionId', 'x'.repeat(129)]
  ] as const)
    expect(await audit({ [field]: value })).toMatchObject({
      status: 422,
      fields: { [field]: expect.any(String) }
    })
})
