import type { Question } from '@waystation/protocol/call/question.ts'
import { clsx } from 'clsx'
import { useEffect, useRef } from 'react'
import { singleKeys } from '#components/browser/hotkeys.ts'

type OptionsProps = {
  options: NonNullable<Question['options']>
  multiple: boolean
  chosen: readonly string[]
  onChoose: (chosen: string[]) => void
}

/**
 * Shows the options of a question: short ones in a row, others as lines. A click on a single choice answers it; multiple
 * choices are checkboxes. While the card has the focus, the keys 1 to 9 press the options.
 */
export function Options({ options, multiple, chosen, onChoose }: OptionsProps) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const card = list.current?.closest<HTMLElement>('[data-call]')
    const onKey = (event: KeyboardEvent) => {
      const { target, key, metaKey, ctrlKey, altKey } = event
      if (metaKey || ctrlKey || altKey || !/^[1-9]$/.test(key) || !singleKeys.get()) return
      if (target instanceof Element && target.matches('input, textarea, select')) return
      list.current?.querySelectorAll<HTMLButtonElement>('button:enabled')[Number(key) - 1]?.click()
    }
    card?.addEventListener('keydown', onKey)
    return () => card?.removeEventListener('keydown', onKey)
  }, [])
  const toggle = (label: string) =>
    onChoose(chosen.includes(label) ? chosen.filter(other => other !== label) : [...chosen, label])
  const inRow =
    !multiple && options.length <= 6 && options.every(one => one.label.length <= 24 && !one.description)
  return (
    <ul ref={list} className={clsx('flex min-w-0', inRow ? 'flex-wrap gap-2' : 'flex-col border-y')}>
      {options.map(({ label, description }, index) => {
        const on = chosen.includes(label)
        return (
          <li key={label} className={inRow ? undefined : 'border-b last:border-b-0'}>
            <button
              type="button"
              data-hook={`ask-question-option-${index}`}
              {...(multiple ? { role: 'checkbox', 'aria-checked': on } : {})}
              onClick={() => (multiple ? toggle(label) : onChoose([label]))}
              className={clsx(
                'tap group/option flex items-baseline gap-2 text-left disabled:text-muted',
                inRow
                  ? 'min-h-[30px] items-center rounded-sm border border-rail bg-ground px-3 font-semibold hover:border-ink max-mid:items-center'
                  : 'w-full px-2 py-1.5 hover:bg-ground'
              )}
            >
              {index < 9 ? (
                <span aria-hidden="true" className="w-3 shrink-0 text-muted tabular-nums max-mid:hidden">
                  {index + 1}
                </span>
              ) : null}
              {multiple ? (
                <span
                  aria-hidden="true"
                  className={clsx(
                    'size-2.5 shrink-0 translate-y-px rounded-[1px] border border-ink group-disabled/option:border-muted',
                    on ? 'bg-ink' : 'group-hover/option:bg-ink'
                  )}
                />
              ) : null}
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                <span className="font-semibold text-person">{label}</span>
                {description === undefined ? null : <span className="block text-muted">{description}</span>}
              </span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
