import { ApiError, invalid } from '@waystation/base/api-error.ts'
import {
  AgentConfig,
  type AgentOverlay,
  type ChatAgent,
  type ChatConfig
} from '@waystation/protocol/agent/agent.ts'
import type { ConfigChange } from '@waystation/protocol/agent/comparison.ts'
import { diffConfigs } from '@waystation/protocol/agent/config-diff.ts'
import { CommitRevision, type OwnConfig, revisionIdOf } from '@waystation/protocol/agent/own-config.ts'
import { stripOverlay } from '@waystation/protocol/agent/strip-overlay.ts'
import { commitRevisionTool } from '@waystation/protocol/call/tool-names.ts'
import { canonicalJson } from '@waystation/protocol/canonical-json.ts'
import { problemText } from '@waystation/protocol/field-errors.ts'
import { agentFor } from '#lib/agents/agent-for.ts'
import { isRepriced } from '#lib/agents/check-price.ts'
import { escalationsOf } from '#lib/agents/escalations-of.ts'
import { storedRevision } from '#lib/agents/get-revision.ts'
import { buildKit } from '#lib/agents/overlay/build-kit.ts'
import { checkRunnable } from '#lib/agents/resolve-agent.ts'
import { unknownTools } from '#lib/agents/unknown-tools.ts'
import type { Opening } from '#lib/engine/calls/open.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** A checked proposal of an agent: the changes, and which of them add permissions (`widens`). */
export type Proposal = {
  config: ChatAgent
  /** The proposal without values from overlays. */
  input: CommitRevision
  note?: string | undefined
  changes: ConfigChange[]
  widens: string[]
}

/** Returns an agent's own configuration, without its ID and the time of the change. */
export async function readOwnConfig(ctx: Ctx, agentId: string): Promise<OwnConfig> {
  const { agentId: _, revision, updatedAt: __, type: ___, ...config } = await chatAgent(ctx, agentId)
  return { base_revision_id: revisionIdOf(agentId, revision), version: revision, config }
}

/**
 * Checks a proposal against the published revision. Throws `CONFLICT` if the proposal has another base; the
 * error names who published since and what to do next. Throws `INVALID_INPUT` if the configuration is
 * invalid, cannot run, or changes nothing. Values of the session's overlay and of the build kit are removed,
 * because neither is ever saved (002-8).
 */
export async function checkProposal(
  tx: Ctx,
  { agentId, sessionKey }: Pick<LockedSession, 'agentId' | 'sessionKey'>,
  input: CommitRevision
): Promise<Proposal> {
  const { revision, updatedAt: _, ...published } = await chatAgent(tx, agentId)
  if (input.base_revision_id !== revisionIdOf(agentId, revision)) {
    const { savedBy } = await storedRevision(tx, { agentId, revision })
    const next = 'Call read_config again, apply your change to that version, and propose it.'
    const baseRevision = Number(input.base_revision_id.slice(agentId.length + 1))
    const isEarlier =
      input.base_revision_id === revisionIdOf(agentId, baseRevision) &&
      baseRevision >= 1 &&
      baseRevision < revision
    throw new ApiError(
      'CONFLICT',
      isEarlier
        ? `409: ${revisionIdOf(agentId, revision)} is published now (by ${savedBy}). Your change is based on ${input.base_revision_id}. ${next}`
        : `409: "${input.base_revision_id}" is not a revision of this agent. The published revision is ${revisionIdOf(agentId, revision)}. ${next}`
    )
  }
  const parsed = AgentConfig.safeParse({ ...input.config, agentId, type: 'chat' })
  if (!parsed.success)
    throw invalid(
      `This is not a valid configuration: ${problemText(parsed.error)}. Start from the configuration that read_config returns.`
    )
  if (parsed.data.type !== 'chat') throw invalid('The configuration must be one of a chat agent.')
  const chat = await withoutOverlays(tx, sessionKey, parsed.data.chat, published.chat)
  const config = { ...parsed.data, chat }
  if (isRepriced(published, config))
    throw invalid(
      'An agent cannot change its own price, or its model while it has a price. Leave both as they are.'
    )
  const [unknown] = unknownTools(tx, published.chat, chat.tools)
  if (unknown !== undefined)
    throw invalid(
      `There is no tool "${unknown.name}". To find tools that you can add, call discover_catalog.`
    )
  await checkRunnable(tx, config)
  const changes = diffConfigs(published, config)
  if (changes.length === 0) throw invalid('The proposal is identical to the published configuration.')
  const isStripped = canonicalJson(chat) !== canonicalJson(parsed.data.chat)
  return {
    config,
    input: isStripped ? { ...input, config: { ...input.config, chat } } : input,
    note: input.note,
    changes,
    widens: await escalationsOf(tx, agentId, [published, config], changes)
  }
}

async function withoutOverlays(
  tx: Ctx,
  sessionKey: number,
  proposed: ChatConfig,
  base: ChatConfig
): Promise<ChatConfig> {
  const [session] = await tx.sql<{ overlay: AgentOverlay | null }[]>`
    select overlay from sessions where key = ${sessionKey}`
  const overlays = [session?.overlay, buildKit().playground_build_kit.agent_template_overlay]
  return overlays.reduce<ChatConfig>(
    (chat, overlay) => (overlay ? (stripOverlay(chat, overlay, base) as ChatConfig) : chat),
    proposed
  )
}

/**
 * Adds the differences to proposals before they open, and requires approval if a proposal adds permissions. A
 * proposal that cannot be committed fails at once, so that no one is asked.
 */
export const addReviews = (
  tx: Ctx,
  session: LockedSession,
  openings: readonly Opening[]
): Promise<Opening[]> =>
  Promise.all(
    openings.map(async opening => {
      if (opening.toolName !== commitRevisionTool || opening.failed !== undefined) return opening
      try {
        const { input, changes, widens } = await checkProposal(
          tx,
          session,
          CommitRevision.parse(opening.input)
        )
        const kind = widens.length > 0 ? ('approval' as const) : opening.kind
        // Store the stripped input: the overlay may be removed before the answer, and its values must not be
        // committed unseen.
        return {
          ...opening,
          input,
          kind,
          render: { kind: 'config-diff', changes: shortened(changes), widens }
        }
      } catch (error) {
        if (error instanceof ApiError) return { ...opening, kind: 'server' as const, failed: error.message }
        throw error
      }
    })
  )

/**
 * The maximum length of a value in the differences shown with a call. The arguments contain the full value.
 * Characters.
 */
const maxChars = 8_000

const shortened = (changes: readonly ConfigChange[]): ConfigChange[] =>
  changes.map(change => ({
    ...change,
    ...shortenedValue('before', change.before),
    ...shortenedValue('after', change.after)
  }))

function shortenedValue(name: string, value: unknown): Record<string, unknown> {
  if (value === undefined) return {}
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return { [name]: text.length <= maxChars ? value : `${text.slice(0, maxChars).toWellFormed()}…` }
}

async function chatAgent(ctx: Ctx, agentId: string) {
  const agent = await agentFor(ctx, agentId)
  if (agent.type !== 'chat')
    throw invalid('An external agent has no configuration that it can read or change.')
  return agent
}
