import type { SessionAgent } from '#components/session/store/session-context.ts'

type Starter = { label: string; text: string }

const known: Record<string, Starter> = {
  'ask-question': { label: 'Ask me something', text: 'ask me to choose between tea, coffee and water' },
  'web-fetch': { label: 'Fetch a page, with my approval', text: 'fetch example.com' },
  'client-info': { label: 'Ask my browser for the time', text: 'what time is it for me' },
  list_sessions: { label: 'See what other agents do', text: 'list sessions' },
  'spawn-agent': { label: 'Delegate part of the work', text: 'delegate count to 3 to a helper' },
  'alarm-clock': { label: 'Set a reminder', text: 'remind me in 10 seconds to stretch' }
}

/** Returns the suggested prompts for an empty session: the agent's own, or one for each of its first three tools. */
export function startersOf({
  starters,
  tools = []
}: Pick<SessionAgent, 'starters' | 'tools'>): readonly Starter[] {
  if (starters !== undefined && starters.length > 0) return starters
  const drawn = tools.map(
    ({ name, title }): Starter => known[name] ?? { label: title ?? `Use ${name}`, text: `use ${name}` }
  )
  return drawn.length === 0 ? [{ label: 'See what it can do', text: 'What can you do?' }] : drawn.slice(0, 3)
}
