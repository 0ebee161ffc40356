import type { ListedIntegration } from '@waystation/protocol/connection/integration.ts'
import { useRef, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { useWorkspace, type WorkspaceUse } from '#components/workspace/workspace-context.ts'
import { ConnectLine } from './connect-line.tsx'
import { ConnectPanel } from './connect-panel.tsx'
import { SetUp } from './set-up.tsx'
import { type Target, useConnecting } from './use-connecting.ts'

/** Shows a service and its state, with the forms to connect an account and to set up the service. */
export function ServiceRow({ integration: listed }: { integration: ListedIntegration }) {
  const { me } = useWorkspace()
  const { connecting, connect } = useConnecting()
  const buttons = { connect: useRef<HTMLButtonElement>(null), 'set-up': useRef<HTMLButtonElement>(null) }
  const [open, setOpen] = useState<keyof typeof buttons>()
  const [said, setSaid] = useState('')
  const { integration, service, description, modes, state } = listed
  const actions = [
    { which: 'connect', label: 'Connect', may: me.mayAnswer && modes.length > 0 },
    { which: 'set-up', label: 'Set up', may: me.mayOwn }
  ] as const

  const toggle = (which: keyof typeof buttons) => {
    setSaid('')
    setOpen(open === which ? undefined : which)
  }
  const begin = (target: Target) => {
    connect(target)
    setOpen(undefined)
    buttons.connect.current?.focus()
  }
  const close = (words: string) => {
    setSaid(words)
    setOpen(undefined)
    buttons['set-up'].current?.focus()
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
          {actions.map(({ which, label, may }) =>
            may ? (
              <Button
                key={which}
                ref={buttons[which]}
                data-hook={`${which}-service`}
                aria-label={`${label} ${service}…`}
                aria-expanded={open === which}
                onClick={() => toggle(which)}
              >
                {label}…
              </Button>
            ) : null
          )}
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
