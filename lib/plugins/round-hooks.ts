import type { HookPayloads, Passed, RoundHooks, Stepping, TellHook, Watching } from '#lib/kernel/hooks.ts'
import type { HookPoint } from '#lib/protocol/hook.ts'
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
  const contextUntil = (until: () => AbortSignal): HookContext => ({
    ...about,
    actions,
    get signal() {
      return until()
    }
  })
  const watching: HookContext = Object.freeze({ ...about, actions: {}, signal })
  const fault = (plugin: string, point: HookPoint, began: number, error: unknown): string => {
    const words = (error instanceof Error ? error.message : String(error)).slice(0, 500).toWellFormed()
    tell({ plugin, point, outcome: 'failed', words, ...since(began) })
    return words
  }

  async function run<Point extends Stepping>(
    point: Point,
    payload: HookPayloads[Point]
  ): Promise<Passed<Point>> {
    let passed = payload
    let changed = false
    for (const one of made) {
      const { name: plugin, onFailure } = one
      const hook = hookOf(one, point)
      if (hook === undefined && one.fault === undefined) continue
      const began = Date.now()
      try {
        if (one.fault !== undefined) throw new Error(one.fault)
        const said = await within(signal, until => hook?.(structuredClone(passed), contextUntil(until)))
        const verdict = verdictOf(point, said)
        if (verdict === undefined) continue
        if ('cancel' in verdict) {
          tell({ plugin, point, outcome: 'cancelled', words: verdict.cancel, ...since(began) })
          return { cancelled: { plugin, reason: verdict.cancel } }
        }
        passed = verdict.change
        changed = true
        tell({ plugin, point, outcome: 'changed', ...since(began) })
      } catch (error) {
        if (signal.aborted) break
        const words = fault(plugin, point, began, error)
        if (onFailure === 'stop') return { cancelled: { plugin, reason: `It failed: ${words}` } }
        // One that could not be made is told of once a round.
        delete one.fault
      }
    }
    return { payload: passed, changed }
  }

  function watch<Point extends Watching>(point: Point, payload: HookPayloads[Point]): void {
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
    run,
    watch,
    get next() {
      return actions.yieldNextRoundTo
    }
  }
}

const since = (began: number) => ({ startedAt: new Date(began).toISOString(), ms: Date.now() - began })

/** What a hook said, checked: throws a sentence about what does not fit. */
function verdictOf<Point extends Stepping>(point: Point, said: unknown): Verdict<HookPayloads[Point]> {
  if (said === undefined || said === null) return undefined
  if (typeof said === 'object' && 'cancel' in said)
    return { cancel: String(said.cancel).slice(0, 500).toWellFormed() }
  if (typeof said === 'object' && 'change' in said) return { change: checkPayload(point, said.change) }
  throw new Error('It answered with something that is neither {change} nor {cancel}.')
}
