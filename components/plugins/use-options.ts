import type { SettingField, SettingOption } from '@waystation/protocol/plugin/plugin-settings.ts'
import { useRef, useState } from 'react'
import { readError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import type { Option } from '#components/ui/combobox.tsx'

/** Delay from the last input to the request, in ms. */
const pause = 250

/** Finds the options that contain a text. */
export type FindOptions = (text: string) => Promise<readonly SettingOption[]>

/**
 * Searches the options of a settings field. They come from the field's own list or from its `api_source`,
 * which the server queries in `find`. `note` is the text for an empty result.
 */
export function useOptions({ options, api_source: source }: SettingField, find: FindOptions) {
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
    const reply = await replyTo(find(words))
    if (mine !== asked.current) return
    setFound(
      reply.ok
        ? { options: reply.body, note: 'No matching options.' }
        : { options: [], note: readError(reply) }
    )
  }
  return { ...found, search: (words: string) => void search(words) }
}
