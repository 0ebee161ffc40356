import { Key } from '@waystation/protocol/idempotency-key.ts'
import { TurnResult, Variant } from '@waystation/protocol/session/comparison.ts'
import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'
import { InAgent } from './agent.ts'

/** The most messages of a test set, and the most test sets of an agent. */
export const maxTestMessages = 50
export const maxTestSets = 50

const Name = z.string().trim().min(1).max(100)
const TestMessage = z.string().trim().min(1).max(8000)
const Messages = z.array(TestMessage).max(maxTestMessages)

/** A list of messages to run on two configurations of an agent. */
export const TestSet = z.object({
  id: z.string(),
  agentId: z.string(),
  name: z.string(),
  messages: z.array(z.string()),
  savedBy: z.string(),
  savedAt: Time
})
export type TestSet = z.infer<typeof TestSet>

export const CreateTestSet = InAgent.extend({ name: Name, messages: Messages.default([]) })
export type CreateTestSet = z.infer<typeof CreateTestSet>

export const InTestSet = InAgent.extend({ testSetId: z.string().max(64) })
export type InTestSet = z.infer<typeof InTestSet>

export const SaveTestSet = InTestSet.extend({ name: Name, messages: Messages })
export type SaveTestSet = z.infer<typeof SaveTestSet>

export const AddTestMessage = InTestSet.extend({ text: TestMessage })
export type AddTestMessage = z.infer<typeof AddTestMessage>

/** Runs all messages on one or two configurations. Each run of a message is a trial session. */
export const RunTestSet = InTestSet.extend({ with: z.array(Variant).min(1).max(2), key: Key.optional() })
export type RunTestSet = z.infer<typeof RunTestSet>

export const InTestRun = InTestSet.extend({ runId: z.string().max(64) })
export type InTestRun = z.infer<typeof InTestRun>

/** A run of a test set. `with` is what was asked for, and `revisions` the revisions that it became. */
export const ListedTestRun = z.object({
  id: z.string(),
  with: z.array(Variant),
  revisions: z.array(z.int()),
  startedBy: z.string(),
  startedAt: Time
})
export type ListedTestRun = z.infer<typeof ListedTestRun>

/** `results` are in the order of `with`. A result is null after its trial session was deleted. */
export const TestRun = ListedTestRun.extend({
  rows: z.array(z.object({ text: z.string(), results: z.array(TurnResult.nullable()) }))
})
export type TestRun = z.infer<typeof TestRun>
