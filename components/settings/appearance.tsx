'use client'
import { singleKeys, useSingleKeys } from '#components/browser/hotkeys.ts'
import { type NoticeState, setNotices, useNotices } from '#components/browser/notifications.ts'
import { setTheme, themes, useTheme } from '#components/browser/theme.ts'
import { FieldLine, FieldRows } from '#components/forms/field-rows.tsx'
import { Button } from '#components/ui/button.tsx'
import { Checkbox } from '#components/ui/checkbox.tsx'
import { RadioList } from '#components/ui/radio-list.tsx'
import { SettingSection } from './setting-section.tsx'

/** Why the browser does not permit notifications. */
const why: Partial<Record<NoticeState, string>> = {
  refused: 'This browser blocks notifications from this site. Allow them in the browser settings first.',
  none: "This browser doesn't support notifications."
}

type AppearanceProps = { name: string; leave: () => Promise<void> }

/**
 * The signed-in user and the settings of this browser: theme, keyboard shortcuts, and notifications about requests and
 * replies that arrive while the tab is in the background.
 */
export function Appearance({ name, leave }: AppearanceProps) {
  const theme = useTheme()
  const letters = useSingleKeys()
  const notices = useNotices()
  return (
    <SettingSection
      title="Profile"
      hook="this-browser"
      intro="Theme, keyboard and notifications apply to this browser."
      action={
        <form action={leave}>
          <Button type="submit" data-hook="sign-out">
            Sign out
          </Button>
        </form>
      }
    >
      <FieldRows>
        <FieldLine label="Name">
          <span>{name}</span>
        </FieldLine>
        <FieldLine label="Theme">
          <RadioList
            legend="Theme"
            hideLegend
            name="theme"
            value={theme}
            onChange={setTheme}
            options={themes}
            className="flex flex-wrap gap-x-4"
          />
        </FieldLine>
        <FieldLine label="Keyboard">
          <Checkbox data-hook="single-keys" checked={letters} onChange={singleKeys.set}>
            Single-key shortcuts, such as ? for the list
          </Checkbox>
        </FieldLine>
        <FieldLine label="Notifications">
          <Checkbox
            data-hook="notify-waiting"
            checked={notices === 'on'}
            disabled={why[notices] !== undefined}
            onChange={on => void setNotices(on)}
          >
            Requests and replies, while this tab is in the background
          </Checkbox>
          {why[notices] === undefined ? null : <p className="text-muted">{why[notices]}</p>}
        </FieldLine>
      </FieldRows>
    </SettingSection>
  )
}
