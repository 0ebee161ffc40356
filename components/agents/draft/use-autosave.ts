import { useEffect, useRef, useState } from 'react'

/** `failed`: the server could not be reached, so it is tried again. `refused`: only another value can be saved. */
export type SaveResult = 'saved' | 'failed' | 'refused'

type AutosaveOptions = {
  /** Identifies the current value. */
  value: string
  changed: boolean
  /** Says the same as `changed`, also before the next render. */
  isChanged: () => boolean
  /** The user has to decide something first. */
  held: boolean
  save: () => Promise<SaveResult>
}

/** How long typing must pause before the value is saved, in ms. */
const pauseMs = 800
const longestRetryMs = 30_000

/**
 * Saves a changed value once the user pauses, when the page is hidden and when the component disappears. Only one request
 * runs at a time. Typing never waits for it.
 */
export function useAutosave(options: AutosaveOptions) {
  const { value, changed, held } = options
  const latest = useRef(options)
  latest.current = options
  const running = useRef<Promise<SaveResult>>(undefined)
  const [saving, setSaving] = useState(false)
  const [last, setLast] = useState<{ value: string; result: SaveResult; failures: number }>()
  const failures = last?.failures ?? 0
  const isRefused = last?.result === 'refused' && last.value === value

  const save = (): Promise<SaveResult> => {
    const run = async (): Promise<SaveResult> => {
      const { value } = latest.current
      setSaving(true)
      try {
        const result = await latest.current.save()
        setLast(before => ({
          value,
          result,
          failures: result === 'failed' ? (before?.failures ?? 0) + 1 : 0
        }))
        return result
      } finally {
        running.current = undefined
        setSaving(false)
      }
    }
    running.current ??= run()
    return running.current
  }
  const mayRun = changed && !held && !isRefused
  // biome-ignore lint/correctness/useExhaustiveDependencies: another value starts the pause again
  useEffect(() => {
    if (!mayRun || saving) return
    const waitMs = failures === 0 ? pauseMs : Math.min(longestRetryMs, 2000 * 2 ** (failures - 1))
    const timer = setTimeout(() => void save(), waitMs)
    return () => clearTimeout(timer)
  }, [value, mayRun, saving, failures])
  const leave = () => {
    if (latest.current.isChanged() && !latest.current.held) void save()
  }
  const leaveNow = useRef(leave)
  leaveNow.current = leave
  useEffect(() => {
    const onHidden = () => document.visibilityState === 'hidden' && leaveNow.current()
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      document.removeEventListener('visibilitychange', onHidden)
      leaveNow.current()
    }
  }, [])
  return {
    saving,
    failed: changed && failures > 0,
    /** True if this value cannot be saved. */
    refused: changed && isRefused,
    /** Saves now what is not saved yet. Returns false if that is not possible. */
    flush: async (): Promise<boolean> => {
      await running.current
      const { isChanged, held } = latest.current
      return !isChanged() || (!held && (await save()) === 'saved')
    },
    /** Saves without waiting for a pause, for example because the user leaves a field. */
    saveSoon: () => {
      if (mayRun && failures === 0) void save()
    }
  }
}
