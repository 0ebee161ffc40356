import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { saveIntegration } from '#lib/features/connections/integrations.ts'
import { acmeAt } from '#packages/sample-acme/src/client.ts'
import { Browser } from '#tests/support/browser/browser.ts'
import { startCollector } from '#tests/support/fakes/collector.ts'
import { begin, connectAt, waitForConnectionCall, withAcme } from '#tests/support/fakes/connect-accounts.ts'
import { startFakeService } from '#tests/support/fakes/fake-service.ts'
import { tablesWith } from '#tests/support/servers/full-session.ts'

afterEach(() => vi.unstubAllEnvs())

test('planted secrets are in no log, trace, event, answer or table, even if every step fails', async () => {
  await using collector = await startCollector()
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url)
  const written: string[] = []
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation(chunk => {
    written.push(String(chunk))
    return true
  })
  onTestFinished(() => spy.mockRestore())
  const plantedSecret = 'planted-secret-that-somebody-entered'
  const service = await startFakeService(plantedSecret)
  service.answers = path =>
    path.startsWith('/user') ? { login: 'ada' } : `{"message": "no: ${plantedSecret}"}`
  const server = await withAcme({
    WAYSTATION_EGRESS_ALLOW: '127.0.0.1',
    WAYSTATION_LOG_LEVEL: 'debug',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    WAYSTATION_TRACE_CONTENT: 'on'
  })
  const { session, sql, ctx, origin } = server
  await saveIntegration(ctx, {
    integration: 'entered',
    clientSecret: 'planted-client-secret',
    config: {
      service: 'Entered',
      apiBase: service.url,
      apiKey: {
        fields: [{ name: 'token', label: 'Token' }],
        header: { name: 'authorization', value: 'Bearer {token}' }
      },
      account: { path: 'user', field: 'login' }
    }
  })
  await session.runTurn('use request_connection {"integration": "entered"}')
  const browser = new Browser(origin)
  const { url } = await begin(ctx, session, await waitForConnectionCall(session, 'request_connection'))
  const ended = session.waitForEnd()
  await browser.open(url)
  for (const token of ['a-wrong-planted-secret', plantedSecret])
    await browser.press(new URL(url).pathname, { token })
  await ended

  await session.runTurn('connect acme')
  const { calls } = await session.get()
  const done = session.waitForEnd()
  await connectAt(server, session, calls.findLast(({ state }) => state === 'open')!, { browser })
  await done
  await session.runTurn('use acme-list-orders {}')
  await sql`update connections set expires_at = clock_timestamp() - interval '1 hour'`
  await session.runTurn('use acme-list-orders {}')

  const rows = await sql<
    { id: string; secrets: Record<string, string> }[]
  >`select id, secrets from connections`
  const storedSecrets = rows.flatMap(({ id, secrets }) =>
    Object.entries(secrets).map(([field, text]) =>
      ctx.ports.vault.decrypt(text, `connection default ${id} ${field}`)
    )
  )
  expect(storedSecrets).toHaveLength(3)
  const { clientSecret } = acmeAt(origin, server.env.authSecret)
  const allSecrets = [
    ...storedSecrets,
    plantedSecret,
    'a-wrong-planted-secret',
    'planted-client-secret',
    clientSecret
  ]
  for (const secret of allSecrets) expect(await tablesWith(sql, secret)).toEqual([])
  const promptText = JSON.stringify([session.events, await session.get()])
  await server.stopServer()
  spy.mockRestore()
  for (const secret of allSecrets) {
    expect(written.join('')).not.toContain(secret)
    expect(collector.raw()).not.toContain(secret)
    expect(promptText).not.toContain(secret)
  }
  expect(collector.raw()).toContain('acme-list-orders')
})
