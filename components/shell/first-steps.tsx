import { isJsonObject } from '@waystation/protocol/json-object.ts'
import { useState } from 'react'
import { useRead } from '#components/browser/queries.tsx'
import { browserStorage } from '#components/browser/storage.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { IconButton } from '#components/ui/button.tsx'
import { CloseIcon, DoneIcon, ToDoIcon } from '#components/ui/icons.tsx'
import { Link } from '#components/workspace/link.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'

const link = 'reach underline decoration-rail underline-offset-3 hover:decoration-ink'

/** Shown to owners above a session: that its agent has the demo model, and with `guide`, the first steps. */
export function FirstSteps({ guide }: { guide: boolean }) {
  const isEmpty = useSessionState(state => state.transcript.messages.length === 0)
  return (
    <>
      {guide || isEmpty ? <DemoStrip /> : null}
      {guide ? <Guide /> : null}
    </>
  )
}

function DemoStrip() {
  const { agent, store } = useSessionContext()
  const model = isJsonObject(agent.config) ? agent.config.model : undefined
  const { data } = useRead({
    queryKey: ['models'],
    queryFn: () => store.client.call('listModels', {}),
    enabled: model === 'default'
  })
  const name = model === 'default' ? data?.defaultModel : model
  if (typeof name !== 'string' || !name.startsWith('demo/')) return null
  return (
    <p data-hook="demo-strip" className="flex flex-wrap gap-x-3 border-b bg-panel px-5 py-2">
      <span className="text-muted">This agent uses the demo model, which follows fixed rules.</span>
      <Link href="/settings/models" className={link}>
        Connect a model
      </Link>
    </p>
  )
}

/** The agents that a new server has (`db/samples.ts`). */
const samples = ['guide', 'acme-clerk']
const hidden = 'first-steps-hidden'

/** Four steps through the product. Each is done when the server or this browser has seen it happen. */
function Guide() {
  const { sessionId } = useSessionContext()
  const { agents } = useWorkspace()
  const calls = useSessionState(state => state.transcript.calls)
  const restarted = useSessionState(
    ({ restarted, transcript }) =>
      restarted !== undefined ||
      transcript.messages.some(({ message }) =>
        message.parts.some(part => part.type === 'data-notice' && part.data.kind === 'restarted')
      )
  )
  const [isHidden, setHidden] = useState(() => browserStorage().get<boolean>(hidden) === true)
  const waits = Object.values(calls).filter(({ kind }) => kind !== 'server' && kind !== 'agent')
  const steps = [
    { id: 'park', label: 'Pause a run', hint: 'Select a suggestion below.', done: waits.length > 0 },
    {
      id: 'restart',
      label: 'Restart the server',
      hint: 'The request is still here afterwards.',
      // The store keeps the restarts that it has noticed.
      done: restarted || browserStorage().get(`restarted:${sessionId}`) !== undefined
    },
    {
      id: 'answer',
      label: 'Answer the request',
      hint: 'Use the card at the bottom.',
      done: waits.some(({ state }) => /^(answered|approved|denied|declined)$/.test(state))
    },
    {
      id: 'agent',
      label: 'Create an agent',
      hint: (
        <Link href="/agents/new" className={link}>
          New agent
        </Link>
      ),
      done: agents.some(({ agentId }) => !samples.includes(agentId))
    }
  ]
  if (isHidden || steps.every(({ done }) => done)) return null
  return (
    <section
      aria-label="First steps"
      data-hook="first-steps"
      className="@container flex items-start gap-3 border-b bg-panel py-3 pr-3 pl-5"
    >
      <ol className="grid flex-1 grid-cols-2 gap-x-6 gap-y-2 @min-[760px]:grid-cols-4">
        {steps.map(({ id, label, hint, done }) => (
          <li key={id} data-step={id} data-done={done} className="flex gap-2">
            <span className={`pt-0.5 ${done ? 'text-muted' : ''}`}>{done ? <DoneIcon /> : <ToDoIcon />}</span>
            <span>
              <span className={done ? 'text-muted' : 'font-semibold'}>{label}</span>
              {done ? (
                <span className="sr-only">, done</span>
              ) : (
                <span className="hidden text-muted @min-[480px]:block">{hint}</span>
              )}
            </span>
          </li>
        ))}
      </ol>
      <IconButton
        data-hook="hide-first-steps"
        label="Hide first steps"
        onClick={() => {
          browserStorage().set(hidden, true)
          setHidden(true)
        }}
      >
        <CloseIcon />
      </IconButton>
    </section>
  )
}
