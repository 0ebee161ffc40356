import { expect, test } from 'vitest'
import { listPrompts } from '#lib/features/prompts/list-prompts.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { protocolOf, redirectFetch } from './protocols.ts'
import { replay } from './replay-server.ts'

/** Each answer has 37 tokens of input and 11 of output. Prices are those of the list, in millionths of a dollar. */
test.each([
  ['anthropic', 12, 5, 20 * 2 + 12 * 0.1 + 5 * 2.5 + 11 * 10],
  ['bedrock', 12, 5, 20 * 2 + 12 * 0.1 + 5 * 2.5 + 11 * 10],
  ['openai-responses', 12, 0, 25 * 2 + 12 * 0.1 + 11 * 10],
  ['google', 12, 0, 37 * 3 + 11 * 15],
  ['cohere', 0, 0, 37 * 3 + 11 * 15]
])(
  '%s: the prompt of a step shows its cached tokens, and they have their own price',
  async (protocol, cacheRead, cacheWrite, millionths) => {
    const { model, host = '', settings } = protocolOf(protocol)
    const provider = await replay([`${protocol}/text`])
    redirectFetch({ [host]: provider.url })
    const { ctx, sql, saveAgent, startSession } = await startTestServer({ settings: settings(provider.url) })
    await saveAgent({ chat: { model } })
    const session = await startSession('test')
    expect(await session.runTurn('Hi')).toMatchObject({ outcome: 'done' })
    const { prompts } = await listPrompts(ctx, { sessionId: session.id, limit: 10 })
    expect(prompts).toMatchObject([{ tokens: 37, cacheRead, cacheWrite, output: 11 }])
    expect(prompts[0]!.usd * 1_000_000).toBeCloseTo(millionths)
    const [turn] = await sql<{ usd: number }[]>`select usd from turns`
    expect(turn!.usd * 1_000_000).toBeCloseTo(millionths)
  }
)
