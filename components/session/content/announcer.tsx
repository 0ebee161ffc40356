'use client'
import type { Call } from '@waystation/protocol/call/call.ts'
import { useEffect, useRef, useState } from 'react'
import { cardHeading } from '#components/session/wording/card-heading.ts'

/** Announces calls to screen readers that became pending after the page was opened, each of them once. */
export function Announcer({ waiting }: { waiting: readonly Call[] }) {
  const said = useRef(new Set(waiting.map(call => call.toolCallId)))
  const [words, setWords] = useState('')
  useEffect(() => {
    const fresh = waiting.filter(call => !said.current.has(call.toolCallId))
    if (fresh.length === 0) return
    for (const call of fresh) said.current.add(call.toolCallId)
    setWords(`Waiting for you: ${fresh.map(call => cardHeading(call).title).join('; ')}`)
  }, [waiting])
  return (
    <p aria-live="polite" className="sr-only">
      {words}
    </p>
  )
}
