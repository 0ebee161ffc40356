import { scriptTool } from '@waystation/protocol/call/tool-names.ts'
import { clsx } from 'clsx'
import { useEffect, useId, useRef } from 'react'
import { PickOrType } from '#components/forms/pick-or-type.tsx'
import { IconButton } from '#components/ui/button.tsx'
import type { Option } from '#components/ui/combobox.tsx'
import { DeleteIcon } from '#components/ui/icons.tsx'
import { Input } from '#components/ui/input.tsx'
import { Select } from '#components/ui/select.tsx'
import { type Condition, patternOf } from './rule-patterns.ts'
import type { Decision, RuleRow } from './rule-rows.ts'

const kinds: { value: Condition['kind']; label: string }[] = [
  { value: 'any', label: 'Any arguments' },
  { value: 'contains', label: 'Argument contains' },
  { value: 'starts', label: 'Argument starts with' },
  { value: 'is', label: 'Argument is' },
  { value: 'pattern', label: 'Matches pattern' }
]

const decisions: { value: Decision; label: string }[] = [
  { value: 'deny', label: 'Deny' },
  { value: 'allow', label: 'Allow' },
  { value: 'ask', label: 'Ask' }
]

/** The names of the texts of a condition. */
const labels: Record<string, string> = { argument: 'Argument', value: 'Value', pattern: 'Pattern' }

type RuleFieldsProps = {
  at: number
  row: RuleRow
  /** The tools to select from. */
  tools: readonly Option[]
  /** True if this rule decides the tested call. */
  decides: boolean
  fault: string | undefined
  onChange: (row: RuleRow) => void
  onRemove: () => void
}

/** A tool rule: "When tool with condition → decision". */
export function RuleFields({ at, row, tools, decides, fault, onChange, onRemove }: RuleFieldsProps) {
  const { tool, condition, decision } = row
  const { kind, ...texts } = condition
  const id = useId()
  const fields = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    // A row that the user has just added.
    if (document.activeElement?.matches('[data-hook="add-tool-rule"]'))
      fields.current?.querySelector('button')?.focus()
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
    <li
      data-decides={decides || undefined}
      className={clsx(
        'relative border-b',
        decides && 'before:absolute before:-inset-x-3 before:inset-y-0 before:-z-10 before:bg-panel'
      )}
    >
      <fieldset ref={fields} data-hook="tool-rule" aria-label={`Rule ${at + 1}`} className="min-w-0 py-3">
        <div className="flex flex-wrap items-start gap-2">
          <span
            aria-hidden="true"
            className={clsx('w-5 pt-[5px] tabular-nums', decides ? 'font-semibold' : 'text-muted')}
          >
            {at + 1}
          </span>
          <div className="flex min-w-0 flex-1 basis-60 flex-wrap gap-2 max-mid:basis-[calc(100%-36px)]">
            <div className="min-w-0 flex-1 basis-28 max-mid:basis-full">
              <PickOrType
                aria-label="Tool"
                data-hook="rule-tool"
                value={tool}
                onChange={tool => onChange({ ...row, tool })}
                options={tools}
                note="Type the name of a tool."
                placeholder="all tools"
              />
            </div>
            <Select
              data-hook="rule-condition"
              aria-label="Condition"
              value={kind}
              onChange={kind => setCondition(asKind(condition, kind, decision))}
              options={kinds}
              className="basis-44 max-mid:basis-full"
            />
            {Object.entries(texts).map(([name, value]) => (
              <Input
                key={name}
                {...(name === 'argument' ? { placeholder: 'url' } : described)}
                name={`${at}.${name}`}
                aria-label={labels[name]}
                value={value}
                maxLength={500}
                onChange={event => setCondition({ ...condition, [name]: event.target.value })}
                className={name === 'argument' ? 'flex-1 basis-16' : 'flex-[2] basis-32'}
                mono
              />
            ))}
          </div>
          <span className="flex items-center gap-2 max-mid:w-full max-mid:pl-7">
            <span aria-hidden="true" className="text-muted">
              →
            </span>
            <Select
              data-hook="rule-decision"
              aria-label="Decision"
              value={decision}
              onChange={next => onChange({ ...row, decision: next })}
              options={decisions.filter(({ value }) => value !== 'ask' || kind === 'any')}
              className="w-24 max-mid:flex-1"
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
    return 'An agent can put this text anywhere in the value. “Argument starts with” and “Argument is” are safer.'
  return ''
}
