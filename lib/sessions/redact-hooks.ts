import type { Ctx } from '#lib/kernel/ctx.ts'
import type { HookPayloads, Passed, RoundHooks, Stepping } from '#lib/kernel/hooks.ts'
import { redacted } from '#lib/kernel/redact.ts'
import { Refusal } from '#lib/kernel/refusal.ts'

/**
 * The hooks of a round, of which what is stored has passed the operator's redaction: the words in the place of the model's, a
 * call's arguments, and the reasons of plugins. What a tool came to passes it where it is recorded. A change that cannot be
 * redacted is not made: what it was to change is cancelled.
 */
export function redactHooks(ctx: Ctx, hooks: RoundHooks): RoundHooks {
  if (ctx.ports.redaction === undefined) return hooks
  return {
    has: hooks.has,
    watch: hooks.watch,
    get next() {
      return hooks.next
    },
    async run<Point extends Stepping>(point: Point, payload: HookPayloads[Point]): Promise<Passed<Point>> {
      const passed = await hooks.run(point, payload)
      try {
        if ('cancelled' in passed) {
          const { plugin, reason } = passed.cancelled
          return { cancelled: { plugin, reason: redacted(ctx, 'model', reason) } }
        }
        return passed.changed ? { ...passed, payload: clean(ctx, passed.payload) } : passed
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return {
          cancelled: { plugin: 'redaction', reason: 'What a plugin made of this could not be redacted.' }
        }
      }
    }
  }
}

/** Of a payload what is kept of it. */
function clean<Payload extends object>(ctx: Ctx, payload: Payload): Payload {
  const kept: Record<string, unknown> = {}
  if ('text' in payload) kept.text = redacted(ctx, 'model', payload.text)
  if ('input' in payload && 'toolCallId' in payload) kept.input = redacted(ctx, 'model', payload.input)
  return { ...payload, ...kept }
}
