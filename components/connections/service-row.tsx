'use client'
import type { ListedIntegration } from '@waystation/protocol/connection/integration.ts'
import { useRef, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { useWorkspace, type WorkspaceUse } from '#components/workspace/workspace-context.ts'
import { ConnectLine } from './connect-line.tsx'
import { ConnectPanel } from './connect-panel.tsx'
import type { Target } from './connecting.ts'
import { SetUp } from './set-up.tsx'
import { useConnecting } from './use-connecting.ts'

/** Shows a service and its state, with the forms to connect an account and to set up the service. */
export function ServiceRow({ integration: listed }: { integration: ListedIntegration }) {
  const { me } = useWorkspace()
  const { connecting, connect } = useConnecting()
  const [open, setOpen] = useState<'connect' | 'set-up'>()
  const [said, setSaid] = useState('')
  const [connectButton, setUpButton] = [useRef<HTMLButtonElement>(null), useRef<HTMLButtonElement>(null)]
  const { integration, service, description, modes, state } = listed

  const toggle = (which: 'connect' | 'set-up') => {
    setSaid('')
    setOpen(open === which ? undefined : which)
  }
  const begin = (target: Target) => {
    connect(target)
    setOpen(undefined)
    connectButton.current?.focus()
  }
  const close = (words = '') => {
    setSaid(words)
    setOpen(undefined)
    setUpButton.current?.focus()
  }
  return (
    <li data-hook="service" data-service={integration} data-state={state} className="border-b py-3">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
        <div className="min-w-0 flex-1 basis-72 [overflow-wrap:anywhere]">
          <p className="flex flex-wrap items-baseline gap-x-3">
            <span className="text-person font-semibold">{service}</span>
            <code className="font-mono text-mono text-muted">{integration}</code>
          </p>
          {description === undefined ? null : <p>{description}</p>}
          <p data-hook="service-state" className="text-muted">
            {stateOf(listed, me)}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {me.mayAnswer && modes.length > 0 ? (
            <Button
              ref={connectButton}
              data-hook="connect-service"
              aria-label={`Connect ${service}…`}
              aria-expanded={open === 'connect'}
              onClick={() => toggle('connect')}
            >
              Connect…
            </Button>
          ) : null}
          {me.mayOwn ? (
            <Button
              ref={setUpButton}
              data-hook="set-up-service"
              aria-label={`Set up ${service}…`}
              aria-expanded={open === 'set-up'}
              onClick={() => toggle('set-up')}
            >
              Set up…
            </Button>
          ) : null}
        </div>
      </div>
      <p role="status" data-hook="service-notice" className="pt-2 empty:hidden">
        {said}
      </p>
      {connecting.map(one => (
        <ConnectLine key={`${one.target.slug} ${one.target.sharing}`} connecting={one} />
      ))}
      {open === 'connect' ? <ConnectPanel integration={listed} connect={begin} /> : null}
      {open === 'set-up' ? <SetUp integration={listed} onClose={close} /> : null}
    </li>
  )
}

/** Describes the state of a service, and what this user can do next. */
function stateOf(listed: ListedIntegration, { mayOwn, mayAnswer }: WorkspaceUse['me']): string {
  const { state, service, connections, integration } = listed
  const active = connections.filter(one => one.state === 'active')
  const others = active.flatMap(({ slug }) => (slug === integration ? [] : [slug]))
  const none = connections.length === 0 ? 'No account yet' : 'No working account'
  switch (state) {
    case 'ready':
      if (others.length === 0) return 'Ready: an account is connected.'
      return `Ready: ${others.length < active.length ? 'also ' : ''}connected as ${others.join(', ')}.`
    case 'needs_auth':
      return mayAnswer ? `${none}. Sign in to ${service} to connect one.` : `${none}.`
    case 'needs_input':
      return mayAnswer ? `${none}. Enter a token or key from ${service} to connect one.` : `${none}.`
    case 'needs_setup':
      return mayOwn
        ? `Not set up. Register an OAuth client at ${service}, then enter its client ID and secret.`
        : 'Not set up. Ask an owner to set up this service.'
  }
}
