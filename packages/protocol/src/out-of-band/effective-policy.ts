import type { OobPolicy, OobPolicyOrigin, OwnOobPolicy } from './out-of-band.ts'

/** The policies that apply to a session, as stored. `agent` is null if its agent has none or was deleted. */
export type OobPolicyLevels = { session: OwnOobPolicy; agent: OwnOobPolicy | null; workspace: OwnOobPolicy }

/** A policy of which every value is known, and where each comes from. */
export type EffectiveOobPolicy = OobPolicy & Required<Pick<OobPolicy, 'from' | 'inherited'>>

type PolicyValues = Required<OwnOobPolicy>
const builtIn: PolicyValues = { mode: 'on', minPriority: 'low', muted: [] }

/**
 * Returns the policy that applies to a session (004-14). Each value is the session's own, or else the agent's, or else
 * the workspace's, or else the built-in one. `inherited` is the policy without the session's own values.
 */
export function effectivePolicy({ session, agent, workspace }: OobPolicyLevels): EffectiveOobPolicy {
  const defaults = [
    ['agent', agent ?? {}],
    ['workspace', workspace]
  ] as const
  return { ...resolve([['session', session], ...defaults]), inherited: resolve(defaults) }
}

/** The policy of a session if nothing sets one. */
export const builtInPolicy = effectivePolicy({ session: {}, agent: null, workspace: {} })

/** Returns the values that the session itself sets. A policy without `from` is of an earlier version, which set all. */
export function ownPolicy({ from, mode, minPriority, muted }: OobPolicy): OwnOobPolicy {
  const isOwn = (name: keyof OwnOobPolicy) => (from?.[name] ?? 'session') === 'session'
  return {
    ...(isOwn('mode') && { mode }),
    ...(isOwn('minPriority') && { minPriority }),
    ...(isOwn('muted') && { muted })
  }
}

type Levels = ReadonlyArray<readonly [OobPolicyOrigin, OwnOobPolicy]>

function resolve(levels: Levels): PolicyValues & { from: EffectiveOobPolicy['from'] } {
  const first = <Name extends keyof PolicyValues>(name: Name): [PolicyValues[Name], OobPolicyOrigin] => {
    for (const [origin, values] of levels) {
      const value = values[name] as PolicyValues[Name] | undefined
      if (value !== undefined) return [value, origin]
    }
    return [builtIn[name], 'default']
  }
  const [[mode, ofMode], [minPriority, ofMin], [muted, ofMuted]] = [
    first('mode'),
    first('minPriority'),
    first('muted')
  ]
  return { mode, minPriority, muted, from: { mode: ofMode, minPriority: ofMin, muted: ofMuted } }
}
