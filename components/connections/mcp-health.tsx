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
    <p data-hook="health" data-state={health.state} className="flex min-w-0 items-baseline gap-2">
      <span
        aria-hidden="true"
        className={clsx('size-2 shrink-0 translate-y-[-1px] rounded-full border-[1.5px]', dots[health.state])}
      />
      <span
        className={clsx(
          'min-w-0 [overflow-wrap:anywhere]',
          health.state === 'failed' ? 'text-fail' : 'text-muted'
        )}
      >
        <Words health={health} />
      </span>
    </p>
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
          Check failed, <Time at={health.at} short />: {health.error}
        </>
      )
  }
}
