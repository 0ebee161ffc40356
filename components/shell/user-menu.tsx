import { setTheme, themes, useTheme } from '#components/browser/theme.ts'
import { Menu, MenuItem, MenuLine } from '#components/ui/menu.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'

/** The menu of the signed-in user: theme, keyboard shortcuts and signing out. `leave` ends the sign-in. */
export function UserMenu({ leave }: { leave: () => Promise<void> }) {
  const { me, showKeys } = useWorkspace()
  const theme = useTheme()
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          data-hook="user-menu"
          title={me.name}
          className="chevron tap flex h-8 items-center gap-2.5 px-4 text-left hover:bg-ground max-mid:justify-center after:text-muted max-mid:px-0 max-mid:after:hidden"
        >
          <span
            aria-hidden="true"
            className="-mx-0.5 flex size-5 shrink-0 items-center justify-center rounded-full border border-rail text-mono leading-none font-semibold uppercase max-mid:size-7"
          >
            {me.name.slice(0, 1)}
          </span>
          <span className="min-w-0 flex-1 truncate max-mid:sr-only">{me.name}</span>
        </button>
      }
    >
      {themes.map(({ value, label }) => (
        <MenuItem key={value} onSelect={() => setTheme(value)} checked={theme === value}>
          {label} theme
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem onSelect={showKeys} hint="?">
        Keyboard shortcuts
      </MenuItem>
      <MenuLine />
      <MenuItem data-hook="menu-sign-out" onSelect={() => void leave()}>
        Sign out
      </MenuItem>
    </Menu>
  )
}
