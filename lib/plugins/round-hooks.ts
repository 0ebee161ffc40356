import { isDeepStrictEqual } from 'node:util'
import { drainGenerator } from '@waystation/base/drain-generator.ts'
import type { HookPoint } from '@waystation/protocol/plugin/hook.ts'
import type {
  HookPayloads,
  HookStage,
  NextRound,
  Passed,
  ReportHookRun,
  RoundHooks,
  Stepping,
  Watching
} from '#lib/kernel/ports/hooks.ts'
import { checkPayload } from './check-payload.ts'
import { hookOf, makeHooks, type SelectedPlugin } from './make-hooks.ts'
import type { HookContext, Verdict } from './plugin.ts'
import { runWithTimeout } from './run-with-timeout.ts'

/** `preparing` is called before a plugin works on the prompt, and without a plugin once all have. */
export type HookOptions = {
  signal: AbortSignal
  report: ReportHookRun
  preparing?: ((plugin?: string) => void) | undefined
}

/**
 * Creates the hooks of one step, for each plugin in the order of the configuration. If a hook throws, times out
 * or returns an invalid value, this is reported and the plugin is skipped. With `onFailure: stop`, the event
 * that it should have checked is canceled. Errors after the turn was stopped are ignored.
 */
export async function roundHooks(
  selected: readonly SelectedPlugin[],
  context: Omit<HookContext, 'signal' | 'actions'>,
  { signal, report, preparing }: HookOptions
): Promise<RoundHooks> {
  const instances = await Promise.all(selected.map(makeHooks))
  const actions: HookContext['actions'] = {}
  let next: NextRound | undefined
  const contextWith = (getSignal: () => AbortSignal): HookContext => ({
    ...context,
    actions,
    get signal() {
      return getSignal()
    }
  })
  const reportFailure = (
    plugin: string,
    point: HookPoint,
    startMs: number,
    error: unknown,
    blocked?: true
  ): string => {
    const message = (error instanceof Error ? error.message : String(error)).slice(0, 500).toWellFormed()
    const run = { plugin, point, outcome: 'failed', words: message, ...timing(startMs) } as const
    report(blocked ? { ...run, blocked } : run)
    return message
  }

  async function* stages<Point extends Stepping>(
    point: Point,
    payload: HookPayloads[Point]
  ): AsyncGenerator<HookStage<Point>, Passed<Point>> {
    let current = payload
    let changed = false
    for (const instance of instances) {
      const { name: plugin, onFailure } = instance
      const hook = hookOf(instance, point)
      if (hook === undefined && instance.error === undefined) continue
      const startMs = Date.now()
      let outcome: HookStage<Point>['outcome'] = 'same'
      try {
        if (instance.error !== undefined) throw new Error(instance.error)
        if (point === 'beforeModel') preparing?.(plugin)
        const returned = await runWithTimeout(signal, getSignal =>
          hook?.(structuredClone(current), contextWith(getSignal))
        )
        next = nextOf(actions.yieldNextRoundTo, plugin, next)
        const verdict = verdictOf(point, returned)
        if (verdict !== undefined && 'cancel' in verdict) {
          report({ plugin, point, outcome: 'cancelled', words: verdict.cancel, ...timing(startMs) })
          return { cancelled: { plugin, reason: verdict.cancel } }
        }
        if (verdict !== undefined) {
          const isVisible = changesMoreThanDuration(current, verdict.change)
          current = verdict.change
          changed = true
          outcome = 'changed'
          if (isVisible) report({ plugin, point, outcome, ...timing(startMs) })
        }
      } catch (error) {
        if (signal.aborted) break
        outcome = 'failed'
        const stops = onFailure === 'stop'
        const message = reportFailure(plugin, point, startMs, error, stops || undefined)
        if (stops) return { cancelled: { plugin, reason: `It failed: ${message}` } }
        // Report a plugin whose hooks could not be created only once per step.
        delete instance.error
      }
      yield { plugin, outcome, payload: current, ms: Date.now() - startMs }
    }
    if (point === 'beforeModel') preparing?.()
    return { payload: current, changed }
  }

  function watch<Point extends Watching>(point: Point, payload: HookPayloads[Point]): void {
    const observerContext: HookContext = Object.freeze({ ...context, actions: {}, signal })
    for (const instance of instances) {
      const hook = hookOf(instance, point)
      if (hook === undefined) continue
      const startMs = Date.now()
      const onError = (error: unknown) => {
        if (!signal.aborted) reportFailure(instance.name, point, startMs, error)
      }
      // No caller waits for this hook, so its only time limit is the turn.
      try {
        const work = hook(structuredClone(payload), observerContext)
        if (work instanceof Promise) work.catch(onError)
      } catch (error) {
        onError(error)
      }
    }
  }

  return {
    has: point =>
      instances.some(
        instance =>
          hookOf(instance, point) !== undefined || (instance.error !== undefined && !point.startsWith('on'))
      ),
    stages,
    run: (point, payload) => drainGenerator(stages(point, payload)),
    watch,
    get next() {
      return next
    }
  }
}

const timing = (startMs: number) => ({ startedAt: new Date(startMs).toISOString(), ms: Date.now() - startMs })

/**
 * Returns whether a change affects more than a duration. The UI shows durations elsewhere, when they have
 * passed.
 */
function changesMoreThanDuration(before: object, after: object): boolean {
  const { duration: _, ...oldRest } = before as { duration?: number }
  const { duration: __, ...newRest } = after as { duration?: number }
  return !isDeepStrictEqual(oldRest, newRest)
}

/**
 * Returns who acts next according to `actions`. If the value changed, this plugin set it. Throws if it is
 * invalid.
 */
function nextOf(to: unknown, plugin: string, before: NextRound | undefined): NextRound | undefined {
  if (to === undefined || to === before?.to) return before
  if (to === 'self' || to === 'human' || (typeof to === 'string' && /^agent:./.test(to)))
    return { to: to as NextRound['to'], plugin }
  throw new Error('It gave the next step to something other than "self", "human" or "agent:<ID>".')
}

/** Validates the return value of a hook. Throws an Error with a sentence. */
function verdictOf<Point extends Stepping>(point: Point, returned: unknown): Verdict<HookPayloads[Point]> {
  if (returned === undefined || returned === null) return undefined
  if (typeof returned === 'object' && 'cancel' in returned)
    return { cancel: String(returned.cancel).slice(0, 500).toWellFormed() }
  if (typeof returned === 'object' && 'change' in returned)
    return { change: checkPayload(point, returned.change) }
  throw new Error('It returned something other than {change} or {cancel}.')
}
