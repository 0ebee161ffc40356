import { scriptTool } from '@waystation/protocol/call/tool-names.ts'
import { useEffect, useId, useRef } from 'react'
import { IconButton } from '#components/ui/button.tsx'
import { DeleteIcon } from '#components/ui/icons.tsx'
import { Input } from '#components/ui/input.tsx'
import { Select } from '#components/ui/select.tsx'
import { type Condition, patternOf } from './rule-patterns.ts'
import type { Decision, RuleRow } from './rule-rows.ts'

const kinds: { value: Condition['kind']; label: string }[] = [
  { value: 'any', label: 'any arguments' },
  { value: 'contains', label: 'argument contains' },
  { value: 'starts', label: 'argument starts with' },
  { value: 'is', label: 'argument is' },
  { value: 'pattern', label: 'matches pattern' }
]

const decisions: { value: Decision; label: string }[] = [
  { value: 'deny', label: 'Deny' },
  { value: 'allow', label: 'Allow' },
  { value: 'ask', label: 'Ask' }
]

type RuleFieldsProps = {
  at: number
  row: RuleRow
  fault: string | undefined
  onChange: (row: RuleRow) => void
  onRemove: () => void
}

/** A tool rule: "When tool with condition → decision". */
export function RuleFields({ at, row, fault, onChange, onRemove }: RuleFieldsProps) {
  const { tool, condition, decision } = row
  const id = useId()
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // A row that the user has just added.
    if (document.activeElement?.matches('[data-hook="add-tool-rule"]')) first.current?.focus()
  }, [])
  const notes = notesOf(row)
  const described = {
    'aria-invalid': Boolean(fault),
    'aria-describedby': fault || notes !== '' ? id : undefined
  }
  /** Ask has no conditions, because a rule has patterns only to deny and to allow. */
  const setCondition = (next: Condition) =>
    onChange({
      tool,
      condition: next,
      decision: decision === 'ask' && next.kind !== 'any' ? 'deny' : decision
    })
  return (
    <li className="border-b">
      <fieldset data-hook="tool-rule" aria-label={`Rule ${at + 1}`} className="min-w-0 py-3">
        <div className="flex flex-wrap items-start gap-2">
          <span aria-hidden="true" className="w-5 pt-[5px] text-muted tabular-nums">
            {at + 1}
          </span>
          <div className="flex min-w-0 flex-1 basis-60 flex-wrap gap-2 max-mid:basis-[calc(100%-36px)]">
            <Input
              ref={first}
              name={`${at}.tool`}
              aria-label="Tool"
              list="tool-names"
              value={tool}
              placeholder="all tools"
              maxLength={200}
              onChange={event => onChange({ ...row, tool: event.target.value })}
              className="flex-1 basis-28"
              mono
            />
            <Select
              data-hook="rule-condition"
              aria-label="Condition"
              value={condition.kind}
              onChange={kind => setCondition(asKind(condition, kind, decision))}
              options={kinds}
              className="basis-44 max-mid:flex-1"
            />
            {condition.kind === 'any' ? null : condition.kind === 'pattern' ? (
              <Input
                {...described}
                name={`${at}.pattern`}
                aria-label="Pattern"
                value={condition.pattern}
                maxLength={500}
                onChange={event => setCondition({ kind: 'pattern', pattern: event.target.value })}
                className="flex-[2] basis-40"
                mono
              />
            ) : (
              <>
                <Input
                  name={`${at}.argument`}
                  aria-label="Argument"
                  value={condition.argument}
                  placeholder="url"
                  onChange={event => setCondition({ ...condition, argument: event.target.value })}
                  className="flex-1 basis-16"
                  mono
                />
                <Input
                  {...described}
                  name={`${at}.value`}
                  aria-label="Value"
                  value={condition.value}
                  onChange={event => setCondition({ ...condition, value: event.target.value })}
                  className="flex-[2] basis-32"
                  mono
                />
              </>
            )}
          </div>
          <span className="flex items-center gap-2 max-mid:pl-7">
            <span aria-hidden="true" className="text-muted">
              →
            </span>
            <Select
              data-hook="rule-decision"
              aria-label="Decision"
              value={decision}
              onChange={next => onChange({ ...row, decision: next })}
              options={decisions.filter(({ value }) => value !== 'ask' || condition.kind === 'any')}
              className="w-24"
            />
            <IconButton label={`Remove rule ${at + 1}`} data-hook="remove-tool-rule" onClick={onRemove}>
              <DeleteIcon />
            </IconButton>
          </span>
        </div>
        {fault || notes !== '' ? (
          <div id={id} className="max-w-[68ch] pt-2 pl-7">
            {fault ? (
              <p data-hook="field-error" className="text-fail">
                {fault}
              </p>
            ) : null}
            {notes === '' ? null : (
              <p
                role="status"
                data-hook={tool === scriptTool ? 'always-asked' : 'rule-note'}
                className="text-muted"
              >
                {notes}
              </p>
            )}
          </div>
        ) : null}
      </fieldset>
    </li>
  )
}

/** Keeps the argument and value, and shows the pattern of a condition. */
function asKind(condition: Condition, kind: Condition['kind'], decision: Decision): Condition {
  if (kind === 'any') return { kind }
  const known = 'value' in condition ? condition : { argument: '', value: '' }
  if (kind !== 'pattern') return { argument: known.argument, value: known.value, kind }
  return {
    kind,
    pattern: 'value' in condition ? patternOf(condition, decision === 'deny' ? 'deny' : 'allow') : ''
  }
}

function notesOf({ tool, condition, decision }: RuleRow): string {
  if (tool === scriptTool)
    return `Every script needs approval of its exact text. For ${scriptTool}, “Allow” has no effect, but “Deny” works.`
  if (condition.kind === 'pattern')
    return 'A case-insensitive regular expression over {"parameters":{…},"tool":"…"}.'
  if (condition.kind === 'contains' && decision === 'allow')
    return 'An agent can put this text anywhere in the value. “starts with” and “is” are safer.'
  return ''
}
