'use client'
import { createContext, useContext } from 'react'

/** Where what lies over the page is put: at the end of the body, unless somebody gives it another place. */
export const PortalContext = createContext<HTMLElement | null>(null)

export const usePortal = (): HTMLElement | null => useContext(PortalContext)
