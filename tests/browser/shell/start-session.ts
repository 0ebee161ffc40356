import type { Api } from '#tests/browser/test.ts'

/** Starts a session of the agent that every workspace has. */
export const startSession = (api: Api, sessionId: string, title?: string) =>
  api('POST', '/api/plugins/sessions/operations/create', { agentId: 'guide', sessionId, title })
