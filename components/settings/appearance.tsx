'use client'
import { singleKeys, useSingleKeys } from '#components/browser/hotkeys.ts'
import { setTheme, themes, useTheme } from '#components/browser/theme.ts'
import { Checkbox } from '#components/ui/checkbox.tsx'
import { RadioList } from '#components/ui/radio-list.tsx'
import { Section } from '#components/ui/section.tsx'
import { Notify } from './notify.tsx'

/** The settings of this browser: theme, keyboard shortcuts and notifications. */
export function Appearance() {
  const theme = useTheme()
  const letters = useSingleKeys()
  return (
    <Section title="This browser">
      <div className="flex flex-wrap items-center gap-x-4">
        <span aria-hidden="true" className="w-full mid:w-24">
          Theme
        </span>
        <RadioList
          legend="Theme"
          hideLegend
          name="theme"
          value={theme}
          onChange={setTheme}
          options={themes}
          className="flex flex-wrap gap-x-4"
        />
      </div>
      <div className="flex flex-wrap items-baseline gap-x-4">
        <span aria-hidden="true" className="w-full mid:w-24">
          Keyboard
        </span>
        <Checkbox data-hook="single-keys" checked={letters} onChange={singleKeys.set}>
          Single-key shortcuts, such as ? for the list
        </Checkbox>
      </div>
      <Notify />
    </Section>
  )
}
