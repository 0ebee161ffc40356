import {
  type ComponentProps,
  cloneElement,
  createContext,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useContext,
  useId
} from 'react'
import { CheckIcon } from './icons.tsx'
import { usePopover } from './use-popover.ts'

type MenuProps = {
  trigger: ReactElement<ComponentProps<'button'>>
  children: ReactNode
  align?: 'start' | 'end'
}

/**
 * A list of actions beside a button (APG: menu button). `trigger` must be one element that accepts a ref and a button's
 * props.
 */
export function Menu({ trigger, children, align = 'end' }: MenuProps) {
  const { button, list, open, show, close } = usePopover(align)
  const name = useId()
  return (
    <>
      {cloneElement<ComponentProps<'button'>>(trigger, {
        ref: button,
        id: name,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        onKeyDown(event) {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          show()
        }
      })}
      {/* A menu can be in a paragraph, which must not contain a `div`. */}
      <span
        ref={list}
        popover="auto"
        role="menu"
        aria-labelledby={name}
        onKeyDown={event => {
          // The browser then moves the focus to the element after the button.
          if (event.key === 'Tab') close()
          else moveFocus(event)
        }}
        className="pointer-events-auto fixed inset-auto m-0 max-h-[calc(100dvh-16px)] min-w-44 overflow-y-auto rounded-sm border bg-raised px-0 py-1 text-left text-ink text-ui shadow-overlay"
      >
        {open ? <CloseContext.Provider value={close}>{children}</CloseContext.Provider> : null}
      </span>
    </>
  )
}

const CloseContext = createContext(() => {})

const itemsIn = (menu: HTMLElement) => [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]:enabled')]

/** Moves the focus with the arrow keys, Home and End, and to the next item that starts with a typed character. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const items = itemsIn(event.currentTarget)
  const at = items.indexOf(document.activeElement as HTMLElement)
  const following = [...items.slice(at + 1), ...items.slice(0, at + 1)]
  const { key, ctrlKey, metaKey, altKey } = event
  const isTyped = key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
  const target = isTyped
    ? following.find(item => item.textContent.trim().toLowerCase().startsWith(key.toLowerCase()))
    : { ArrowDown: following[0], ArrowUp: following.at(-2), Home: items[0], End: items.at(-1) }[key]
  if (target === undefined) return
  event.preventDefault()
  target.focus()
}

type MenuItemProps = {
  children: ReactNode
  onSelect: () => void
  hint?: string
  disabled?: boolean
  danger?: boolean
  /** For a choice between the items of the menu: true for the selected one. */
  checked?: boolean
  'data-hook'?: string
}

/** An action or a choice of a menu. `hint` shows its key, its cost or its state. */
export function MenuItem({ children, onSelect, hint, disabled, danger, checked, ...hook }: MenuItemProps) {
  const close = useContext(CloseContext)
  return (
    <button
      type="button"
      {...(checked === undefined ? { role: 'menuitem' } : { role: 'menuitemradio', 'aria-checked': checked })}
      tabIndex={-1}
      disabled={disabled}
      {...hook}
      onClick={() => {
        // First, so that a dialog that the action opens moves the focus back to the menu's button.
        close()
        onSelect()
      }}
      className={`tap flex h-8 w-full items-center justify-between gap-6 px-3 outline-none select-none hover:bg-panel focus-visible:bg-panel disabled:bg-transparent disabled:text-muted ${danger ? 'text-fail' : ''} ${checked ? 'font-semibold' : ''}`}
    >
      {children}
      {checked ? <CheckIcon /> : null}
      {hint === undefined ? null : (
        <span data-hook="menu-hint" className="text-muted">
          {hint}
        </span>
      )}
    </button>
  )
}

/** A sentence in a menu. The menu's button must say it too, because screen readers skip it. */
export const MenuNote = ({ children }: { children: ReactNode }) => (
  <span className="block max-w-64 px-3 py-1.5 text-muted">{children}</span>
)

export const MenuLine = () => <hr className="my-1 border-line" />
