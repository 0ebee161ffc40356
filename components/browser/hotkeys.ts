import { type RefObject, useEffect, useRef, useSyncExternalStore } from 'react'
import { createObservers } from './observers.ts'
import { browserStorage } from './storage.ts'

export type Hotkey = {
  /**
   * A key (`j`, `?`, `Enter`), also with `alt+`, or with `mod+`, which is ⌘ on a Mac and Ctrl elsewhere. `g w` is a `w`
   * soon after a `g`.
   */
  keys: string
  /** The effect of the key, as the help shows it. */
  label: string
  /** If it returns `false`, the browser or an earlier hotkey handles the key. */
  run: () => unknown
  /** Limits the key to this element. In its fields and dialogs, the key works too. */
  within?: RefObject<HTMLElement | null>
  /** The key also works while a dialog or menu is open. */
  inDialogs?: true
}

/** The groups of the help, in its order. */
const groups = ['Every page', 'Go to', 'List', 'Session', 'Requests'] as const
type Group = (typeof groups)[number]

type Registration = { group: Group; hotkeys: () => readonly Hotkey[] }

/** The hotkeys of all mounted components, newest last. */
let registered: readonly Registration[] = []

const { subscribe, announce } = createObservers()

/** The setting for single-key shortcuts, stored in this browser. Users can turn them off (WCAG 2.1.4). */
export const singleKeys = {
  get: () => browserStorage().get<boolean>('single-keys') ?? true,
  set: (on: boolean) => {
    browserStorage().set('single-keys', on)
    announce()
  }
}

export const useSingleKeys = () => useSyncExternalStore(subscribe, singleKeys.get, () => true)

/** Tells whether a dialog or menu is open. Then the page's own keys do nothing. A closed list of a field is on the page. */
export const isDialogOpen = () =>
  document.querySelector('dialog[open], [role="dialog"]:not([popover]), :popover-open') !== null

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

const isOn = ({ keys }: Hotkey) => (keys.length > 1 && !keys.includes(' ')) || singleKeys.get()

function works(hotkey: Hotkey, { target }: KeyboardEvent): boolean {
  const { keys, within, inDialogs } = hotkey
  if (within !== undefined) return target instanceof Node && within.current?.contains(target) === true
  if (!inDialogs && isDialogOpen()) return false
  return isOn(hotkey) && (keys === 'Escape' || keys.includes('+') || !isField(target))
}

/** How soon after the first key of a sequence the second one must follow, in ms. */
const sequenceMs = 1000
/** The last key without an effect, which can start a sequence. */
let last = { keys: '', at: 0 }

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const mod = event.metaKey || event.ctrlKey
  const key = mod && event.key.length === 1 ? event.key.toLowerCase() : event.key
  const keys = `${mod ? 'mod+' : ''}${event.altKey ? 'alt+' : ''}${key}`
  const all = registered.flatMap(({ hotkeys }) => hotkeys())
  const run = (pressed: string) =>
    all.findLast(one => one.keys === pressed && works(one, event) && one.run() !== false)
  const isSequence = event.timeStamp - last.at < sequenceMs
  const hotkey = (isSequence ? run(`${last.keys} ${keys}`) : undefined) ?? run(keys)
  last = { keys: hotkey ? '' : keys, at: event.timeStamp }
  if (hotkey !== undefined) event.preventDefault()
}

/**
 * Registers hotkeys while the component is mounted. The help dialog lists them under `group`.
 * - Except for `Escape`, keys without a modifier work only outside fields.
 * - Letters and other single characters work only while single-key shortcuts are turned on.
 * - No shortcut approves or declines anything without a modifier.
 */
export function useHotkeys(group: Group, hotkeys: readonly Hotkey[]): void {
  const latest = useRef(hotkeys)
  latest.current = hotkeys
  useEffect(() => {
    const added = { group, hotkeys: () => latest.current }
    registered = [...registered, added]
    addEventListener('keydown', onKey)
    announce()
    return () => {
      registered = registered.filter(one => one !== added)
      if (registered.length === 0) removeEventListener('keydown', onKey)
      announce()
    }
  }, [group])
}

/** Returns the hotkeys that work now, for the help. Several cards with the same key are one line. */
export function useRegisteredHotkeys(): { group: Group; hotkeys: readonly Hotkey[] }[] {
  const all = useSyncExternalStore(subscribe, () => registered)
  useSingleKeys()
  return groups.map(group => {
    const shown = all.flatMap(one => (one.group === group ? one.hotkeys() : [])).filter(isOn)
    const lines = new Map(shown.map(hotkey => [`${hotkey.keys} ${hotkey.label}`, hotkey]))
    return { group, hotkeys: [...lines.values()] }
  })
}
