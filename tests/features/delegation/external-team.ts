import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { vi } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import type { Operation } from '#lib/http/operation.ts'
import { type ExternalRequest, startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/** A message as an external agent receives it. */
export type Received = {
  sessionId: string
  agentId: string
  callbackUrl: string
  finishUrl?: string
  task?: { parentSessionId: string; toolCallId: string; deadline: string }
  message: Record<string, unknown>
  history?: { role: string; text: string }[]
}

export const bodyOf = ({ body }: ExternalRequest): Received => JSON.parse(body)

/**
 * Returns a session of the agent `reception`, which can use the tools and hand off to `acme`, an external agent.
 * `received` resolves with the message at this index that Acme receives.
 */
export async function teamWithAcme(
  options: Parameters<typeof startTestServer>[0] = {},
  {
    tools = [] as object[],
    answer,
    retries = 0,
    history = 0
  }: {
    tools?: object[]
    answer?: Parameters<typeof startExternalSystem>[0]
    retries?: number
    history?: number
  } = {}
) {
  const externalSystem = await startExternalSystem(answer)
  const server = await startTestServer({
    ...options,
    settings: { WAYSTATION_EGRESS_ALLOW: externalSystem.host, ...options?.settings }
  })
  const external = { inputUrl: `${externalSystem.url}/in`, retries, history }
  for (const config of [
    { agentId: 'reception', displayName: 'Reception', chat: { tools, handoffs: ['acme', 'billing'] } },
    { agentId: 'billing', displayName: 'Billing' },
    { agentId: 'acme', displayName: 'Acme', type: 'external', external }
  ])
    await createAgent(server.ctx, AgentConfig.parse(config))
  const session = await server.startSession('reception')
  const received = async (index: number) => bodyOf(await externalSystem.request(index))
  return { ...server, externalSystem, session, received }
}

/** Sends a body to a link of an external agent, as the agent would: without a key. */
export async function post(
  operation: Operation,
  link: string,
  raw: string,
  headers: Record<string, string> = {}
): Promise<{ status: number; body: Record<string, unknown> }> {
  const { pathname, searchParams } = new URL(link)
  const response = await requestEndpoint(operation, {
    params: { sessionId: pathname.split('/')[3] ?? '' },
    query: Object.fromEntries(searchParams),
    raw,
    headers
  })
  return { status: response.status, body: await response.json() }
}

/** Repeats an assertion until it passes. Jobs of other tests can delay the result. */
export const eventually = (assertion: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(assertion, { timeout: 20_000, interval: 100 })
