'use client'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'

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
  'aria-invalid'?: boolean
  'aria-describedby'?: string | undefined
}

/**
 * A field with a list of options, which users search by typing (ARIA 1.2 combobox). If the user clears the
 * field, the value is empty.
 */
export function Combobox({
  id,
  value,
  onChange,
  options,
  onSearch,
  note,
  readOnly = false,
  ...rest
}: ComboboxProps) {
  const list = useId()
  const [typed, setTyped] = useState<string>()
  const [chosen, setChosen] = useState<Option>()
  const [active, setActive] = useState(-1)
  const open = typed !== undefined && !readOnly
  const known =
    options.find(option => option.value === value) ?? (chosen?.value === value ? chosen : undefined)

  useEffect(() => {
    if (active >= 0) document.getElementById(`${list}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [active, list])

  const show = () => {
    if (open || readOnly) return
    setTyped(known?.label ?? value)
    setActive(-1)
    onSearch('')
  }
  const close = () => setTyped(undefined)
  const choose = (option: Option) => {
    setChosen(option)
    onChange(option.value)
    close()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const picked = options[active]
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!open) return show()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive(at => (options.length === 0 ? -1 : (at + step + options.length) % options.length))
    } else if (event.key === 'Enter' && open && picked !== undefined) {
      event.preventDefault()
      choose(picked)
    } else if (event.key === 'Escape' && open) {
      event.preventDefault()
      close()
    }
  }
  return (
    <div className="relative">
      <input
        {...rest}
        id={id}
        role="combobox"
        aria-expanded={open}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={open && active >= 0 ? `${list}-${active}` : undefined}
        autoComplete="off"
        readOnly={readOnly}
        value={typed ?? known?.label ?? value}
        onClick={show}
        onBlur={close}
        onKeyDown={onKeyDown}
        onChange={event => {
          setTyped(event.target.value)
          setActive(-1)
          onSearch(event.target.value)
          if (event.target.value === '') onChange('')
        }}
        className={`tap h-[30px] w-full min-w-0 rounded-sm border bg-panel px-2 read-only:bg-transparent ${rest['aria-invalid'] ? 'border-fail' : 'border-rail'}`}
      />
      <ul
        id={list}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the list of a combobox
        role="listbox"
        aria-label="Options"
        hidden={!open || options.length === 0}
        className="absolute inset-x-0 top-full z-10 mt-1 max-h-60 overflow-y-auto rounded-sm border border-rail bg-panel py-1"
      >
        {options.map((option, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          <li
            key={option.value}
            id={`${list}-${at}`}
            // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: an option of a combobox
            role="option"
            tabIndex={-1}
            aria-selected={option.value === value}
            // Keep the focus in the field, because the list closes when the field loses it.
            onMouseDown={event => event.preventDefault()}
            onClick={() => choose(option)}
            className={`cursor-pointer px-2 py-1 [overflow-wrap:anywhere] aria-selected:font-semibold ${at === active ? 'bg-line' : 'hover:bg-line'}`}
          >
            {option.label}
          </li>
        ))}
      </ul>
      {open && options.length === 0 && note !== undefined ? (
        <p role="status" className="text-muted">
          {note}
        </p>
      ) : null}
    </div>
  )
}
