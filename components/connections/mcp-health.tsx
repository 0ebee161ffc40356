import type { McpHealth } from '@waystation/protocol/connection/mcp.ts'
import { clsx } from 'clsx'
import { Time } from '#components/ui/time.tsx'

const dots: Record<McpHealth['state'], string> = {
  ok: 'border-rail bg-rail',
  failed: 'border-fail bg-fail',
  account: 'border-you',
  unchecked: 'border-rail'
}

/** Shows the result of the last check of a server. The dot repeats what the text says. */
export function Health({ health }: { health: McpHealth }) {
  return (
    <div data-hook="health" data-state={health.state} className="flex min-w-0 items-baseline gap-2">
      <span
        aria-hidden="true"
        className={clsx('size-2 shrink-0 translate-y-[-1px] rounded-full border-[1.5px]', dots[health.state])}
      />
      <div
        className={clsx(
          'min-w-0 [overflow-wrap:anywhere]',
          health.state === 'failed' ? 'text-fail' : 'text-muted'
        )}
      >
        <Words health={health} />
      </div>
    </div>
  )
}

/** A sentence, with the server's own text behind a disclosure. */
export function McpError({ error = 'The server gave no reason.' }: { error?: string | undefined }) {
  const [sentence, ...details] = error.split('\n')
  return (
    <>
      {sentence}
      {details.length === 0 ? null : (
        <details data-hook="mcp-details">
          <summary className="tap w-fit text-muted max-mid:leading-[44px]">Details</summary>
          <p className="text-muted">{details.join(' ')}</p>
        </details>
      )}
    </>
  )
}

function Words({ health }: { health: McpHealth }) {
  switch (health.state) {
    case 'unchecked':
      return 'Not checked yet.'
    case 'ok':
      return (
        <>
          Responded in {health.tookMs} ms, <Time at={health.at} short />.
          {health.error === undefined ? null : <span data-hook="left-out"> Skipped: {health.error}.</span>}
        </>
      )
    case 'account':
      return 'Needs an account, but none is connected.'
    case 'failed':
      return (
        <>
          Check failed, <Time at={health.at} short />: <McpError error={health.error} />
        </>
      )
  }
}
