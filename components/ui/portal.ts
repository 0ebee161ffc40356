import { createContext, useContext } from 'react'

/** The element that contains dialogs and sheets. Default: the body. */
export const PortalContext = createContext<HTMLElement | null>(null)

export const usePortal = (): HTMLElement | null => useContext(PortalContext)
