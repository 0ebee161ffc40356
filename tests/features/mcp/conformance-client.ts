import { withMcp } from '@waystation/mcp-client'
import { fetchAs } from '#lib/features/connections/fetch-as.ts'
import { integrationFor } from '#lib/features/connections/integration.ts'
import { saveIntegration } from '#lib/features/connections/integrations.ts'
import { endedAttempt, returnConnect } from '#lib/features/connections/return-connect.ts'
import { startAttempt } from '#lib/features/connections/start-attempt.ts'
import { visitConnect } from '#lib/features/connections/visit-connect.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ConnectionNeeded } from '#lib/kernel/ports/connection-needed.ts'

/** The input of a scenario: the server’s URL, and a registered client if there is one. */
export type Scenario = { url: string; context: { client_id?: string; client_secret?: string } }

type ListedTool = { name: string; inputSchema?: { properties?: Record<string, { type?: string }> } }

/** The origin of our client document and redirect URL. The suite identifies this client by it. */
export const conformanceOrigin = 'https://conformance-test.local'
const browser = 'the one browser'

/**
 * Plays the client of a scenario: saves the server as an integration, lists its tools and calls each. Connects
 * an account whenever one is missing, and simulates only the redirects of the browser.
 */
export async function playScenario(ctx: Ctx, integration: string, { url, context }: Scenario): Promise<void> {
  await saveIntegration(ctx, {
    integration,
    config: {
      service: 'Conformance',
      mcp: { url, ...(context.client_id === undefined ? {} : { clientId: context.client_id }) }
    },
    ...(context.client_secret === undefined ? {} : { clientSecret: context.client_secret })
  })
  const fetch = fetchAs(ctx, { sessionKey: 0, generation: 0, account: null }, ctx.ports.fetch)(integration)
  for (;;) {
    try {
      await withMcp({ url, fetch, signal: AbortSignal.timeout(20_000) }, async client => {
        for (const tool of (await client.listTools()) as ListedTool[])
          await client.callTool(tool.name, inputFor(tool))
      })
      return
    } catch (error) {
      if (!(error instanceof ConnectionNeeded)) throw error
      await connect(ctx, integration, error.ask.scopes)
    }
  }
}

const inputFor = ({ inputSchema }: ListedTool) =>
  Object.fromEntries(
    Object.entries(inputSchema?.properties ?? {}).map(([name, { type }]) => [
      name,
      type === 'number' ? 1 : ''
    ])
  )

async function connect(ctx: Ctx, integration: string, scopes: readonly string[] | undefined): Promise<void> {
  const visitor = { browser, personIn: () => Promise.resolve(null) }
  const attempt = await startAttempt(ctx, {
    sharing: 'workspace',
    owner: '',
    ownerName: 'the workspace',
    integration: await integrationFor(ctx, integration),
    slug: integration,
    scopes,
    opener: conformanceOrigin
  })
  const step = await visitConnect(ctx, attempt.url.split('/').at(-1) ?? '', visitor, true)
  if (step.kind === 'go') {
    const consent = await fetch(step.url, { redirect: 'manual' })
    await returnConnect(ctx, new URL(consent.headers.get('location') ?? ''), visitor)
  }
  const ended = await endedAttempt(ctx, attempt.attemptId, browser)
  if (!ended?.outcome?.connected) throw new Error(ended?.outcome?.words ?? 'Not connected.')
}
