'use client'
import {
  type ComponentProps,
  cloneElement,
  createContext,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useRef,
  useState
} from 'react'
import { NotLoaded } from './lazy-part.tsx'
import { usePortal } from './portal.ts'

type Parts = typeof import('radix-ui/dropdown-menu')

type MenuProps = {
  trigger: ReactElement<ComponentProps<'button'>>
  children: ReactNode
  align?: 'start' | 'end'
}

/**
 * A list of actions below a button. `trigger` must be one element that accepts a ref and a button's props. The
 * browser loads the code of menus when a user moves to such a button.
 */
export function Menu({ trigger, children, align = 'end' }: MenuProps) {
  const portal = usePortal()
  const [parts, setParts] = useState<Parts | 'not loaded'>()
  const button = useRef<HTMLButtonElement>(null)
  const press = useRef<Event>(undefined)
  // The press that loaded the code also opens the menu.
  useEffect(() => {
    if (parts === undefined || press.current === undefined) return
    button.current?.dispatchEvent(press.current)
    press.current = undefined
  }, [parts])
  const open = (event: Event) => {
    press.current = event
    loadParts().then(setParts, () => setParts('not loaded'))
  }
  if (parts === undefined) return loadingTrigger(trigger, open)
  if (parts === 'not loaded')
    return (
      <>
        {loadingTrigger(trigger, open)}
        <NotLoaded />
      </>
    )
  const { Root, Trigger, Portal, Content } = parts
  return (
    <Root modal={false}>
      <Trigger asChild ref={button}>
        {trigger}
      </Trigger>
      <Portal container={portal}>
        <Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 min-w-44 rounded-sm border bg-panel py-1 text-ui shadow-overlay"
        >
          <MenuContext.Provider value={{ parts, button }}>{children}</MenuContext.Provider>
        </Content>
      </Portal>
    </Root>
  )
}

/** Returns the button of a menu whose code may not be here yet. `open` gets the press for the loaded button. */
const loadingTrigger = (trigger: MenuProps['trigger'], open: (press: Event) => void) =>
  cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: preload,
    onFocus: preload,
    // Pressed keys click with detail 0.
    onClick: ({ detail }) => open(detail === 0 ? keyDown('Enter') : pointerDown()),
    onKeyDown(event) {
      if (event.key !== 'ArrowDown') return
      event.preventDefault()
      open(keyDown('ArrowDown'))
    }
  })

const loadParts = () => import('radix-ui/dropdown-menu')

/** A failure shows when the menu is opened. */
const preload = () => void loadParts().catch(() => undefined)

const keyDown = (key: string) => new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
const pointerDown = () => new PointerEvent('pointerdown', { button: 0, bubbles: true, cancelable: true })

type MenuContent = { parts: Parts; button: RefObject<HTMLButtonElement | null> }
const MenuContext = createContext<MenuContent | undefined>(undefined)

function useMenu(): MenuContent {
  const menu = useContext(MenuContext)
  if (menu === undefined) throw new Error('An item of a menu must be in a menu.')
  return menu
}

type MenuItemProps = {
  children: ReactNode
  onSelect: () => void
  hint?: string
  disabled?: boolean
  danger?: boolean
  'data-hook'?: string
}

/** An action of a menu. `hint` shows its key, its cost or its state. */
export function MenuItem({ children, onSelect, hint, disabled, danger, ...hook }: MenuItemProps) {
  const { parts, button } = useMenu()
  const select = () => {
    // A dialog that the action opens moves the focus back here, because the menu is gone by then.
    button.current?.focus()
    onSelect()
  }
  return (
    <parts.Item
      {...(disabled === undefined ? {} : { disabled })}
      {...hook}
      onSelect={select}
      className={`tap flex h-8 items-center justify-between gap-6 px-3 outline-none select-none data-disabled:text-muted data-highlighted:bg-ground ${danger ? 'text-fail' : ''}`}
    >
      {children}
      {hint === undefined ? null : (
        <span data-hook="menu-hint" className="text-muted">
          {hint}
        </span>
      )}
    </parts.Item>
  )
}

export function MenuLine() {
  const { parts } = useMenu()
  return <parts.Separator className="my-1 h-px bg-line" />
}
