import * as Radix from '@radix-ui/react-tabs'
import type { ReactNode } from 'react'

type TabsProps<Name extends string> = {
  value: Name
  onValueChange: (name: Name) => void
  tabs: ReadonlyArray<{ name: Name; label: string; content: ReactNode }>
  label: string
  /** Shown at the right end of the row of tabs. */
  end?: ReactNode
}

/** Tabs whose selection the parent stores, for example in the URL. Only the open tab is mounted. */
export function Tabs<Name extends string>({ value, onValueChange, tabs, label, end }: TabsProps<Name>) {
  return (
    <Radix.Root
      value={value}
      onValueChange={name => onValueChange(name as Name)}
      className="flex h-full min-h-0 flex-col"
    >
      <div className="flex h-12 shrink-0 items-stretch justify-between gap-2 border-b pr-2 pl-4">
        <Radix.List
          aria-label={label}
          className="flex min-w-0 gap-4 overflow-x-auto overflow-y-hidden [scrollbar-width:none]"
        >
          {tabs.map(tab => (
            <Radix.Trigger
              key={tab.name}
              value={tab.name}
              data-hook={`tab-${tab.name}`}
              data-text={tab.label}
              className="tap tab steady shrink-0"
            >
              {tab.label}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {end}
      </div>
      {tabs.map(tab => (
        <Radix.Content key={tab.name} value={tab.name} className="min-h-0 flex-1 outline-offset-[-2px]">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
