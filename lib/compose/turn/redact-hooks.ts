import { ApiError } from '@waystation/base/api-error.ts'
import { drainGenerator } from '@waystation/base/drain-generator.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type {
  HookedCall,
  HookPayloads,
  HookStage,
  Passed,
  RoundHooks,
  Stepping
} from '#lib/kernel/ports/hooks.ts'
import { redacted } from '#lib/kernel/redact.ts'

/**
 * Wraps the hooks of a step so that everything stored is redacted: changed text, call arguments and the reasons
 * of plugins. Tool results are redacted when they are recorded. If a change cannot be redacted, the event is
 * canceled.
 */
export function redactHooks(ctx: Ctx, hooks: RoundHooks): RoundHooks {
  if (ctx.ports.redaction === undefined) return hooks
  /** Redacts the final result of a hook point. Intermediate results are not stored. */
  async function* stages<Point extends Stepping>(
    point: Point,
    payload: HookPayloads[Point]
  ): AsyncGenerator<HookStage<Point>, Passed<Point>> {
    const result = yield* hooks.stages(point, payload)
    try {
      if ('cancelled' in result) {
        const { plugin, reason } = result.cancelled
        return { cancelled: { plugin, reason: redacted(ctx, 'model', reason) } }
      }
      return result.changed ? { ...result, payload: redactPayload(ctx, result.payload) } : result
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
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
    run: (point, payload) => drainGenerator(stages(point, payload))
  }
}

/** Redacts the stored fields of a payload. */
function redactPayload<Payload extends object>(ctx: Ctx, payload: Payload): Payload {
  const redactedFields: Record<string, unknown> = {}
  if ('text' in payload) redactedFields.text = redacted(ctx, 'model', payload.text)
  if ('input' in payload && 'toolCallId' in payload)
    redactedFields.input = redacted(ctx, 'model', payload.input)
  if ('calls' in payload)
    redactedFields.calls = (payload.calls as HookedCall[]).map(call => redactPayload(ctx, call))
  return { ...payload, ...redactedFields }
}
