import type { ListedIntegration } from '@waystation/protocol/connection/integration.ts'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Row } from '#components/workspace/rows.tsx'
import { useWorkspace, type WorkspaceUse } from '#components/workspace/workspace-context.ts'
import { ConnectLine } from './connect-line.tsx'
import { ConnectPanel } from './connect-panel.tsx'
import { ServiceMark } from './service-mark.tsx'
import { shortNameOf } from './service-values.ts'
import { SetUp } from './set-up.tsx'
import { type Target, useConnecting } from './use-connecting.ts'

type ServiceRowProps = {
  integration: ListedIntegration
  /** The accounts. */
  children?: ReactNode
}

/** Shows a service, its state and its accounts, with the forms to connect an account and to set up the service. */
export function ServiceRow({ integration: listed, children }: ServiceRowProps) {
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
    close('connect', '')
  }
  const close = (which: keyof typeof buttons, words: string) => {
    setSaid(words)
    setOpen(undefined)
    buttons[which].current?.focus()
  }
  return (
    <Row
      data-hook="service"
      data-service={integration}
      data-state={state}
      mark={<ServiceMark name={service} about={description} />}
      name={
        <>
          {service}{' '}
          {integration === shortNameOf(service) ? null : (
            <code className="font-mono text-mono font-normal text-muted">{integration}</code>
          )}
        </>
      }
      about={
        <>
          {description === undefined ? null : <p>{description}</p>}
          <p data-hook="service-state" className="empty:hidden">
            {stateOf(listed, me)}
          </p>
        </>
      }
      actions={actions.map(({ which, label, may }) =>
        may ? (
          <Button
            key={which}
            ref={buttons[which]}
            // Each service has one button that is right for its state.
            {...(which === 'set-up' && state !== 'needs_setup'
              ? { tone: 'quiet' }
              : { className: 'min-w-20' })}
            data-hook={`${which}-service`}
            aria-label={`${label} ${service}…`}
            aria-expanded={open === which}
            onClick={() => toggle(which)}
          >
            {label}…
          </Button>
        ) : null
      )}
    >
      <div className="pl-12 empty:hidden max-mid:pl-0">
        <p role="status" data-hook="service-notice" className="pb-3 empty:hidden">
          {said}
        </p>
        {connecting.map(one => (
          <div key={`${one.target.slug} ${one.target.sharing}`} className="pb-3">
            <ConnectLine connecting={one} />
          </div>
        ))}
        {open === 'connect' ? (
          <div className="pb-4">
            <ConnectPanel integration={listed} connect={begin} onCancel={() => close('connect', '')} />
          </div>
        ) : null}
        {open === 'set-up' ? (
          <div className="pb-4">
            <SetUp integration={listed} onClose={words => close('set-up', words)} />
          </div>
        ) : null}
        {children === undefined ? null : (
          <ul aria-label={`Accounts at ${service}`} data-hook="connections">
            {children}
          </ul>
        )}
      </div>
    </Row>
  )
}

/** Describes the state of a service, and what this user can do next. */
function stateOf(listed: ListedIntegration, { mayOwn }: WorkspaceUse['me']): string {
  const { state, connections, integration } = listed
  const active = connections.filter(one => one.state === 'active')
  const others = active.flatMap(({ slug }) => (slug === integration ? [] : [slug]))
  switch (state) {
    case 'ready':
      if (others.length === 0) return ''
      return `${others.length < active.length ? 'Also connected' : 'Connected'} as ${others.join(', ')}.`
    case 'needs_auth':
    case 'needs_input':
      return connections.length === 0 ? '' : 'No working account.'
    case 'needs_setup':
      return mayOwn ? 'Not set up.' : 'Not set up. Ask an owner to set up this service.'
  }
}
