import { ConnectHint } from '@waystation/protocol/connection/connect-hint.ts'
import type { ConnectPhase } from '#components/browser/connect-flow.ts'
import { otherWay } from '#components/session/wording/connect-words.ts'
import { Button } from '#components/ui/button.tsx'
import { Buttons, Primary } from './buttons.tsx'
import { GenericWidget } from './generic.tsx'
import { useConnect } from './use-connect.ts'
import type { WidgetProps } from './widget.ts'

/** Asks the user to connect an account in a separate window (002-7). The card never contains credentials. */
export function ConnectWidget(props: WidgetProps) {
  const { data: hint } = ConnectHint.safeParse(props.call.render)
  return hint === undefined ? <GenericWidget {...props} /> : <Asked {...props} hint={hint} />
}

function Asked({ call, answer, hint }: WidgetProps & { hint: ConnectHint }) {
  const { phase, connect, again, cancel } = useConnect(call)
  const { service, modes, scopes = [] } = hint
  const [first, ...others] = modes
  const isOpen = phase.kind === 'open' || phase.kind === 'unseen' || phase.kind === 'opening'
  return (
    <>
      {scopes.length === 0 ? null : (
        <p className="text-muted">
          Requested scopes: <span className="font-mono text-mono">{scopes.join(' ')}</span>
        </p>
      )}
      <p
        role="status"
        data-hook="connect-progress"
        data-phase={phase.kind}
        className={phase.kind === 'idle' || phase.kind === 'failed' ? 'sr-only' : undefined}
      >
        {words(phase, service)}
      </p>
      {phase.kind === 'failed' ? (
        <p role="alert" className="text-fail">
          {phase.words}
        </p>
      ) : null}
      {first === undefined ? (
        <p>{service} is not set up in this workspace. An owner can set it up under Connections.</p>
      ) : null}
      <Buttons>
        {isOpen ? (
          <>
            <Button data-hook="cancel-connect" onClick={cancel}>
              Cancel
            </Button>
            {phase.kind === 'opening' ? null : (
              <Button tone="quiet" onClick={() => void again()}>
                Reopen window
              </Button>
            )}
          </>
        ) : (
          <>
            {phase.kind === 'blocked' ? (
              <a
                href={phase.url}
                target="_blank"
                rel="noopener opener"
                data-hook="open-service"
                className="tap inline-flex h-[30px] shrink-0 items-center rounded-sm border border-ink bg-ink px-3 text-ui font-semibold text-panel"
              >
                Open {service}
              </a>
            ) : (
              <Primary
                data-hook="connect-account"
                disabled={first === undefined}
                onClick={() => void connect(first)}
              >
                Connect {service}
              </Primary>
            )}
            {others.map(mode => (
              <Button key={mode} data-hook={`connect-by-${mode}`} onClick={() => void connect(mode)}>
                {otherWay[mode]}
              </Button>
            ))}
            <Button data-hook="decline-connect" onClick={() => answer({ declined: true })}>
              Not now
            </Button>
          </>
        )}
      </Buttons>
    </>
  )
}

function words(phase: ConnectPhase, service: string): string {
  switch (phase.kind) {
    case 'opening':
      return `Opening ${service}…`
    case 'open':
      return `Connecting… Finish in the ${service} window within ${phase.minutes} ${phase.minutes === 1 ? 'minute' : 'minutes'}.`
    case 'unseen':
      return `Waiting for ${service}… Finish in its window. If you closed the window, select Cancel.`
    case 'blocked':
      return "Your browser blocked the window. Open it with the link below. This card updates when you're done."
    case 'connected':
      return `${service} is connected.`
    default:
      return ''
  }
}
