'use client'
import { useEffect, useRef } from 'react'
import { singleKeys } from '#components/browser/hotkeys.ts'

type ShellKeys = {
  palette: () => void
  keys: () => void
  newSession: () => void
  nextWaiting: () => void
  step: (by: 1 | -1) => void
}

/**
 * Handles the shortcuts that work on every page. Single keys work only outside fields and dialogs, and only
 * while they are turned on (WCAG 2.1.4). A key that another part of the page has handled is ignored.
 */
export function useShellKeys(actions: ShellKeys) {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return
      const act = actionOf(event, latest.current)
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

function actionOf(event: KeyboardEvent, actions: ShellKeys): (() => void) | undefined {
  const { key, metaKey, ctrlKey, altKey, target } = event
  if ((metaKey || ctrlKey) && !altKey && key.toLowerCase() === 'k') return actions.palette
  if (document.querySelector('[role="dialog"]') !== null) return undefined
  if (altKey && !metaKey && !ctrlKey && (key === 'ArrowUp' || key === 'ArrowDown'))
    return () => actions.step(key === 'ArrowUp' ? -1 : 1)
  if (metaKey || ctrlKey || altKey || inField(target) || !singleKeys.get()) return undefined
  return { '?': actions.keys, n: actions.newSession, w: actions.nextWaiting }[key]
}

const inField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
