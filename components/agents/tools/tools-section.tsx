import { AgentTool } from '@waystation/protocol/agent/agent.ts'
import { useEffect, useRef, useState } from 'react'
import { useFormState } from 'react-hook-form'
import type { AgentForm, ToolChoice } from '#components/agents/agent-form.ts'
import { checkValues } from '#components/forms/check-values.ts'
import { useFormValue } from '#components/forms/use-form-value.ts'
import { BuiltInRow } from './built-in-row.tsx'
import { ToolLibrary } from './tool-library.tsx'
import { ToolRow } from './tool-row.tsx'

/** The tools of an agent: the chosen ones with their settings, then a library of all others. */
export function ToolsSection({ tools }: { tools: readonly ToolChoice[] }) {
  const { value: chosen, onChange: choose } = useFormValue<AgentForm['builtIn']>('builtIn')
  const { value, onChange, fault } = useFormValue<readonly AgentTool[] | undefined>('chat.tools')
  const { isSubmitted } = useFormState()
  const section = useRef<HTMLDivElement>(null)
  /** Grows with each removal, because the fields of a row keep the typed text by the row's number. */
  const [removals, setRemovals] = useState(0)
  /** The row that the user has just added. */
  const [added, setAdded] = useState<number>()
  /** The tool whose row gets the focus, because the button that the user has pressed disappears. */
  const [moved, setMoved] = useState<string>()
  useEffect(() => {
    if (moved === undefined) return
    const row = section.current?.querySelector(`[data-tool="${CSS.escape(moved)}"]`)
    const target = row?.querySelector<HTMLElement>('select:enabled, button:enabled')
    ;(target ?? section.current?.querySelector<HTMLElement>('[data-hook="search-tools"]'))?.focus()
    setMoved(undefined)
  }, [moved])
  const others = Array.isArray(value) ? (value as readonly AgentTool[]) : []
  // A tool that this server no longer has can still be removed.
  const known = [
    ...tools,
    ...Object.keys(chosen)
      .filter(name => !tools.some(tool => tool.name === name))
      .map(
        (name): ToolChoice => ({
          name,
          description: '',
          where: 'server',
          approval: 'ask',
          unavailable: 'This server has no tool of this name.'
        })
      )
  ]
  const has = ({ name }: ToolChoice) => chosen[name] !== undefined
  const remove = (name: string) => {
    const { [name]: _, ...rest } = chosen
    choose(rest)
    setMoved(name)
  }
  const removeOther = (index: number) => {
    setAdded(undefined)
    setRemovals(removals + 1)
    onChange(others.filter((_, other) => other !== index))
    section.current?.querySelector<HTMLElement>('[data-hook="search-tools"]')?.focus()
  }
  const own = known.filter(has)
  return (
    <div ref={section} className="flex flex-col gap-8">
      <fieldset data-hook="other-tools" className="min-w-0">
        <legend className="w-full border-b pb-2 text-person font-semibold">Chosen tools</legend>
        {own.length + others.length === 0 ? (
          <p className="py-2 text-muted">None. The agent can only write messages.</p>
        ) : (
          <ul>
            {own.map(tool => (
              <BuiltInRow
                key={tool.name}
                tool={tool}
                value={chosen[tool.name] ?? { name: tool.name }}
                onChange={next => choose({ ...chosen, [tool.name]: next })}
                onRemove={() => remove(tool.name)}
              />
            ))}
            {others.map((tool, index) => (
              <ToolRow
                // biome-ignore lint/suspicious/noArrayIndexKey: a tool has no ID
                key={`${removals}.${index}`}
                tool={tool}
                faults={checkValues(AgentTool, tool)}
                showAll={isSubmitted}
                isNew={index === added}
                onChange={next => onChange(others.map((other, at) => (at === index ? next : other)))}
                onRemove={() => removeOther(index)}
              />
            ))}
          </ul>
        )}
        <p role="alert" data-hook="tools-error" className="pt-2 text-fail empty:hidden">
          {fault}
        </p>
      </fieldset>
      <ToolLibrary
        tools={known.filter(tool => !has(tool))}
        addBuiltIn={({ name, approval }) => {
          choose({ ...chosen, [name]: { name, approval } })
          setMoved(name)
        }}
        addOther={tool => {
          setAdded(others.length)
          onChange([...others, tool])
        }}
      />
    </div>
  )
}
