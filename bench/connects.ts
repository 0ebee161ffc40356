import { Browser } from '#tests/support/browser/browser.ts'
import { answerOfAcme } from '#tests/support/fakes/connect-acme.ts'
import { startServer } from '#tests/support/servers/start-server.ts'
import { now } from './machine.ts'
import { readText } from './read-text.ts'

/**
 * Connects accounts during turns, at the real server over HTTP with its sample provider. Returns the milliseconds
 * from the request that follows the provider's redirect until the first text of the resumed model arrives on the
 * session's stream. In between, the server exchanges the code, encrypts the credential, settles the call and wakes
 * the turn.
 */
export async function measureConnects(databaseUrl: string, count: number): Promise<number[]> {
  const server = await startServer({ DATABASE_URL: databaseUrl, WAYSTATION_LOCAL: 'on' })
  const headers = { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object): Promise<Record<string, string>> => {
    const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
  const browser = new Browser(server.url)
  const lags: number[] = []
  const warm = 3
  try {
    for (let n = 0; n < warm + count; n++) {
      const sessionId = `connects-${n}`
      await post('/api/plugins/sessions/operations/create', { agentId: 'acme-clerk', sessionId })
      await post(`/api/sessions/${sessionId}/messages`, { text: 'connect acme' })
      const streamAbort = new AbortController()
      const stream = await fetch(`${server.url}/api/sessions/${sessionId}/events?after=0`, {
        headers,
        signal: streamAbort.signal
      })
      const events = readText(stream)
      const [, toolCallId = ''] = await events.until(/"toolCallId":"([^"]+)"[^\n]*"kind":"connection"/)
      const { url } = await post(`/api/sessions/${sessionId}/calls/${toolCallId}/connect`, {})
      const callback = await answerOfAcme(browser, `${url}?go`)
      const startedAt = now()
      const response = browser.ask(callback.href)
      await events.until(/"text-delta"/)
      lags.push(now() - startedAt)
      await response
      streamAbort.abort()
    }
    return lags.slice(warm)
  } finally {
    await server.stop()
  }
}
