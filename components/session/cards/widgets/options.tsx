import type { Question } from '@waystation/protocol/call/question.ts'
import { clsx } from 'clsx'

type OptionsProps = {
  options: NonNullable<Question['options']>
  multiple: boolean
  chosen: readonly string[]
  onChoose: (chosen: string[]) => void
}

/**
 * Shows the options of a question. A click on a single choice answers it; multiple choices are checkboxes.
 */
export function Options({ options, multiple, chosen, onChoose }: OptionsProps) {
  const toggle = (label: string) =>
    onChoose(chosen.includes(label) ? chosen.filter(other => other !== label) : [...chosen, label])
  return (
    <ul className="flex flex-col border-y border-line">
      {options.map(({ label, description }, index) => {
        const on = chosen.includes(label)
        return (
          <li key={label} className="border-b border-line last:border-b-0">
            <button
              type="button"
              data-hook={`ask-question-option-${index}`}
              {...(multiple ? { role: 'checkbox', 'aria-checked': on } : {})}
              onClick={() => (multiple ? toggle(label) : onChoose([label]))}
              className="tap group/option flex w-full items-baseline gap-2 py-1.5 text-left hover:bg-line disabled:text-muted"
            >
              {multiple ? (
                <span
                  aria-hidden="true"
                  className={clsx(
                    'size-2.5 shrink-0 translate-y-px rounded-[1px] border border-ink group-disabled/option:border-muted',
                    on ? 'bg-ink' : 'group-hover/option:bg-ink'
                  )}
                />
              ) : null}
              <span className="min-w-0 flex-1">
                <span className="text-person font-semibold">{label}</span>
                {description === undefined ? null : <span className="block text-muted">{description}</span>}
              </span>
              {multiple ? null : (
                <span aria-hidden="true" className="pr-1 text-muted group-hover/option:text-ink">
                  ›
                </span>
              )}
            </button>
          </li>
        )
      })}
    </ul>
  )
}
