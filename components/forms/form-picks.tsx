import { type ReactNode, useRef } from 'react'
import { IconButton } from '#components/ui/button.tsx'
import type { Option } from '#components/ui/combobox.tsx'
import { CloseIcon } from '#components/ui/icons.tsx'
import { PickOrType } from './pick-or-type.tsx'
import { useFormValue } from './use-form-value.ts'

type FormPicksProps = {
  name: string
  label: string
  hint?: ReactNode
  /** Undefined while they are loaded. */
  options: readonly Option[] | undefined
  /** Shown if there is nothing to pick. */
  note: string
  /** Says what an empty list means. */
  placeholder: string
  /** Shown at a value that is not an option, because it is often a typing error. */
  unknown: string
}

type PicksProps = FormPicksProps & {
  value: unknown
  onChange: (picked: readonly string[] | undefined) => void
  fault: string | undefined
}

/** Several values of the form around it, which the user picks from options or types. Each can be removed. */
export function FormPicks(props: FormPicksProps) {
  const { value, onChange, fault } = useFormValue<readonly string[] | undefined>(props.name)
  return <Picks {...props} value={value} onChange={onChange} fault={fault} />
}

/** Several values, like `FormPicks`, whose list the parent has. */
export function Picks({ name, value, onChange, options, unknown, placeholder, ...props }: PicksProps) {
  const box = useRef<HTMLDivElement>(null)
  const picked = Array.isArray(value) ? (value as readonly string[]) : []
  return (
    <div ref={box} data-hook={`picks-${name}`} className="flex min-w-0 flex-col gap-2">
      <PickOrType
        {...props}
        value=""
        onChange={one => onChange([...picked, one])}
        options={(options ?? []).filter(option => !picked.includes(option.value))}
        placeholder={picked.length === 0 ? placeholder : 'Add another…'}
      />
      {picked.length === 0 ? null : (
        <ul className="flex flex-wrap gap-2">
          {picked.map(one => {
            const option = options?.find(known => known.value === one)
            return (
              <li
                key={one}
                className="flex max-w-full items-center rounded-sm border bg-panel pl-2 [overflow-wrap:anywhere]"
              >
                <span className="min-w-0">
                  {option?.label ?? one}
                  {option === undefined && options !== undefined ? (
                    <span data-hook="unknown-pick" className="text-fail">
                      {' '}
                      {unknown}
                    </span>
                  ) : null}
                </span>
                <IconButton
                  label={`Remove ${option?.label ?? one}`}
                  onClick={() => {
                    // The button disappears with the focus.
                    box.current?.querySelector<HTMLElement>('[role="combobox"]')?.focus()
                    const rest = picked.filter(other => other !== one)
                    onChange(rest.length === 0 ? undefined : rest)
                  }}
                >
                  <CloseIcon />
                </IconButton>
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
