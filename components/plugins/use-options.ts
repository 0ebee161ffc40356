import type { SettingField, SettingOption } from '@waystation/protocol/plugin/plugin-settings.ts'
import { useRef, useState } from 'react'
import { readError } from '#components/browser/error-text.ts'
import { httpTo } from '#components/browser/http.ts'
import type { Option } from '#components/ui/combobox.tsx'

/** How long somebody types before it is asked, in ms. */
const pause = 250

/**
 * What a field may be set to, by what is typed: of its own list, or as the address that its manifest names answers, asked through
 * the server at `path`. `note`: why there is none.
 */
export function useOptions({ options, api_source: source }: SettingField, path: string) {
  const own = (options ?? []).map(value => ({ value, label: value }))
  const [found, setFound] = useState<{ options: readonly Option[]; note?: string }>({ options: own })
  const asked = useRef(0)
  const search = async (words: string) => {
    if (source === undefined) {
      const wanted = words.trim().toLowerCase()
      setFound({
        options: own.filter(({ label }) => label.toLowerCase().includes(wanted)),
        note: 'No matching options.'
      })
      return
    }
    const mine = ++asked.current
    setFound(before => ({ ...before, note: 'Searching…' }))
    await new Promise(resolve => setTimeout(resolve, words === '' ? 0 : pause))
    if (mine !== asked.current) return
    const reply = await httpTo('')<SettingOption[]>('GET', `${path}?q=${encodeURIComponent(words)}`)
    if (mine !== asked.current) return
    setFound(
      reply.ok
        ? { options: reply.body, note: 'No matching options.' }
        : { options: [], note: readError(reply) }
    )
  }
  return { ...found, search: (words: string) => void search(words) }
}
