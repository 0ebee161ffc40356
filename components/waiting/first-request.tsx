import { useRef } from 'react'
import { useEffectOnChange } from '#components/browser/use-effect-on-change.ts'
import { useList, useListStore } from '#components/workspace/list-context.ts'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { OpenRequest } from './open-request.tsx'
import { keyOf, merged } from './request.ts'

/** The user's request with the nearest deadline. After its answer, the next one takes its place, and the heading the focus. */
export function FirstRequest() {
  const store = useListStore()
  const { mine = [], held = [] } = useList()
  const { agents } = useWorkspace()
  const detail = useRef<HTMLElement>(null)
  const [request] = merged(
    mine,
    held.filter(message => message.mine)
  )
  const key = request && keyOf(request)
  useEffectOnChange([key], () => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('main h1')?.focus()
  })
  if (request === undefined) return null
  return (
    <OpenRequest
      key={key}
      request={request}
      agent={agents.find(({ agentId }) => agentId === request.agentId)?.displayName ?? request.agentId}
      detail={detail}
      onSettled={() => void store.refresh()}
    />
  )
}
