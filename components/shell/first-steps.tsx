import { isJsonObject } from '@waystation/protocol/json-object.ts'
import { useState } from 'react'
import { useRead } from '#components/browser/queries.tsx'
import { browserStorage } from '#components/browser/storage.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { IconButton } from '#components/ui/button.tsx'
import { CheckIcon, CloseIcon } from '#components/ui/icons.tsx'
import { Link } from '#components/workspace/link.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'

const link = 'reach underline decoration-rail underline-offset-3 hover:decoration-ink'

/** Shown to owners above a session, in one row: with `guide`, the first steps, and that its agent has the demo model. */
export function FirstSteps({ guide }: { guide: boolean }) {
  const isEmpty = useSessionState(state => state.transcript.messages.length === 0)
  const [isHidden, setHidden] = useState(() => browserStorage().get<boolean>(hidden) === true)
  const steps = useSteps()
  const isDemo = useDemo()
  const hasSteps = guide && !isHidden && steps.some(({ done }) => !done)
  const hasModel = isDemo && (guide || isEmpty)
  if (!hasSteps && !hasModel) return null
  const next = steps.find(({ done }) => !done)
  return (
    <div className="@container flex min-h-14 shrink-0 items-center gap-x-3 border-b bg-panel @min-[760px]:gap-x-6 pr-3 pl-5">
      {hasSteps ? (
        <ol
          aria-label="First steps"
          data-hook="first-steps"
          className="flex flex-1 items-center gap-x-3 @min-[760px]:gap-x-6"
        >
          {steps.map((step, at) => (
            <li key={step.id} data-step={step.id} data-done={step.done} className="flex items-center gap-2">
              <span
                aria-hidden="true"
                className={`flex size-5 shrink-0 items-center justify-center rounded-full border text-mono tabular-nums ${step.done ? 'border-ink bg-ink text-ground' : step === next ? 'border-ink font-semibold' : 'border-rail text-muted'}`}
              >
                {step.done ? <CheckIcon /> : at + 1}
              </span>
              <span
                className={
                  step === next
                    ? 'font-semibold whitespace-nowrap'
                    : 'text-muted max-mid:sr-only @max-[760px]:sr-only'
                }
              >
                {step.href === undefined || step.done ? (
                  step.label
                ) : (
                  <Link href={step.href} className={link}>
                    {step.label}
                  </Link>
                )}
              </span>
              {step.done ? <span className="sr-only">, done</span> : null}
            </li>
          ))}
        </ol>
      ) : null}
      {hasModel ? (
        <p data-hook="demo-strip" className="flex shrink-0 flex-wrap gap-x-3">
          <span className={`text-muted ${hasSteps ? 'hidden @min-[960px]:inline' : ''}`}>Demo model</span>
          <Link href="/settings/models" className={link}>
            Connect a model
          </Link>
        </p>
      ) : null}
      {hasSteps ? (
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
      ) : null}
    </div>
  )
}

/** True if the agent of the session has the demo model. */
function useDemo(): boolean {
  const { agent, store } = useSessionContext()
  const model = isJsonObject(agent.config) ? agent.config.model : undefined
  const { data } = useRead({
    queryKey: ['models'],
    queryFn: () => store.client.call('listModels', {}),
    enabled: model === 'default'
  })
  const name = model === 'default' ? data?.defaultModel : model
  return typeof name === 'string' && name.startsWith('demo/')
}

/** The agents that a new server has (`db/samples.ts`). */
const samples = ['guide', 'acme-clerk']
const hidden = 'first-steps-hidden'

type Step = { id: string; label: string; done: boolean; href?: string }

/** Returns four steps through the product. Each is done when the server or this browser has seen it happen. */
function useSteps(): Step[] {
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
  const waits = Object.values(calls).filter(({ kind }) => kind !== 'server' && kind !== 'agent')
  return [
    { id: 'park', label: 'Pause a run', done: waits.length > 0 },
    {
      id: 'restart',
      label: 'Restart the server',
      // The store keeps the restarts that it has noticed.
      done: restarted || browserStorage().get(`restarted:${sessionId}`) !== undefined
    },
    {
      id: 'answer',
      label: 'Answer the request',
      done: waits.some(({ state }) => /^(answered|approved|denied|declined)$/.test(state))
    },
    {
      id: 'agent',
      label: 'Create an agent',
      done: agents.some(({ agentId }) => !samples.includes(agentId)),
      href: '/agents/new'
    }
  ]
}
