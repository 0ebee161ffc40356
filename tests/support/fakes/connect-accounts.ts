import type { Call } from '@waystation/protocol/call/call.ts'
import type { ConnectMode } from '@waystation/protocol/connection/connection.ts'
import type { CallEvent, SessionEvent } from '@waystation/protocol/session/event.ts'
import { connectCall } from '#lib/features/connections/connect-call.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { Browser } from '#tests/support/browser/browser.ts'
import { completeFlow } from '#tests/support/fakes/connect-acme.ts'
import type { ModelScript } from '#tests/support/fakes/openai-server.ts'
import { serveConnect } from '#tests/support/fakes/serve-connect.ts'
import { startTestServer, type TestSession } from '#tests/support/servers/test-server.ts'

/**
 * Starts a server in local mode with its connection pages and Acme, and a session of the agent for Acme's orders.
 */
export async function withAcme(settings: Record<string, string> = {}, script?: ModelScript) {
  const url = await serveConnect()
  const server = await startTestServer({
    settings: { WAYSTATION_URL: url, ...settings },
    ...(script === undefined ? {} : { script })
  })
  return { ...server, origin: url, session: await server.startSession('acme-clerk') }
}

/** Waits until a call of this tool requests an account. */
export const waitForConnectionCall = async (session: TestSession, toolName: string): Promise<Call> => {
  const isConnectionCall = (event: SessionEvent): event is CallEvent & SessionEvent =>
    event.type === 'call' && event.call.toolName === toolName && event.call.kind === 'connection'
  return (await session.waitForEvent(isConnectionCall)).call
}

/**
 * Starts the connection that a call requests, like the server of an embedding product would. The URL is for a
 * browser.
 */
export async function begin(
  ctx: Ctx,
  session: TestSession,
  { toolCallId }: Pick<Call, 'toolCallId'>,
  mode?: ConnectMode,
  again?: boolean
) {
  const { url, attemptId } = await connectCall(ctx, { sessionId: session.id, toolCallId, mode, again })
  return { attemptId, url: `${url}?go` }
}

/** Connects the account at Acme like a user who confirms, in the user's own browser. */
export async function connectAt(
  { ctx, origin }: { ctx: Ctx; origin: string },
  session: TestSession,
  call: Pick<Call, 'toolCallId'>,
  how: { answer?: 'allow' | 'deny'; browser?: Browser; again?: boolean } = {}
) {
  const { browser = new Browser(origin), answer = 'allow', again } = how
  const { url } = await begin(ctx, session, call, undefined, again)
  return completeFlow(browser, url, { answer })
}
