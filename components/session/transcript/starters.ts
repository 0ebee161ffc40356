import type { SessionAgent } from '#components/session/store/session-context.ts'

type Starter = { label: string; text: string }

const known: Record<string, Starter> = {
  'ask-question': { label: 'Ask me a question', text: 'ask me what you should do next' },
  'web-fetch': { label: 'Fetch a page', text: 'fetch example.com' },
  'client-info': { label: 'Ask my browser for the time', text: 'what time is it for me' },
  list_sessions: { label: 'See what other agents do', text: 'list sessions' },
  'spawn-agent': { label: 'Delegate part of the work', text: 'delegate count to 3 to a helper' },
  'alarm-clock': { label: 'Set a reminder', text: 'remind me in 10 seconds to stretch' }
}

type SuggestedBy = Pick<SessionAgent, 'starters'> & {
  tools?: ReadonlyArray<{ name: string; title?: string | undefined; approval?: 'ask' | 'auto' | undefined }>
}

/**
 * Returns the suggested prompts for an empty session: the agent's own, or one for each of its first three tools. Tools that
 * only this agent has come first.
 */
export function startersOf({ starters, tools = [] }: SuggestedBy): readonly Starter[] {
  if (starters !== undefined && starters.length > 0) return starters
  const isKnown = ({ name }: { name: string }) => name in known
  const drawn = [...tools.filter(tool => !isKnown(tool)), ...tools.filter(isKnown)].map(
    ({ name, title, approval }): Starter => {
      const { label, text } = known[name] ?? { label: title ?? `Use ${name}`, text: `use ${name}` }
      return { label: approval === 'ask' ? `${label}, with my approval` : label, text }
    }
  )
  return drawn.length === 0 ? [{ label: 'See what it can do', text: 'What can you do?' }] : drawn.slice(0, 3)
}
