import { expect, test } from 'vitest'
import type { CreatedWorkspace } from '#lib/auth/workspaces/create-workspace.ts'
import { updateWorkspace } from '#lib/auth/workspaces/update-workspace.ts'
import { deleteWorkspaces } from '#lib/features/data/delete-workspaces.ts'
import type { Operation } from '#lib/http/operation.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import { modelOperations } from '#lib/http/operations/models.ts'
import { secretOperations } from '#lib/http/operations/secrets.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { workspaceOperations } from '#lib/http/operations/workspace.ts'
import type { Role } from '#lib/kernel/ctx.ts'
import { callEndpoint, type EndpointCall, requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import {
  createExternalSession,
  createFullSession,
  secretWord,
  startFullServer,
  tablesOf,
  tablesWith
} from '#tests/support/servers/full-session.ts'
import { signInCookie } from '#tests/support/servers/sign-in-cookie.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const { list, create, update, remove } = workspaceOperations
const origin = 'http://localhost:3000'

/** Starts a server with users of the default workspace. */
async function startWithUsers(roles: Record<string, Role>) {
  const server = await startTestServer()
  for (const [id, role] of Object.entries(roles)) {
    await server.sql`insert into users (id, name) values (${id}, ${id})`
    await server.sql`insert into members (workspace_id, user_id, role) values ('default', ${id}, ${role})`
  }
  /** Calls an operation as the page of a user, in their last workspace or in `workspaceId`. */
  const callAs = async (id: string, operation: Operation, call: EndpointCall = {}, workspaceId?: string) => {
    const headers = {
      cookie: await signInCookie(server, id),
      origin,
      ...(workspaceId === undefined ? {} : { 'waystation-workspace': workspaceId })
    }
    const response = await requestEndpoint(operation, { ...call, headers })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return { ...server, callAs }
}

test('an owner creates a workspace, owns it, renames it, and sees nothing of the other one in it', async () => {
  const { callAs, sql } = await startWithUsers({ ada: 'owner', ben: 'editor' })
  const agent = { agentId: 'helper', displayName: 'Helper' }
  expect((await callAs('ada', agentOperations.create, { body: agent })).status).toBe(201)
  const { status, body } = await callAs('ada', create, { body: { name: '  Support  ' } })
  expect({ status, body }).toEqual({ status: 201, body: { id: expect.any(String), name: 'Support' } })
  const id = String(body.id)
  expect((await callAs('ada', list)).body).toEqual({
    workspaces: [
      { id: 'default', name: 'Workspace', current: true },
      { id, name: 'Support', current: false }
    ]
  })
  expect((await callAs('ada', agentOperations.get, { params: { agentId: 'helper' } }, id)).status).toBe(404)
  const renamed = await callAs('ada', update, { body: { name: 'Help desk' } }, id)
  expect(renamed.body).toMatchObject({ id, name: 'Help desk' })
  expect(await sql`select action, actor from audit where workspace_id = ${id} order by id`).toEqual([
    { action: 'workspace.created', actor: 'ada' },
    { action: 'workspace.renamed', actor: 'ada' }
  ])
  // Another member of the first workspace is in the new one only after an invitation.
  expect((await callAs('ben', list)).body).toMatchObject({ workspaces: [{ id: 'default' }] })
  expect((await callAs('ben', list, {}, id)).status).toBe(401)
  expect((await callAs('ben', create, { body: { name: 'Mine' } })).status).toBe(403)
  for (const name of ['', ' ', 'x'.repeat(81)])
    expect((await callAs('ada', create, { body: { name } })).status, name).toBe(422)
})

test('a key that creates a workspace receives its first key, which can do everything there', async () => {
  await startTestServer()
  const made = await callEndpoint(create, { body: { name: 'Tenant' } })
  const { id, key } = made.body as CreatedWorkspace
  expect(made).toMatchObject({ status: 201, body: { name: 'Tenant', key: { key: { role: 'owner' } } } })
  const secret = key?.secret ?? ''
  expect((await callEndpoint(list, {}, secret)).body).toEqual({
    workspaces: [{ id, name: 'Tenant', current: true }]
  })
  const agent = { agentId: 'own', displayName: 'Own' }
  expect((await callEndpoint(agentOperations.create, { body: agent }, secret)).status).toBe(201)
  expect((await callEndpoint(agentOperations.get, { params: { agentId: 'own' } })).status).toBe(404)
})

test('an owner deletes a workspace with its name: access ends at once, and then its data is gone', async () => {
  const { callAs, sql, ctx } = await startWithUsers({ ada: 'owner' })
  const id = String((await callAs('ada', create, { body: { name: 'Gone soon' } })).body.id)
  const inIt = (operation: Operation, call: EndpointCall = {}) => callAs('ada', operation, call, id)
  await inIt(agentOperations.create, { body: { agentId: 'helper', displayName: 'Helper' } })
  await inIt(sessionOperations.create, { body: { agentId: 'helper', sessionId: 's' } })
  await inIt(secretOperations.save, { params: { name: 'key' }, body: { value: 'v' } })
  await inIt(modelOperations.save, { params: { name: 'mistral' }, body: { values: { apiKey: 'k' } } })
  expect(await inIt(remove, { query: { name: 'gone soon' } })).toMatchObject({
    status: 422,
    body: { fields: { name: expect.any(String) } }
  })
  expect((await inIt(sessionOperations.get, { params: { sessionId: 's' } })).status).toBe(200)
  expect(await inIt(remove, { query: { name: 'Gone soon' } })).toMatchObject({ status: 200, body: { id } })
  expect((await inIt(sessionOperations.get, { params: { sessionId: 's' } })).status).toBe(401)
  expect((await callAs('ada', list)).body).toMatchObject({ workspaces: [{ id: 'default' }] })
  expect(await sql`select from workspace_secrets`).toEqual([])
  expect(await sql`select from model_providers`).toEqual([])
  await deleteWorkspaces(ctx)
  expect(await sql`select from workspaces where id = ${id}`).toEqual([])
  expect(await tablesWith(sql, id)).toEqual([])
})

test('the workspace that every server has cannot be deleted, nor one that a file names', async () => {
  const { ctx, sql } = await startTestServer()
  await updateWorkspace(ctx, { name: 'Main' })
  expect(await callEndpoint(remove, { query: { name: 'Main' } })).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT' }
  })
  const { key } = (await callEndpoint(create, { body: { name: 'Filed' } })).body as CreatedWorkspace
  await sql`update workspaces set in_file = true where name = 'Filed'`
  const filed = await callEndpoint(remove, { query: { name: 'Filed' } }, key?.secret)
  expect(filed).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
})

test('a deleted workspace leaves no row in any table, even if its sessions used every feature', async () => {
  const server = await startFullServer()
  const { session } = await createFullSession(server, 'lived')
  const acme = await createExternalSession(server, 'order-1')
  const { sql, ctx } = server
  const columns = await sql<{ name: string; column: string }[]>`
    select table_schema || '.' || table_name as name, column_name as column from information_schema.columns
    where column_name in ('workspace_id', 'session_key') and table_schema = 'public'`
  const tables = await tablesOf(sql)
  const left = async () => {
    const names: string[] = []
    for (const { name, column } of columns.filter(({ name }) => tables.includes(name))) {
      const ids = column === 'workspace_id' ? ['default'] : [String(session.key), String(acme.key)]
      const [row] =
        await sql`select from ${sql(name)} where ${sql(column)}::text = any(${ids}::text[]) limit 1`
      if (row !== undefined) names.push(name)
    }
    return [...new Set(names)]
  }
  expect((await left()).length).toBeGreaterThan(20)
  await sql`update workspaces set deleted_at = clock_timestamp() where id = 'default'`
  await deleteWorkspaces(ctx)
  expect(await left()).toEqual([])
  expect(await tablesWith(sql, secretWord)).toEqual([])
})
