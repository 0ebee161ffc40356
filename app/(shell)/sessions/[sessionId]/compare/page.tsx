import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { ComparePage } from '#components/agents/compare/compare-page.tsx'
import { trialsIn } from '#components/agents/compare/compare-path.ts'
import { knownModels } from '#components/forms/known-models.ts'
import { sessionTitle } from '#components/session/wording/session-title.ts'
import { getAgent } from '#lib/agents/get.ts'
import { getDraft } from '#lib/agents/get-draft.ts'
import { listRevisions } from '#lib/agents/revisions.ts'
import { orNotFound } from '#lib/auth/or-not-found.ts'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { listModels } from '#lib/features/models/providers.ts'
import { getTurnView } from '#lib/features/trials/turn-view.ts'

export const metadata: Metadata = { title: 'Compare' }

type Props = {
  params: Promise<{ sessionId: string }>
  searchParams: Promise<{ message?: string; with?: string | string[] }>
}

export default async function Compare({ params, searchParams }: Props) {
  const ctx = await requireSignIn()
  const { sessionId } = await params
  const { message: messageId, with: chosen = [] } = await searchParams
  if (typeof messageId !== 'string') notFound()
  const trials = trialsIn([chosen].flat())
  const turns = await Promise.all(
    [{ sessionId, messageId }, ...trials].map(turn => orNotFound(getTurnView(ctx, turn)))
  )
  const [original] = turns
  if (original === undefined) notFound()
  const { agentId, title } = original.session
  const [agent, { revisions }, { draft }, models] = await Promise.all([
    orNotFound(getAgent(ctx, { agentId })),
    listRevisions(ctx, { agentId }),
    getDraft(ctx, { agentId }),
    listModels(ctx, {})
  ])
  if (agent.type !== 'chat') notFound()
  return (
    <ComparePage
      key={sessionId}
      turns={turns}
      title={sessionTitle(title, sessionId)}
      agent={{ agentId, displayName: agent.displayName, published: agent.revision }}
      offered={{
        revisions: revisions.flatMap(({ revision, config }) =>
          config.type === 'chat' ? [{ revision, model: config.chat.model }] : []
        ),
        draft: draft?.config.type === 'chat' ? { model: draft.config.chat.model } : undefined,
        models: knownModels(models)
      }}
    />
  )
}
