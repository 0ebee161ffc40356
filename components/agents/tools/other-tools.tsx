import { AgentTool } from '@waystation/protocol/agent/agent.ts'
import { useState } from 'react'
import { useFormState } from 'react-hook-form'
import { checkValues } from '#components/forms/check-values.ts'
import { useFormValue } from '#components/forms/use-form-value.ts'
import { Button } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { newTool, type ToolKind, toolKinds } from './tool-kinds.ts'
import { ToolRow } from './tool-row.tsx'

/** The tools of an agent that are not the server's own, one row each. */
export function OtherTools() {
  const { value, onChange, fault } = useFormValue<readonly AgentTool[] | undefined>('chat.tools')
  const { isSubmitted } = useFormState()
  const [choosing, setChoosing] = useState(false)
  /** Grows with each removal, because the fields of a row keep the typed text by the row's number. */
  const [removals, setRemovals] = useState(0)
  /** The row that the user has just added. */
  const [added, setAdded] = useState<number>()
  const tools = Array.isArray(value) ? value : []
  const add = (kind: ToolKind) => {
    setChoosing(false)
    setAdded(tools.length)
    onChange([...tools, newTool(kind)])
  }
  const remove = (index: number) => {
    setAdded(undefined)
    setRemovals(removals + 1)
    onChange(tools.filter((_, other) => other !== index))
  }
  return (
    <fieldset data-hook="other-tools" className="min-w-0">
      <legend className="pb-2 text-person font-semibold">Tools of other systems</legend>
      {tools.length === 0 ? (
        <p className="border-t border-b py-2 text-muted">
          None yet. Add your own service, an MCP server, a plugin or a shared tool.
        </p>
      ) : (
        <ul className="border-t">
          {tools.map((tool, index) => (
            <ToolRow
              // biome-ignore lint/suspicious/noArrayIndexKey: a tool has no ID
              key={`${removals}.${index}`}
              tool={tool}
              faults={isSubmitted ? checkValues(AgentTool, tool) : {}}
              isNew={index === added}
              onChange={next => onChange(tools.map((other, at) => (at === index ? next : other)))}
              onRemove={() => remove(index)}
            />
          ))}
        </ul>
      )}
      <p role="alert" data-hook="tools-error" className="pt-2 text-fail empty:hidden">
        {fault}
      </p>
      <Button className="mt-3" data-hook="add-tool" onClick={() => setChoosing(true)}>
        Add tool…
      </Button>
      <Dialog
        open={choosing}
        onOpenChange={setChoosing}
        title="Add a tool"
        description="Built-in tools, tools in TypeScript, scripts and wikis are in the list of tools above."
      >
        <ul className="border-t">
          {toolKinds.map(({ kind, label, when }) => (
            <li key={kind} className="border-b">
              <button
                type="button"
                data-hook={`add-${kind}`}
                onClick={() => add(kind)}
                className="block w-full px-1 py-2 text-left hover:bg-line"
              >
                <span className="block font-semibold">{label}</span>
                <span className="block text-muted">{when}</span>
              </button>
            </li>
          ))}
        </ul>
        <Button className="mt-3" onClick={() => setChoosing(false)}>
          Cancel
        </Button>
      </Dialog>
    </fieldset>
  )
}
