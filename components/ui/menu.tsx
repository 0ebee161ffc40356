'use client'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { usePortal } from './portal.ts'

type MenuProps = { trigger: ReactNode; children: ReactNode; align?: 'start' | 'end' }

/** A list of actions below a button. `trigger` must be one element that accepts a ref. */
export function Menu({ trigger, children, align = 'end' }: MenuProps) {
  const portal = usePortal()
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={portal}>
        <Radix.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 min-w-44 rounded-sm border bg-panel py-1 text-ui shadow-overlay"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
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
  return (
    <Radix.Item
      {...(disabled === undefined ? {} : { disabled })}
      {...hook}
      onSelect={onSelect}
      className={`tap flex h-8 items-center justify-between gap-6 px-3 outline-none select-none data-disabled:text-muted data-highlighted:bg-ground ${danger ? 'text-fail' : ''}`}
    >
      {children}
      {hint === undefined ? null : (
        <span data-hook="menu-hint" className="text-muted">
          {hint}
        </span>
      )}
    </Radix.Item>
  )
}

export const MenuLine = () => <Radix.Separator className="my-1 h-px bg-line" />
