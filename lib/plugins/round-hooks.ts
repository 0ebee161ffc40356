import { isDeepStrictEqual } from 'node:util'
import type {
  HookPayloads,
  HookStage,
  NextRound,
  Passed,
  RoundHooks,
  Stepping,
  TellHook,
  Watching
} from '#lib/kernel/ports/hooks.ts'
import { runThrough } from '#lib/kernel/run-through.ts'
import type { HookPoint } from '#lib/protocol/plugin/hook.ts'
import { checkPayload } from './check-payload.ts'
import { type Chosen, hookOf, makeHooks } from './make-hooks.ts'
import type { HookContext, Verdict } from './plugin.ts'
import { within } from './within.ts'

/**
 * The hooks of one round: each plugin's made anew, in the order of the configuration. One that throws, takes too long or
 * answers with what does not fit is told, and stands aside; where its agent says `onFailure: stop`, what it should
 * have judged is cancelled. A turn that is stopped meanwhile goes on to its end, and is nobody's fault.
 */
export async function roundHooks(
  chosen: readonly Chosen[],
  about: Omit<HookContext, 'signal' | 'actions'>,
  { signal, tell }: { signal: AbortSignal; tell: TellHook }
): Promise<RoundHooks> {
  const made = await Promise.all(chosen.map(makeHooks))
  const actions: HookContext['actions'] = {}
  let next: NextRound | undefined
  const contextUntil = (until: () => AbortSignal): HookContext => ({
    ...about,
    actions,
    get signal() {
      return until()
    }
  })
  const fault = (plugin: string, point: HookPoint, began: number, error: unknown): string => {
    const words = (error instanceof Error ? error.message : String(error)).slice(0, 500).toWellFormed()
    tell({ plugin, point, outcome: 'failed', words, ...since(began) })
    return words
  }

  async function* stages<Point extends Stepping>(
    point: Point,
    payload: HookPayloads[Point]
  ): AsyncGenerator<HookStage<Point>, Passed<Point>> {
    let passed = payload
    let changed = false
    for (const one of made) {
      const { name: plugin, onFailure } = one
      const hook = hookOf(one, point)
      if (hook === undefined && one.fault === undefined) continue
      const began = Date.now()
      let outcome: HookStage<Point>['outcome'] = 'same'
      try {
        if (one.fault !== undefined) throw new Error(one.fault)
        const said = await within(signal, until => hook?.(structuredClone(passed), contextUntil(until)))
        next = nextOf(actions.yieldNextRoundTo, plugin, next)
        const verdict = verdictOf(point, said)
        if (verdict !== undefined && 'cancel' in verdict) {
          tell({ plugin, point, outcome: 'cancelled', words: verdict.cancel, ...since(began) })
          return { cancelled: { plugin, reason: verdict.cancel } }
        }
        if (verdict !== undefined) {
          const shown = isMore(passed, verdict.change)
          passed = verdict.change
          changed = true
          outcome = 'changed'
          if (shown) tell({ plugin, point, outcome, ...since(began) })
        }
      } catch (error) {
        if (signal.aborted) break
        outcome = 'failed'
        const words = fault(plugin, point, began, error)
        if (onFailure === 'stop') return { cancelled: { plugin, reason: `It failed: ${words}` } }
        // One that could not be made is told of once a round.
        delete one.fault
      }
      yield { plugin, outcome, payload: passed, ms: Date.now() - began }
    }
    return { payload: passed, changed }
  }

  function watch<Point extends Watching>(point: Point, payload: HookPayloads[Point]): void {
    const watching: HookContext = Object.freeze({ ...about, actions: {}, signal })
    for (const one of made) {
      const hook = hookOf(one, point)
      if (hook === undefined) continue
      const began = Date.now()
      const failed = (error: unknown) => {
        if (!signal.aborted) fault(one.name, point, began, error)
      }
      // Nobody waits for it, so it has all the time that its turn has.
      try {
        const work = hook(structuredClone(payload), watching)
        if (work instanceof Promise) work.catch(failed)
      } catch (error) {
        failed(error)
      }
    }
  }

  return {
    has: point =>
      made.some(
        one => hookOf(one, point) !== undefined || (one.fault !== undefined && !point.startsWith('on'))
      ),
    stages,
    run: (point, payload) => runThrough(stages(point, payload)),
    watch,
    get next() {
      return next
    }
  }
}

const since = (began: number) => ({ startedAt: new Date(began).toISOString(), ms: Date.now() - began })

/** Whether it changes more than for how long something stays in the prompt: people see that where it is over. */
function isMore(before: object, after: object): boolean {
  const { duration: _, ...was } = before as { duration?: number }
  const { duration: __, ...is } = after as { duration?: number }
  return !isDeepStrictEqual(was, is)
}

/** Who has the next round by what stands in `actions` now: the plugin's word that changed it. Throws what it cannot be. */
function nextOf(to: unknown, plugin: string, before: NextRound | undefined): NextRound | undefined {
  if (to === undefined || to === before?.to) return before
  if (to === 'self' || to === 'human' || (typeof to === 'string' && /^agent:./.test(to)))
    return { to: to as NextRound['to'], plugin }
  throw new Error('It gave the next step to something other than "self", "human" or "agent:<ID>".')
}

/** What a hook said, checked: throws a sentence about what does not fit. */
function verdictOf<Point extends Stepping>(point: Point, said: unknown): Verdict<HookPayloads[Point]> {
  if (said === undefined || said === null) return undefined
  if (typeof said === 'object' && 'cancel' in said)
    return { cancel: String(said.cancel).slice(0, 500).toWellFormed() }
  if (typeof said === 'object' && 'change' in said) return { change: checkPayload(point, said.change) }
  throw new Error('It returned something other than {change} or {cancel}.')
}
