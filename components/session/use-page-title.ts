'use client'
import { useEffect } from 'react'

/** "(1) Waiting for you · Fetch a page": a tab in the background says that it waits. */
export function usePageTitle(title: string, waiting: number): void {
  useEffect(() => {
    const name = title || 'Untitled session'
    document.title = waiting === 0 ? name : `(${waiting}) Waiting for you · ${name}`
  }, [title, waiting])
}
