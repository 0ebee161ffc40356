import { ReferenceTool } from '@waystation/protocol/agent/agent.ts'
import type { CatalogueEntry, CatalogueItem } from '@waystation/protocol/agent/catalogue.ts'
import type { ListedTool } from '@waystation/protocol/agent/listed-tool.ts'
import { expect, test } from 'vitest'
import { lookupIn } from '#lib/agents/embeds/lookup.ts'
import { resolveEmbeds } from '#lib/agents/embeds/resolve.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import { catalogueOperations } from '#lib/http/operations/catalogue.ts'
import { checkBySchema } from '#lib/kernel/check-by-schema.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

async function listCatalogue() {
  const { body } = await callEndpoint(catalogueOperations.list)
  return (body as { entries: CatalogueItem[] }).entries
}
const entry = async (slug: string) =>
  (await callEndpoint(catalogueOperations.get, { params: { slug } })).body as CatalogueEntry

test('002-6: each executable entry has one field that says where it runs, the same in the list and in the entry', async () => {
  await startTestServer()
  const entries = await listCatalogue()
  for (const item of entries) {
    expect(item.where !== undefined, item.slug).toBe(item.kind === 'tool')
    const { data, ...whole } = await entry(item.slug)
    expect(whole).toEqual(item)
    const { tool } = data.parameters as { tool?: { where: string } }
    expect(tool?.where, item.slug).toBe(item.where)
  }
  const { body } = await callEndpoint(agentOperations.tools)
  for (const tool of (body as { tools: ListedTool[] }).tools)
    expect(entries.find(({ slug }) => slug === tool.name)).toMatchObject(tool)
  expect(entries.find(({ slug }) => slug === '__ag__request_connection')).toMatchObject({
    uri: 'client:tool:request_connection:v0',
    kind: 'tool',
    where: 'browser',
    embeddable: true
  })
  expect((await callEndpoint(catalogueOperations.get, { params: { slug: 'none' } })).status).toBe(404)
})

test('002-7: request_connection has nothing to run: no method, path or URL, only what the browser shows', async () => {
  const { ctx } = await startTestServer()
  const { data } = await entry('__ag__request_connection')
  const { tool } = data.parameters as { tool: ReferenceTool }
  expect(ReferenceTool.parse(tool)).toEqual(tool)
  expect(Object.keys(tool).sort()).toEqual(
    ['description', 'inputSchema', 'name', 'outputSchema', 'render', 'title', 'where'].sort()
  )
  expect(tool.render).toEqual({ kind: 'connect' })

  const accepts = async (input: object) => (await checkBySchema(ctx, tool.inputSchema, input)).ok
  expect(await accepts({ integration: 'github' })).toBe(true)
  expect(await accepts({ integration: 'github', slug: 'work', mode: 'api_key' })).toBe(true)
  expect(await accepts({})).toBe(false)
  expect(await accepts({ integration: 'github', mode: 'password' })).toBe(false)
  expect(await accepts({ integration: 'github', token: 's' })).toBe(false)
  const connectedOutput = { connected: true, integration: 'github', slug: 'github' }
  expect(await checkBySchema(ctx, tool.outputSchema, connectedOutput)).toEqual({
    ok: true,
    value: connectedOutput
  })
  expect((await checkBySchema(ctx, tool.outputSchema, { ...connectedOutput, token: 'gho_secret' })).ok).toBe(
    false
  )
})

test('002-8: the build kit can be read and not embedded', async () => {
  const { ctx } = await startTestServer()
  expect((await entry('__ag__build_kit')).data).toHaveProperty('parameters.overlay.tools')
  const embed = { '@ag.embed': { '@ag.references': { workflow: { slug: '__ag__build_kit' } } } }
  await expect(resolveEmbeds(embed, { lookup: lookupIn(ctx) })).rejects.toMatchObject({
    kind: 'NotEmbeddable'
  })
})

test('a version that the catalogue does not have is unknown, and an ID equals its URI', async () => {
  const { ctx } = await startTestServer()
  const resolve = (workflow: object) =>
    resolveEmbeds({ '@ag.embed': { '@ag.references': { workflow } } }, { lookup: lookupIn(ctx) })
  const slug = '__ag__connect_first'
  const text = (await entry(slug)).data
  expect(await resolve({ slug })).toEqual(text)
  expect(await resolve({ slug, version: 'v0' })).toEqual(text)
  expect(await resolve({ id: 'server:skill:connect_first:v0' })).toEqual(text)
  for (const unknownReference of [{ slug, version: 'v1' }, { slug, revision: 1 }, { id: slug }])
    await expect(resolve(unknownReference)).rejects.toMatchObject({ kind: 'UnknownReference' })
})
