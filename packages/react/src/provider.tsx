'use client'
import { createContext, useContext, useMemo } from 'react'
import type { SessionStore } from './playground.ts'
import { createStores, type Stores } from './stores.ts'
import type { WaystationProviderProps } from './types.ts'
import { useHold } from './use-hold.ts'

type Waystation = Omit<WaystationProviderProps, 'children'> & { stores: Stores }

const Context = createContext<Waystation | null>(null)

export function WaystationProvider({ children, ...given }: WaystationProviderProps) {
  const { client, clientTools } = given
  const stores = useMemo(() => createStores(client, clientTools), [client, clientTools])
  return <Context value={{ ...given, stores }}>{children}</Context>
}

/** Returns the props of the provider and its stores. Throws outside `<WaystationProvider>`. */
export function useWaystation(): Waystation {
  const use = useContext(Context)
  if (use === null)
    throw new Error('Components and hooks of @waystation/react must be inside <WaystationProvider>.')
  return use
}

/** Returns the store of a session, and follows the session while the component is mounted. */
export function useStore(sessionId: string): SessionStore {
  const { stores } = useWaystation()
  useHold(stores, sessionId)
  return stores.of(sessionId)
}
