import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { StateGlyph } from '#components/session/content/state-glyph.tsx'
import { Button } from '#components/ui/button.tsx'
import type { Connecting, Standing } from './use-connecting.ts'

/** Shows the progress of connecting an account: what the user must do in the window, or the outcome. */
export function ConnectLine({ connecting: { target, flow, standing } }: { connecting: Connecting }) {
  const router = useRouter()
  const { kind } = standing
  useEffect(() => {
    if (kind === 'connected') router.refresh()
  }, [kind, router])
  const { integration, service, slug } = target
  const name = slug === integration ? service : `${service} (${slug})`
  const waits = kind === 'open' || kind === 'unseen' || kind === 'blocked'
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 pt-2 empty:hidden">
      <p
        role={kind === 'failed' ? 'alert' : 'status'}
        data-hook="connect-progress"
        data-phase={kind}
        className={`min-w-0 [overflow-wrap:anywhere] ${kind === 'failed' ? 'text-fail' : ''}`}
      >
        {waits ? (
          <span className="mr-2 inline-block">
            <StateGlyph kind="parked" />
          </span>
        ) : null}
        {words(standing, name)}
      </p>
      {kind === 'blocked' ? (
        <a
          href={standing.url}
          target="_blank"
          rel="noopener opener"
          data-hook="open-service"
          className="reach font-semibold"
        >
          Open {service}
        </a>
      ) : null}
      {waits ? (
        <Button data-hook="cancel-connect" tone="quiet" onClick={flow.cancel}>
          Cancel
        </Button>
      ) : null}
    </div>
  )
}

function words(standing: Standing, name: string): string {
  switch (standing.kind) {
    case 'idle':
      return ''
    case 'opening':
      return `Opening ${name}…`
    case 'open':
      return `Finish in the ${name} window.`
    case 'unseen':
      return `Finish in the ${name} window. If you closed the window, select Cancel.`
    case 'blocked':
      return "Your browser blocked the window. Use the link to open it. This page updates when you're done."
    case 'failed':
      return `${name} wasn't connected: ${standing.words}`
    case 'ended':
      return standing.reason === 'timeout'
        ? `${name} wasn't connected within three minutes. Try again.`
        : `${name} wasn't connected because its window was closed.`
    case 'connected':
      return `${name} is connected.`
  }
}
