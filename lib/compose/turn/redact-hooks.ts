import type { Ctx } from '#lib/kernel/ctx.ts'
import type { HookPayloads, HookStage, Passed, RoundHooks, Stepping } from '#lib/kernel/ports/hooks.ts'
import { redacted } from '#lib/kernel/redact.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { runThrough } from '#lib/kernel/run-through.ts'

/**
 * The hooks of a round, of which what is stored has passed the operator's redaction: the words in the place of the model's, a
 * call's arguments, and the reasons of plugins. What a tool came to passes it where it is recorded. A change that cannot be
 * redacted is not made: what it was to change is cancelled.
 */
export function redactHooks(ctx: Ctx, hooks: RoundHooks): RoundHooks {
  if (ctx.ports.redaction === undefined) return hooks
  /** What a point came to. What is on the way to it is kept by nobody as it is. */
  async function* stages<Point extends Stepping>(
    point: Point,
    payload: HookPayloads[Point]
  ): AsyncGenerator<HookStage<Point>, Passed<Point>> {
    const passed = yield* hooks.stages(point, payload)
    try {
      if ('cancelled' in passed) {
        const { plugin, reason } = passed.cancelled
        return { cancelled: { plugin, reason: redacted(ctx, 'model', reason) } }
      }
      return passed.changed ? { ...passed, payload: clean(ctx, passed.payload) } : passed
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return {
        cancelled: { plugin: 'redaction', reason: 'The output of a plugin could not be redacted.' }
      }
    }
  }
  return {
    has: hooks.has,
    watch: hooks.watch,
    get next() {
      return hooks.next
    },
    stages,
    run: (point, payload) => runThrough(stages(point, payload))
  }
}

/** Of a payload what is kept of it. */
function clean<Payload extends object>(ctx: Ctx, payload: Payload): Payload {
  const kept: Record<string, unknown> = {}
  if ('text' in payload) kept.text = redacted(ctx, 'model', payload.text)
  if ('input' in payload && 'toolCallId' in payload) kept.input = redacted(ctx, 'model', payload.input)
  return { ...payload, ...kept }
}
