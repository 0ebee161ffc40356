import { AgentTool } from '@waystation/protocol/agent/agent.ts'
import { httpRequestTool } from '@waystation/protocol/call/tool-names.ts'
import { useEffect, useRef, useState } from 'react'
import { useFormState } from 'react-hook-form'
import type { AgentForm, ToolChoice } from '#components/agents/agent-form.ts'
import { checkValues } from '#components/forms/check-values.ts'
import { useFormValue } from '#components/forms/use-form-value.ts'
import { wordsOf } from '#components/session/wording/tool-words.ts'
import { BuiltInToolFields, SetCount } from './built-in-tool-fields.tsx'
import { LineOf, ToolItem } from './tool-item.tsx'
import { approvalOf, approvalOfOther, kindOf, toolKinds } from './tool-kinds.ts'
import { ToolLibrary } from './tool-library.tsx'
import { ToolRow } from './tool-row.tsx'

/** The tools of an agent, by group, with their settings, and a library of all others. */
export function ToolsSection({ tools }: { tools: readonly ToolChoice[] }) {
  const { value: chosen, onChange: choose } = useFormValue<AgentForm['builtIn']>('builtIn')
  const { value, onChange, fault } = useFormValue<readonly AgentTool[] | undefined>('chat.tools')
  const { isSubmitted } = useFormState()
  const section = useRef<HTMLDivElement>(null)
  /** Grows with each removal, because the fields of a row keep the typed text by the row's number. */
  const [removals, setRemovals] = useState(0)
  /** The row that the user has just added. */
  const [added, setAdded] = useState<number>()
  /** The removed tool, whose entry in the library gets the focus if it is visible. */
  const [moved, setMoved] = useState<string>()
  const opener = () => section.current?.querySelector('summary')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the section is the same
  useEffect(() => {
    if (moved === undefined) return
    const entry = section.current?.querySelector<HTMLElement>(
      `[data-tool="${CSS.escape(moved)}"] > button:enabled`
    )
    ;(entry?.checkVisibility() ? entry : opener())?.focus()
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
    opener()?.focus()
  }
  const own = known.filter(has)
  const rows = [
    {
      label: 'Built-in',
      items: own.map(tool => {
        const value = chosen[tool.name] ?? { name: tool.name }
        return (
          <ToolItem
            key={tool.name}
            data-tool={tool.name}
            data-chosen
            name={tool.name}
            line={
              <>
                <LineOf tool={tool} line={wordsOf(tool).line} />
                <SetCount name={tool.name} />
              </>
            }
            {...approvalOf(known, value)}
            onApproval={approval => choose({ ...chosen, [tool.name]: { ...value, approval } })}
            onRemove={() => remove(tool.name)}
            // It requires a setting.
            opened={tool.name === httpRequestTool}
          >
            <BuiltInToolFields tool={tool} />
          </ToolItem>
        )
      })
    },
    ...toolKinds.map(({ kind, label }) => ({
      label,
      items: others.flatMap((tool, index) =>
        kindOf(tool) === kind
          ? [
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
            ]
          : []
      )
    }))
  ].filter(({ items }) => items.length > 0)
  const all = own.length + others.length
  const asks = [
    ...own.map(({ name }) => approvalOf(known, chosen[name] ?? { name }).approval),
    ...others.map(approvalOfOther)
  ].filter(approval => approval === 'ask').length
  return (
    <div ref={section} className="flex flex-col gap-6">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-muted tabular-nums">
          {rows.length === 0 ? 'No tools yet. The agent can only write messages.' : countOf(all, asks)}
        </p>
        <ToolLibrary
          inline={rows.length === 0}
          tools={known.filter(tool => !has(tool))}
          addBuiltIn={({ name, approval }) => choose({ ...chosen, [name]: { name, approval } })}
          addOther={tool => {
            setAdded(others.length)
            onChange([...others, tool])
          }}
        />
      </div>
      <fieldset data-hook="other-tools" className="flex min-w-0 flex-col gap-6">
        <legend className="sr-only">Chosen tools</legend>
        {rows.map(({ label, items }) => (
          <div key={label}>
            <h2 className="flex items-baseline gap-2 border-b pb-2 text-person font-semibold">
              {label}
              <span className="text-ui font-normal text-muted tabular-nums">{items.length}</span>
            </h2>
            <ul>{items}</ul>
          </div>
        ))}
        <p role="alert" data-hook="tools-error" className="text-fail empty:hidden">
          {fault}
        </p>
      </fieldset>
    </div>
  )
}

const countOf = (all: number, asks: number): string =>
  `${all} ${all === 1 ? 'tool' : 'tools'}${asks === 0 ? '' : `, ${asks} ${asks === 1 ? 'asks' : 'ask'} first`}`
