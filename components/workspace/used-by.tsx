import type { CatalogueUser } from '@waystation/protocol/agent/catalogue.ts'
import { Fragment } from 'react'
import { Link } from '#components/workspace/link.tsx'

type UsedByProps = {
  agents: readonly Pick<CatalogueUser, 'agentId' | 'displayName'>[]
  verb: [one: string, several: string]
}

/** Lists agents by name, with a verb: "Triage and Clerk use it". */
export function UsedBy({ agents, verb }: UsedByProps) {
  return (
    <>
      {agents.map(({ agentId, displayName }, at) => (
        <Fragment key={agentId}>
          {at === 0 ? '' : at === agents.length - 1 ? ' and ' : ', '}
          <Link href={`/agents/${encodeURIComponent(agentId)}`} className="underline">
            {displayName}
          </Link>
        </Fragment>
      ))}{' '}
      {verb[agents.length === 1 ? 0 : 1]}
    </>
  )
}
