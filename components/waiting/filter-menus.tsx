import { Menu, MenuItem } from '#components/ui/menu.tsx'
import type { Choices, Filters } from './filters.ts'

type FilterMenusProps = { filters: readonly Choices[]; set: Filters; onSet: (set: Filters) => void }

/** Shows each filter as a menu, whose button has the selected value. */
export const FilterMenus = ({ filters, set, onSet }: FilterMenusProps) =>
  filters.map(({ name, label, choices }) => {
    const chosen = choices.find(({ value }) => value === set[name])
    const choose = (value: string | undefined) => onSet({ ...set, [name]: value })
    return (
      <Menu
        key={name}
        align="start"
        trigger={
          <button
            type="button"
            data-hook={`filter-${name}`}
            className={`chevron tap max-w-40 truncate text-left ${chosen ? 'font-semibold' : 'text-muted hover:text-ink'}`}
          >
            {chosen ? (
              <>
                <span className="sr-only">{label}: </span>
                {chosen.label}
              </>
            ) : (
              label
            )}
          </button>
        }
      >
        <MenuItem checked={chosen === undefined} onSelect={() => choose(undefined)}>
          All
        </MenuItem>
        {choices.map(({ value, label }) => (
          <MenuItem
            key={value}
            data-hook={`filter-${name}-${value}`}
            checked={value === set[name]}
            onSelect={() => choose(value)}
          >
            {label}
          </MenuItem>
        ))}
      </Menu>
    )
  })
