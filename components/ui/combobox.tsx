import { Command } from 'cmdk'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { CheckIcon } from './icons.tsx'
import { usePopover } from './use-popover.ts'

export type Option = { value: string; label: string }

type ComboboxProps = {
  id: string
  value: string
  onChange: (value: string) => void
  /** The options that match the typed text. */
  options: readonly Option[]
  /** Called with the typed text, and with an empty text when the list opens. */
  onSearch: (words: string) => void
  /** Shown instead of an empty list. */
  note?: string | undefined
  placeholder?: string | undefined
  readOnly?: boolean
  'aria-label'?: string | undefined
  'data-hook'?: string | undefined
  'aria-invalid'?: boolean
  'aria-describedby'?: string | undefined
}

/** A field that opens a list of options, which users search by typing. They can also clear the value. */
export function Combobox({
  value,
  onChange,
  options,
  onSearch,
  note,
  placeholder,
  readOnly = false,
  ...rest
}: ComboboxProps) {
  const { button, list, open, show, close } = usePopover('fill')
  const popoverId = useId()
  const [chosen, setChosen] = useState<Option>()
  const known =
    options.find(option => option.value === value) ?? (chosen?.value === value ? chosen : undefined)
  const search = useEffectEvent(onSearch)
  useEffect(() => {
    if (open) search('')
  }, [open])
  const choose = (option: Option) => {
    setChosen(option)
    onChange(option.value)
    close()
  }
  return (
    <>
      <button
        {...rest}
        ref={button}
        type="button"
        role="combobox"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={popoverId}
        disabled={readOnly}
        onKeyDown={event => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          show()
        }}
        className={`tap h-[30px] w-full min-w-0 chevron max-mid:text-agent flex items-center rounded-sm border bg-ground px-2 text-left after:text-muted disabled:bg-transparent disabled:after:hidden ${rest['aria-invalid'] ? 'border-fail' : 'border-rail'}`}
      >
        <span
          className={`min-w-0 flex-1 truncate ${value === '' && known === undefined ? 'text-muted' : ''}`}
        >
          {known?.label ?? (value || placeholder)}
        </span>
      </button>
      <div
        ref={list}
        id={popoverId}
        popover="auto"
        role="dialog"
        aria-label="Options"
        className="fixed inset-auto m-0 rounded-sm border border-rail bg-raised p-0 text-ink text-ui shadow-overlay"
      >
        {open ? (
          <Command shouldFilter={false} loop vimBindings={false} defaultValue={value} label="Search options">
            <div className="flex items-center gap-2 border-b px-2">
              <Command.Input
                placeholder="Search or type…"
                onValueChange={onSearch}
                className="tap h-9 min-w-0 flex-1 bg-transparent outline-none"
              />
              {value === '' ? null : (
                <button
                  type="button"
                  onClick={() => {
                    onChange('')
                    close()
                  }}
                  className="tap text-muted underline"
                >
                  Clear
                </button>
              )}
            </div>
            <Command.List label="Options" className="max-h-60 overflow-y-auto py-1">
              {options.map(option => (
                <Command.Item
                  key={option.value}
                  value={option.value}
                  onSelect={() => choose(option)}
                  className="flex cursor-pointer items-center justify-between gap-2 px-2 py-1 [overflow-wrap:anywhere] data-[selected=true]:bg-line"
                >
                  {option.label}
                  {option.value === value ? <CheckIcon /> : null}
                </Command.Item>
              ))}
            </Command.List>
            <p role="status" className="px-2 pb-2 text-muted empty:hidden">
              {options.length === 0 ? note : null}
            </p>
          </Command>
        ) : null}
      </div>
    </>
  )
}
