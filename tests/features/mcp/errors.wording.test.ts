import { expect, test } from 'vitest'
import { protectedResource } from '#lib/connections/mcp/protected-resource.ts'
import { serveMcp } from '#tests/support/fakes/serve-mcp.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

test('why nobody can be asked for consent at an MCP server is told in a sentence', async () => {
  const { ctx } = await testWorld({ settings: { WAYSTATION_EGRESS_ALLOW: '127.0.0.1' } })
  const { url, told } = await serveMcp('https://login.example')
  const { resource } = told.metadata
  for (const [metadata, sentence] of [
    [
      { resource: 'https://evil.example/mcp', authorization_servers: ['https://login.example'] },
      `Shop says that it is https://evil.example/mcp, which is not ${url}: nothing is asked for it.`
    ],
    [{ resource }, 'Shop names no authorization server (RFC 9728).'],
    [{ resource, authorization_servers: ['login'] }, 'Shop names no authorization server (RFC 9728).']
  ] as const) {
    told.metadata = metadata
    await expect(protectedResource(ctx, 'Shop', url)).rejects.toThrow(sentence)
  }
  await expect(protectedResource(ctx, 'Shop', url.replace('/mcp', '/other'))).rejects.toThrow(
    'Shop does not say who gives tokens for it (RFC 9728), so nobody can be asked for consent.'
  )
})
