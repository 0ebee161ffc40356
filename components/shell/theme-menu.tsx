import { setTheme, themes, useTheme } from '#components/browser/theme.ts'
import { IconButton } from '#components/ui/button.tsx'
import { Menu, MenuItem } from '#components/ui/menu.tsx'

export function ThemeMenu() {
  const theme = useTheme()
  return (
    <Menu
      trigger={
        <IconButton label="Theme">
          <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
            <circle cx="7" cy="7" r="5.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
            <path d="M7 1.5a5.5 5.5 0 0 1 0 11z" fill="currentColor" />
          </svg>
        </IconButton>
      }
    >
      {themes.map(({ value, label }) => (
        <MenuItem key={value} onSelect={() => setTheme(value)} hint={theme === value ? 'current' : undefined}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}
