import { ApiError, invalid, notFound } from '@waystation/base/api-error.ts'
import { newId } from '@waystation/base/ids.ts'
import type {
  InTestRun,
  InTestSet,
  ListedTestRun,
  RunTestSet,
  TestRun
} from '@waystation/protocol/agent/test-set.ts'
import { canonicalJson } from '@waystation/protocol/canonical-json.ts'
import type { TurnRef } from '@waystation/protocol/session/comparison.ts'
import { SendMessage } from '@waystation/protocol/session/session.ts'
import { inTransaction } from '#db/transaction.ts'
import { revisionFor } from '#lib/agents/snapshots.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { getTestSet } from './test-sets.ts'
import { turnResults } from './turn-results.ts'

/** The runs of a test set that are stored. Older ones are deleted. */
const maxRuns = 20

const columns = ({ sql }: Ctx) => sql`id, variants as "with", revisions, started_by, started_at`
type Turns = { text: string; trials: TurnRef[] }[]

/**
 * Runs all messages of a test set on one or two configurations, in one trial session each. One transaction starts all of
 * them, so a run is complete or does not exist, and the queue limits how many work at once. The same key returns the
 * same run.
 */
export async function runTestSet(
  ctx: Ctx,
  { with: variants, key, agentId, testSetId }: RunTestSet
): Promise<ListedTestRun> {
  return inTransaction(ctx, async tx => {
    const { name, messages } = await getTestSet(tx, { agentId, testSetId })
    await tx.sql`select from test_sets where workspace_id = ${tx.workspaceId} and id = ${testSetId} for update`
    const earlier = key === undefined ? undefined : await runWithKey(tx, testSetId, key)
    if (earlier !== undefined) {
      if (canonicalJson(earlier.with) === canonicalJson(variants)) return earlier
      throw new ApiError(
        'KEY_REUSED',
        'This key was already used for a run of other revisions. Use a new key.'
      )
    }
    if (messages.length === 0) throw invalid('This test set has no messages. Add one first.')
    const revisions: number[] = []
    for (const variant of variants) revisions.push(await revisionFor(tx, agentId, variant))
    const turns: Turns = []
    for (const text of messages) {
      const trials: TurnRef[] = []
      for (const revision of revisions) {
        const { sessionId } = await createSession(tx, { agentId, revision, trial: true, title: name })
        const { messageId } = await sendMessage(tx, SendMessage.parse({ sessionId, text }))
        trials.push({ sessionId, messageId })
      }
      turns.push({ text, trials })
    }
    const runId = newId('run')
    await tx.sql`
      insert into test_runs (workspace_id, id, test_set_id, key, variants, revisions, turns, started_by, started_at)
      values (${tx.workspaceId}, ${runId}, ${testSetId}, ${key ?? null}, ${variants}::jsonb, ${revisions}::jsonb, ${turns}::jsonb,
        ${tx.actor.name}, clock_timestamp())`
    await tx.sql`
      delete from test_runs where workspace_id = ${tx.workspaceId} and test_set_id = ${testSetId} and id not in (
        select id from test_runs where workspace_id = ${tx.workspaceId} and test_set_id = ${testSetId}
        order by started_at desc limit ${maxRuns})`
    const { rows: _, ...run } = await storedRun(tx, { testSetId, runId })
    return run
  })
}

async function runWithKey(tx: Ctx, testSetId: string, key: string): Promise<ListedTestRun | undefined> {
  const [run] = await tx.sql<ListedTestRun[]>`
    select ${columns(tx)} from test_runs
    where workspace_id = ${tx.workspaceId} and test_set_id = ${testSetId} and key = ${key}`
  return run
}

/** Lists the last runs of a test set, newest first. */
export async function listTestRuns(ctx: Ctx, inSet: InTestSet): Promise<{ runs: ListedTestRun[] }> {
  await getTestSet(ctx, inSet)
  const runs = await ctx.sql<ListedTestRun[]>`
    select ${columns(ctx)} from test_runs
    where workspace_id = ${ctx.workspaceId} and test_set_id = ${inSet.testSetId} order by started_at desc`
  return { runs }
}

/** Returns a run with the results so far. Throws `NOT_FOUND`. */
export async function getTestRun(ctx: Ctx, { runId, ...inSet }: InTestRun): Promise<TestRun> {
  await getTestSet(ctx, inSet)
  const { rows, ...run } = await storedRun(ctx, { testSetId: inSet.testSetId, runId })
  const results = await turnResults(
    ctx,
    rows.flatMap(({ trials }) => trials)
  )
  const bySession = new Map(results.map(result => [result.sessionId, result]))
  return {
    ...run,
    rows: rows.map(({ text, trials }) => ({
      text,
      results: trials.map(({ sessionId }) => bySession.get(sessionId) ?? null)
    }))
  }
}

async function storedRun(
  ctx: Ctx,
  { testSetId, runId }: { testSetId: string; runId: string }
): Promise<ListedTestRun & { rows: Turns }> {
  const [run] = await ctx.sql<(ListedTestRun & { rows: Turns })[]>`
    select ${columns(ctx)}, turns as rows from test_runs
    where workspace_id = ${ctx.workspaceId} and test_set_id = ${testSetId} and id = ${runId}`
  if (run === undefined) throw notFound('run', runId)
  return run
}
