import type { SettingField, SettingOption } from '@waystation/protocol/plugin/plugin-settings.ts'
import { useId, useState } from 'react'
import { faultOf, useRead } from '#components/browser/queries.tsx'
import { useDebounced } from '#components/browser/use-debounced.ts'
import { Combobox, type Option } from '#components/ui/combobox.tsx'
import type { ControlProps } from '#components/ui/field.tsx'

/** How long typing must pause before the request, in ms. */
const pause = 250

/** Finds the options that contain a text. */
export type FindOptions = (text: string) => Promise<readonly SettingOption[]>

/** Returns the options in the manifest, with their labels. */
export const labeledOptions = ({ options = [], option_labels: labels = {} }: SettingField): Option[] =>
  options.map(value => ({ value, label: labels[value] ?? value }))

type SettingOptionsProps = ControlProps & {
  field: SettingField
  value: string
  onChange: (value: string) => void
  readOnly: boolean
  find: FindOptions
}

/**
 * The options of a setting, which users search by typing. They come from the field's own list or from its
 * `api_source`, which the server queries in `find`.
 */
export function SettingOptions({ field, find, ...props }: SettingOptionsProps) {
  const { api_source: source } = field
  const own = labeledOptions(field)
  const [words, setWords] = useState<string>()
  const settled = useDebounced(words, words === '' ? 0 : pause)
  const query = useRead<readonly Option[]>({
    queryKey: ['setting options', useId(), settled],
    queryFn: () => find(settled ?? ''),
    enabled: source !== undefined && settled !== undefined,
    placeholderData: before => before
  })
  const isSearching = source !== undefined && (words !== settled || query.isFetching)
  const wanted = (words ?? '').trim().toLowerCase()
  const options: readonly Option[] =
    source === undefined
      ? own.filter(({ label }) => label.toLowerCase().includes(wanted))
      : (query.data ?? [])
  return (
    <Combobox
      {...props}
      options={options}
      onSearch={setWords}
      note={(isSearching ? 'Searching…' : faultOf(query)) ?? 'No matching options.'}
      placeholder={field.placeholder ?? field.default}
    />
  )
}
