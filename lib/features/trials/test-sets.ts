import { invalid, notFound } from '@waystation/base/api-error.ts'
import { newId } from '@waystation/base/ids.ts'
import type { InAgent } from '@waystation/protocol/agent/agent.ts'
import {
  type AddTestMessage,
  type CreateTestSet,
  type InTestSet,
  maxTestMessages,
  maxTestSets,
  type SaveTestSet,
  type TestSet
} from '@waystation/protocol/agent/test-set.ts'
import { inTransaction } from '#db/transaction.ts'
import { agentFor } from '#lib/agents/agent-for.ts'
import { lockAgent } from '#lib/agents/draft-state.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { redacted } from '#lib/kernel/redact.ts'

const columns = ({ sql }: Ctx) => sql`id, agent_id, name, messages, saved_by, saved_at`

/** Lists an agent's test sets by name. Throws `NOT_FOUND` for an unknown agent. */
export async function listTestSets(ctx: Ctx, { agentId }: InAgent): Promise<{ testSets: TestSet[] }> {
  await agentFor(ctx, agentId)
  const testSets = await ctx.sql<TestSet[]>`
    select ${columns(ctx)} from test_sets
    where workspace_id = ${ctx.workspaceId} and agent_id = ${agentId} order by lower(name), id`
  return { testSets }
}

/** Returns a test set. Throws `NOT_FOUND`. */
export async function getTestSet(ctx: Ctx, { agentId, testSetId }: InTestSet): Promise<TestSet> {
  const [found] = await ctx.sql<TestSet[]>`
    select ${columns(ctx)} from test_sets
    where workspace_id = ${ctx.workspaceId} and agent_id = ${agentId} and id = ${testSetId}`
  if (found === undefined) throw notFound('test set', testSetId)
  return found
}

/** Creates a test set. Throws `INVALID_INPUT` if the agent has too many. */
export async function createTestSet(ctx: Ctx, { agentId, name, messages }: CreateTestSet): Promise<TestSet> {
  return inTransaction(ctx, async tx => {
    await lockAgent(tx, agentId)
    const { testSets } = await listTestSets(tx, { agentId })
    if (testSets.length >= maxTestSets)
      throw invalid(`An agent can have up to ${maxTestSets} test sets. Delete one first.`)
    const testSetId = newId('set')
    await tx.sql`
      insert into test_sets (workspace_id, id, agent_id, name, messages, saved_by)
      values (${tx.workspaceId}, ${testSetId}, ${agentId}, ${name}, ${asStored(tx, messages)}::jsonb, ${tx.actor.name})`
    return getTestSet(tx, { agentId, testSetId })
  })
}

/** Replaces the name and the messages of a test set. Throws `NOT_FOUND`. */
export async function saveTestSet(ctx: Ctx, { name, messages, ...inSet }: SaveTestSet): Promise<TestSet> {
  const [saved] = await ctx.sql<TestSet[]>`
    update test_sets set name = ${name}, messages = ${asStored(ctx, messages)}::jsonb, saved_by = ${ctx.actor.name},
      saved_at = clock_timestamp()
    where workspace_id = ${ctx.workspaceId} and agent_id = ${inSet.agentId} and id = ${inSet.testSetId}
    returning ${columns(ctx)}`
  if (saved === undefined) throw notFound('test set', inSet.testSetId)
  return saved
}

/** Adds a message to the end of a test set, unless it is there. Throws `INVALID_INPUT` if the set is full. */
export async function addTestMessage(ctx: Ctx, { text, ...inSet }: AddTestMessage): Promise<TestSet> {
  return inTransaction(ctx, async tx => {
    await tx.sql`select from test_sets where workspace_id = ${tx.workspaceId} and id = ${inSet.testSetId} for update`
    const { name, messages } = await getTestSet(tx, inSet)
    if (messages.includes(text)) return getTestSet(tx, inSet)
    if (messages.length >= maxTestMessages)
      throw invalid(`A test set can have up to ${maxTestMessages} messages. Create another one.`)
    return saveTestSet(tx, { ...inSet, name, messages: [...messages, text] })
  })
}

/** Deletes a test set with its runs. The trial sessions of the runs are deleted like all trials. */
export async function deleteTestSet(ctx: Ctx, inSet: InTestSet): Promise<{ testSetId: string }> {
  await getTestSet(ctx, inSet)
  await ctx.sql`delete from test_sets where workspace_id = ${ctx.workspaceId} and id = ${inSet.testSetId}`
  return { testSetId: inSet.testSetId }
}

/** Returns the messages as stored: redacted, each once. */
const asStored = (ctx: Ctx, messages: readonly string[]): string[] => [
  ...new Set(messages.map(text => redacted(ctx, 'message', text)))
]
