import type { Metadata } from 'next'
import { TestSetsPage } from '#components/compare/test-sets-page.tsx'
import { knownModels } from '#components/forms/known-models.ts'
import { getAgent } from '#lib/agents/get.ts'
import { getDraft } from '#lib/agents/get-draft.ts'
import { listRevisions } from '#lib/agents/revisions.ts'
import { orNotFound } from '#lib/auth/or-not-found.ts'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { listModels } from '#lib/features/models/providers.ts'
import { listTestRuns } from '#lib/features/trials/test-runs.ts'
import { listTestSets } from '#lib/features/trials/test-sets.ts'

export const metadata: Metadata = { title: 'Test sets' }

type Props = { params: Promise<{ agentId: string }>; searchParams: Promise<{ set?: string }> }

export default async function TestSets({ params, searchParams }: Props) {
  const ctx = await requireSignIn()
  const { agentId } = await params
  const { set: chosen } = await searchParams
  const [agent, { testSets }, { revisions }, { draft }, models] = await orNotFound(
    Promise.all([
      getAgent(ctx, { agentId }),
      listTestSets(ctx, { agentId }),
      listRevisions(ctx, { agentId }),
      getDraft(ctx, { agentId }),
      listModels(ctx, {})
    ])
  )
  const set = testSets.find(({ id }) => id === chosen)
  return (
    <TestSetsPage
      agent={{ agentId, displayName: agent.displayName }}
      testSets={testSets}
      open={set && { set, runs: (await listTestRuns(ctx, { agentId, testSetId: set.id })).runs }}
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
