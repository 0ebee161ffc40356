import type { Api } from '#tests/browser/test.ts'

/** Starts a session of the built-in agent. */
export const startSession = (api: Api, sessionId: string, title?: string) =>
  api('POST', '/api/plugins/sessions/operations/create', { agentId: 'guide', sessionId, title })
