import { begin } from '#lib/connections/begin.ts'
import { fetchAs } from '#lib/connections/fetch-as.ts'
import { integrationFor } from '#lib/connections/integration.ts'
import { saveIntegration } from '#lib/connections/integrations.ts'
import { ConnectionNeeded } from '#lib/kernel/connection-needed.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { readEnv } from '#lib/kernel/env.ts'
import { ctxFor } from '#lib/kernel/house.ts'
import { withMcp } from '#lib/net/mcp.ts'
import { endedAttempt, returnConnect } from '#lib/sessions/return-connect.ts'
import { visitConnect } from '#lib/sessions/visit-connect.ts'
import { startWorld } from '#lib/world.ts'

/**
 * The client that `@modelcontextprotocol/conformance` runs, one process for each scenario: an MCP server is saved as an
 * integration, its tools are listed and called, and whenever that lacks an account, one is connected through the doors that
 * people use. Of their browser only the redirects are played. `DATABASE_URL`: an empty, seeded database.
 */
const url = process.argv.at(-1) ?? ''
const known = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as {
  client_id?: string
  client_secret?: string
}
const origin = 'https://conformance-test.local'
const browser = 'the one browser'

const world = await startWorld({
  ...readEnv({
    WAYSTATION_URL: origin,
    WAYSTATION_API_KEY: 'a-key-for-tests-only',
    AUTH_SECRET: 'a secret of thirty-two characters',
    WAYSTATION_VAULT_KEY: Buffer.alloc(32).toString('base64'),
    WAYSTATION_EGRESS_ALLOW: 'localhost'
  }),
  databaseUrl: process.env.DATABASE_URL ?? ''
})
const ctx = ctxFor({ kind: 'key', keyId: 'one', name: 'One', role: 'owner', workspaceId: 'default' })
const integration = `scenario-${process.pid}`
try {
  await saveIntegration(ctx, {
    integration,
    config: {
      service: 'Conformance',
      mcp: { url, ...(known.client_id === undefined ? {} : { clientId: known.client_id }) }
    },
    ...(known.client_secret === undefined ? {} : { clientSecret: known.client_secret })
  })
  await callTools(ctx)
} finally {
  await world.stop()
}
process.exit(0)

async function callTools(ctx: Ctx): Promise<void> {
  const fetch = fetchAs(ctx, { sessionKey: 0, generation: 0 }, ctx.ports.fetch)(integration)
  for (;;) {
    try {
      await withMcp({ url, fetch, signal: AbortSignal.timeout(20_000) }, async talk => {
        const tools = (await talk.listTools()) as { name: string }[]
        for (const { name } of tools) await talk.callTool(name, {})
      })
      return
    } catch (error) {
      if (!(error instanceof ConnectionNeeded)) throw error
      await connect(ctx, error.ask.scopes)
    }
  }
}

async function connect(ctx: Ctx, scopes: readonly string[] | undefined): Promise<void> {
  const visitor = { browser, personIn: () => Promise.resolve(null) }
  const begun = await begin(ctx, {
    sharing: 'workspace',
    owner: '',
    ownerName: 'the workspace',
    integration: await integrationFor(ctx, integration),
    slug: integration,
    scopes,
    opener: origin
  })
  const step = await visitConnect(ctx, begun.url.split('/').at(-1) ?? '', visitor, true)
  if (step.kind === 'go') {
    const consent = await fetch(step.url, { redirect: 'manual' })
    await returnConnect(ctx, new URL(consent.headers.get('location') ?? ''), visitor)
  }
  const ended = await endedAttempt(ctx, begun.attemptId, browser)
  if (!ended?.outcome?.connected) throw new Error(ended?.outcome?.words ?? 'Not connected.')
}
