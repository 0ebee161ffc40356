'use client'
import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { usePortal } from './portal.ts'

/** A few words on a thing that has a label already: what it is called in full, or its key. */
export function Tooltip({ label, children }: { label: ReactNode; children: ReactNode }) {
  const portal = usePortal()
  return (
    <Radix.Provider delayDuration={400}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal container={portal}>
          <Radix.Content
            sideOffset={4}
            collisionPadding={8}
            className="z-50 max-w-80 rounded-sm border bg-panel px-2 py-1 text-ui text-ink shadow-overlay"
          >
            {label}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  )
}
