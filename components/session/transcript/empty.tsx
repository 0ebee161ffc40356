'use client'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { Callback } from './callback.tsx'
import { startersOf } from './starters.ts'

/** Shown in a session without messages: suggested prompts for the agent, or how an external agent replies. */
export function Empty() {
  const { agent, store, may } = useSessionContext()
  return (
    <div className="flex flex-col gap-2 pt-24 pl-(--gutter)">
      <h2 className="text-title font-semibold">{agent.displayName}</h2>
      {agent.external ? <Callback /> : null}
      {may.send && !agent.external ? (
        <ul className="flex flex-col border-y">
          {startersOf(agent).map(({ label, text }) => (
            <li key={label} className="border-b last:border-b-0">
              <button
                type="button"
                data-hook="starter"
                onClick={() => store.send(text)}
                className="tap flex w-full flex-col py-2 text-left hover:underline"
              >
                <span className="text-person font-semibold">{label}</span>
                <span className="font-mono text-mono text-muted [overflow-wrap:anywhere]">{text}</span>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}
