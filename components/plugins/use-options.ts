import type { SettingField, SettingOption } from '@waystation/protocol/plugin/plugin-settings.ts'
import { useId, useState } from 'react'
import { faultOf, useRead } from '#components/browser/queries.tsx'
import { useDebounced } from '#components/browser/use-debounced.ts'
import type { Option } from '#components/ui/combobox.tsx'

/** How long typing must pause before the request, in ms. */
const pause = 250

/** Finds the options that contain a text. */
export type FindOptions = (text: string) => Promise<readonly SettingOption[]>

/**
 * Searches the options of a settings field. They come from the field's own list or from its `api_source`,
 * which the server queries in `find`. `note` is the text for an empty result.
 */
export function useOptions({ options: own = [], api_source: source }: SettingField, find: FindOptions) {
  const [words, setWords] = useState<string>()
  const settled = useDebounced(words, words === '' ? 0 : pause)
  const query = useRead<readonly Option[]>({
    queryKey: ['setting options', useId(), settled],
    queryFn: () => find(settled ?? ''),
    enabled: source !== undefined && settled !== undefined,
    placeholderData: before => before
  })
  const isSearching = words !== settled || query.isFetching
  const wanted = (words ?? '').trim().toLowerCase()
  const options: readonly Option[] =
    source === undefined
      ? own.filter(label => label.toLowerCase().includes(wanted)).map(value => ({ value, label: value }))
      : (query.data ?? [])
  return {
    options,
    note: (source !== undefined && isSearching ? 'Searching…' : faultOf(query)) ?? 'No matching options.',
    search: setWords
  }
}
