import type { ModelTest, TestModel } from '@waystation/protocol/workspace/models.ts'
import { streamText } from 'ai'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Time limit of a test, in milliseconds. */
const timeoutMs = 30_000
/** Models that reason need some tokens before their answer. */
const maxOutputTokens = 1024

/** Asks a model for one word, and returns its answer or why there is none. It never retries. */
export async function testModel(ctx: Ctx, { model: spec }: TestModel): Promise<ModelTest> {
  const models = await ctx.ports.modelsOf(ctx)
  const model = models.nameOf(spec)
  const startedAt = performance.now()
  const result = (outcome: Pick<ModelTest, 'ok' | 'text' | 'code'>): ModelTest => ({
    model,
    ...outcome,
    ms: Math.round(performance.now() - startedAt)
  })
  let failure: unknown
  try {
    const stream = streamText({
      model: models.model(spec),
      prompt: 'Answer with one word: ready',
      maxOutputTokens,
      maxRetries: 0,
      abortSignal: AbortSignal.timeout(timeoutMs),
      onError({ error }) {
        failure ??= error
      }
    })
    const text = await stream.text
    if (failure !== undefined) throw failure
    return result({ ok: true, text: text.trim().slice(0, 200) })
  } catch (error) {
    const { code, message } = ctx.ports.describeModelError(failure ?? error, models, spec)
    return result({ ok: false, text: message, code })
  }
}
