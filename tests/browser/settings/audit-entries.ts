import { type Api, expect } from '#tests/browser/test.ts'

type Seen = { session: { status: string }; messages: { id: string }[] }

/** Creates a session and branches it, which adds an entry to the audit log. Returns the ID of its branch. */
export async function branchOnce(api: Api, sessionId: string, title: string): Promise<string> {
  await api('POST', '/api/plugins/sessions/operations/create', { agentId: 'guide', sessionId, title })
  await api('POST', `/api/sessions/${sessionId}/messages`, { text: 'say hello' })
  const read = () => api<Seen>('GET', `/api/sessions/${sessionId}`)
  await expect.poll(async () => (await read()).messages.length).toBe(2)
  await expect.poll(async () => (await read()).session.status).toBe('idle')
  const [message] = (await read()).messages
  const path = `/api/sessions/${sessionId}/turns/${message!.id}/branch`
  const { sessionId: branchId } = await api<{ sessionId: string }>('POST', path, {})
  return branchId
}

/** Entries as the server lists them, for pages without a server behind them. */
export const auditEntry = (id: number, more: object = {}) => ({
  id,
  at: '2026-03-12T14:02:05.000Z',
  sessionId: `order-${id}`,
  sessionTitle: `Order ${id}`,
  action: 'message.injected',
  actor: 'Acme',
  credential: 'link',
  messageId: `msg_${id}`,
  toolCallId: null,
  toolName: null,
  pattern: null,
  ...more
})

/** A call that a tool rule denied in a session that was deleted. */
export const deniedCall = (id: number) =>
  auditEntry(id, {
    action: 'call.denied',
    sessionTitle: null,
    actor: 'approval policy',
    credential: 'rule',
    toolCallId: 'call_1',
    toolName: 'send-email',
    pattern: '"to":"[^"]*@evil\\.example"'
  })
