'use client'
import { useId } from 'react'
import type { AgentDraft } from './agent-draft.ts'

type Way = AgentDraft['toolCalling']

const ways: Record<Way, string> = { native: 'Native', text: 'Prompted' }

/**
 * Selects how the agent's model calls its tools: natively, or as text for a model without tool calling
 * (001-14).
 */
export function ToolCalling({ way, onChange }: { way: Way; onChange: (way: Way) => void }) {
  const id = useId()
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="font-semibold">
        Tool calls
      </label>
      <select
        id={id}
        data-hook="tool-calling"
        value={way}
        aria-describedby={`${id}-hint`}
        onChange={event => onChange(event.target.value === 'text' ? 'text' : 'native')}
        className="tap h-[30px] w-full rounded-sm border border-rail bg-panel px-2"
      >
        {Object.entries(ways).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
      <p id={`${id}-hint`} className="text-muted">
        Select Prompted for a model without tool calling. The prompt then explains how to write a call.
      </p>
    </div>
  )
}
