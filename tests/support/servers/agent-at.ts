import { agentOperations } from '#lib/http/operations/agents.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'

type Body = Record<string, unknown>

/** Calls the endpoints of an agent. Each function returns the status and the body of the response. */
export const agentAt = (agentId: string) => {
  const withParams = (more: Record<string, string> = {}) => ({ params: { agentId, ...more } })
  return {
    create: (config: Body = {}) =>
      callEndpoint(agentOperations.create, { body: { ...withId(agentId), ...config } }),
    get: () => callEndpoint(agentOperations.get, withParams()),
    put: (config: Body, secret?: string) =>
      callEndpoint(
        agentOperations.update,
        { ...withParams(), body: { ...withId(agentId), ...config } },
        secret
      ),
    history: async () => {
      const { body } = await callEndpoint(agentOperations.revisions, withParams())
      return body.revisions as { revision: number; savedBy: string; note?: string; source: string }[]
    },
    revision: (revision: number) =>
      callEndpoint(agentOperations.revision, withParams({ revision: String(revision) })),
    restore: (revision: number, body: Body) =>
      callEndpoint(agentOperations.restore, { ...withParams({ revision: String(revision) }), body }),
    draft: () => callEndpoint(agentOperations.draft, withParams()),
    save: (config: Body, more: Body) =>
      callEndpoint(agentOperations.saveDraft, {
        ...withParams(),
        body: { config: { ...withId(agentId), ...config }, ...more }
      }),
    discard: (version?: number) =>
      callEndpoint(agentOperations.discardDraft, {
        ...withParams(),
        ...(version === undefined ? {} : { query: { version: String(version) } })
      }),
    publish: (body: Body, secret?: string) =>
      callEndpoint(agentOperations.publish, { ...withParams(), body }, secret),
    diff: (query: Record<string, string> = {}) =>
      callEndpoint(agentOperations.compare, { ...withParams(), query })
  }
}

const withId = (agentId: string) => ({ agentId, displayName: 'Helper' })
