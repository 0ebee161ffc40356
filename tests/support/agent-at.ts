import { agentOperations } from '#lib/http/operations/agents.ts'
import { ask } from '#tests/support/doors.ts'

type Body = Record<string, unknown>

/** An agent at its doors: what its callers may ask of it, each with the status and the body that came back. */
export const agentAt = (agentId: string) => {
  const at = (more: Record<string, string> = {}) => ({ params: { agentId, ...more } })
  return {
    create: (config: Body = {}) => ask(agentOperations.create, { body: { ...named(agentId), ...config } }),
    get: () => ask(agentOperations.get, at()),
    put: (config: Body, secret?: string) =>
      ask(agentOperations.update, { ...at(), body: { ...named(agentId), ...config } }, secret),
    history: async () => {
      const { body } = await ask(agentOperations.revisions, at())
      return body.revisions as { revision: number; savedBy: string; note?: string; source: string }[]
    },
    revision: (revision: number) => ask(agentOperations.revision, at({ revision: String(revision) })),
    restore: (revision: number, body: Body) =>
      ask(agentOperations.restore, { ...at({ revision: String(revision) }), body }),
    draft: () => ask(agentOperations.draft, at()),
    save: (config: Body, more: Body) =>
      ask(agentOperations.saveDraft, {
        ...at(),
        body: { config: { ...named(agentId), ...config }, ...more }
      }),
    discard: (version?: number) =>
      ask(agentOperations.discardDraft, {
        ...at(),
        ...(version === undefined ? {} : { query: { version: String(version) } })
      }),
    publish: (body: Body, secret?: string) => ask(agentOperations.publish, { ...at(), body }, secret),
    diff: (query: Record<string, string> = {}) => ask(agentOperations.compare, { ...at(), query })
  }
}

const named = (agentId: string) => ({ agentId, displayName: 'Helper' })
