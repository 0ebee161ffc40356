import { agentOperations } from '#lib/http/operations/agents.ts'
import { callEndpoint } from '#tests/support/worlds/call-endpoint.ts'

type Body = Record<string, unknown>

/** An agent behind its endpoints: what its callers may ask of it, each with the status and the body that came back. */
export const agentAt = (agentId: string) => {
  const at = (more: Record<string, string> = {}) => ({ params: { agentId, ...more } })
  return {
    create: (config: Body = {}) =>
      callEndpoint(agentOperations.create, { body: { ...named(agentId), ...config } }),
    get: () => callEndpoint(agentOperations.get, at()),
    put: (config: Body, secret?: string) =>
      callEndpoint(agentOperations.update, { ...at(), body: { ...named(agentId), ...config } }, secret),
    history: async () => {
      const { body } = await callEndpoint(agentOperations.revisions, at())
      return body.revisions as { revision: number; savedBy: string; note?: string; source: string }[]
    },
    revision: (revision: number) =>
      callEndpoint(agentOperations.revision, at({ revision: String(revision) })),
    restore: (revision: number, body: Body) =>
      callEndpoint(agentOperations.restore, { ...at({ revision: String(revision) }), body }),
    draft: () => callEndpoint(agentOperations.draft, at()),
    save: (config: Body, more: Body) =>
      callEndpoint(agentOperations.saveDraft, {
        ...at(),
        body: { config: { ...named(agentId), ...config }, ...more }
      }),
    discard: (version?: number) =>
      callEndpoint(agentOperations.discardDraft, {
        ...at(),
        ...(version === undefined ? {} : { query: { version: String(version) } })
      }),
    publish: (body: Body, secret?: string) =>
      callEndpoint(agentOperations.publish, { ...at(), body }, secret),
    diff: (query: Record<string, string> = {}) => callEndpoint(agentOperations.compare, { ...at(), query })
  }
}

const named = (agentId: string) => ({ agentId, displayName: 'Helper' })
