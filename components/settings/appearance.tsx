'use client'
import { singleKeys, useSingleKeys } from '#components/browser/hotkeys.ts'
import { setTheme, themes, useTheme } from '#components/browser/theme.ts'
import { Section } from '#components/ui/section.tsx'
import { Notify } from './notify.tsx'

/** The settings of this browser: theme, keyboard shortcuts and notifications. */
export function Appearance() {
  const theme = useTheme()
  const letters = useSingleKeys()
  return (
    <Section title="This browser">
      <fieldset className="flex flex-wrap items-center gap-x-4">
        <legend className="sr-only">Theme</legend>
        <span aria-hidden="true" className="w-full mid:w-24">
          Theme
        </span>
        {themes.map(({ value, label }) => (
          <label key={value} className="tap flex items-center gap-2">
            <input
              type="radio"
              name="theme"
              value={value}
              checked={theme === value}
              onChange={() => setTheme(value)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <div className="flex flex-wrap items-baseline gap-x-4">
        <span aria-hidden="true" className="w-full mid:w-24">
          Keyboard
        </span>
        <label className="tap flex items-center gap-2">
          <input
            type="checkbox"
            data-hook="single-keys"
            checked={letters}
            onChange={event => singleKeys.set(event.target.checked)}
          />
          Single-key shortcuts, such as ? for the list
        </label>
      </div>
      <Notify />
    </Section>
  )
}
