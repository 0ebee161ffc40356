import canonicalize from 'canonicalize'
import { agentFor } from '#lib/agents/agent-for.ts'
import { isRepriced } from '#lib/agents/check-price.ts'
import { escalationsOf } from '#lib/agents/escalations-of.ts'
import { storedRevision } from '#lib/agents/get-revision.ts'
import { buildKit } from '#lib/agents/overlay/build-kit.ts'
import { stripOverlay } from '#lib/agents/overlay/strip.ts'
import { checkRunnable } from '#lib/agents/resolve-agent.ts'
import type { Opening } from '#lib/engine/calls/open.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { invalid, Refusal } from '#lib/kernel/refusal.ts'
import { AgentConfig, type AgentOverlay, type ChatAgent, type ChatConfig } from '#lib/protocol/agent/agent.ts'
import type { ConfigChange } from '#lib/protocol/agent/agent-revision.ts'
import { diffConfigs } from '#lib/protocol/agent/config-diff.ts'
import {
  CommitRevision,
  commitRevisionTool,
  type OwnConfig,
  revisionIdOf
} from '#lib/protocol/agent/own-config.ts'

/** What an agent proposes for itself: what would be different, and what of it lets it do more. */
export type Proposal = {
  config: ChatAgent
  /** What was proposed, without what an overlay brought. */
  input: CommitRevision
  note?: string | undefined
  changes: ConfigChange[]
  widens: string[]
}

/** What an agent is shown of its own configuration, without what only says whose it is. */
export async function readOwnConfig(ctx: Ctx, agentId: string): Promise<OwnConfig> {
  const { agentId: _, revision, updatedAt: __, type: ___, ...config } = await chatAgent(ctx, agentId)
  return { base_revision_id: revisionIdOf(agentId, revision), version: revision, config }
}

/**
 * Judges a proposal against what is published now. It began at another revision: `CONFLICT`, which says whose came between
 * and what to do; it is no configuration, an embed leads nowhere, or nothing is different: `INVALID_INPUT`. What the
 * session's overlay brought is taken out, and what the build kit would: neither is ever saved (002-8).
 */
export async function proposalOf(
  tx: Ctx,
  { agentId, sessionKey }: Pick<LockedSession, 'agentId' | 'sessionKey'>,
  input: CommitRevision
): Promise<Proposal> {
  const { revision, updatedAt: _, ...now } = await chatAgent(tx, agentId)
  if (input.base_revision_id !== revisionIdOf(agentId, revision)) {
    const { savedBy } = await storedRevision(tx, { agentId, revision })
    const next = 'Call read_config again, apply your change to that version, and propose it.'
    const began = Number(input.base_revision_id.slice(agentId.length + 1))
    const isEarlier =
      input.base_revision_id === revisionIdOf(agentId, began) && began >= 1 && began < revision
    throw new Refusal(
      'CONFLICT',
      isEarlier
        ? `409: ${revisionIdOf(agentId, revision)} is published now (by ${savedBy}). Your change is based on ${input.base_revision_id}. ${next}`
        : `409: "${input.base_revision_id}" is not a revision of this agent. The published revision is ${revisionIdOf(agentId, revision)}. ${next}`
    )
  }
  const asked = AgentConfig.safeParse({ ...input.config, agentId, type: 'chat' })
  if (!asked.success || asked.data.type !== 'chat') {
    const [fault] = asked.error?.issues ?? []
    throw invalid(
      `This is not a valid configuration: ${fault?.path.join('.') || 'it'} ${fault?.message ?? ''}. Start from the configuration that read_config returns.`
    )
  }
  const chat = await withoutOverlays(tx, sessionKey, asked.data.chat, now.chat)
  const config = { ...asked.data, chat }
  if (isRepriced(now, config))
    throw invalid(
      'An agent cannot change its own price, or its model while it has a price. Leave both as they are.'
    )
  await checkRunnable(tx, config)
  const changes = diffConfigs(now, config)
  if (changes.length === 0) throw invalid('The proposal is identical to the published configuration.')
  const isStripped = canonicalize(chat) !== canonicalize(asked.data.chat)
  return {
    config,
    input: isStripped ? { ...input, config: { ...input.config, chat } } : input,
    note: input.note,
    changes,
    widens: await escalationsOf(tx, agentId, [now, config], changes)
  }
}

async function withoutOverlays(
  tx: Ctx,
  sessionKey: number,
  asked: ChatConfig,
  base: ChatConfig
): Promise<ChatConfig> {
  const [session] = await tx.sql<{ overlay: AgentOverlay | null }[]>`
    select overlay from sessions where key = ${sessionKey}`
  const overlays = [session?.overlay, buildKit().playground_build_kit.agent_template_overlay]
  return overlays.reduce<ChatConfig>(
    (chat, overlay) => (overlay ? (stripOverlay(chat, overlay, base) as ChatConfig) : chat),
    asked
  )
}

/**
 * Proposals as they are opened: with what a person is to see, and never without one where it lets the agent do more. What
 * cannot be committed is told to the agent at once, and asked of nobody.
 */
export const withReviews = (tx: Ctx, head: LockedSession, openings: readonly Opening[]): Promise<Opening[]> =>
  Promise.all(
    openings.map(async opening => {
      if (opening.toolName !== commitRevisionTool || opening.failed !== undefined) return opening
      try {
        const { input, changes, widens } = await proposalOf(tx, head, CommitRevision.parse(opening.input))
        const kind = widens.length > 0 ? ('approval' as const) : opening.kind
        // The overlay may be taken off before somebody answers: nothing of it is left then to be committed unseen.
        return {
          ...opening,
          input,
          kind,
          render: { kind: 'config-diff', changes: shortened(changes), widens }
        }
      } catch (error) {
        if (error instanceof Refusal) return { ...opening, kind: 'server' as const, failed: error.message }
        throw error
      }
    })
  )

/** The most that one value of a change has, of those that a person is shown with the call; the arguments have all of it. */
const longest = 8_000

const shortened = (changes: readonly ConfigChange[]): ConfigChange[] =>
  changes.map(change => ({ ...change, ...short('before', change.before), ...short('after', change.after) }))

function short(name: string, value: unknown): Record<string, unknown> {
  if (value === undefined) return {}
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return { [name]: text.length <= longest ? value : `${text.slice(0, longest).toWellFormed()}…` }
}

async function chatAgent(ctx: Ctx, agentId: string) {
  const agent = await agentFor(ctx, agentId)
  if (agent.type !== 'chat')
    throw invalid('An external agent has no configuration that it can read or change.')
  return agent
}
