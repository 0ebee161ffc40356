'use client'
import { useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { readFaultOf } from './fault-of.ts'
import { useSessionContext } from './session-context.ts'

/** Puts what a compaction left out back into the prompt; says here why not, where the server refuses. */
export function PutBackButton({ compactionId }: { compactionId: string }) {
  const { store, may, embedded } = useSessionContext()
  const [state, setState] = useState<{ busy: boolean; problem?: string }>({ busy: false })
  if (!may.send || embedded) return null
  const putBack = async () => {
    setState({ busy: true })
    const reply = await store.putBack(compactionId)
    if (reply.ok) return setState({ busy: false })
    setState({
      busy: false,
      problem: readFaultOf(reply)
    })
  }
  return (
    <>
      <Button data-hook="put-back" tone="quiet" disabled={state.busy} onClick={() => void putBack()}>
        Restore to prompt
      </Button>
      <span role="status" data-hook="put-back-refused" className="block text-fail empty:hidden">
        {state.problem}
      </span>
    </>
  )
}
