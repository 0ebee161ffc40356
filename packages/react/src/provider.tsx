'use client'
import type { SessionView } from '@waystation/client'
import { createContext, useContext, useEffect, useMemo, useRef } from 'react'
import { QueriesProvider, type SessionStore } from './playground.ts'
import { createStores, type Stores } from './stores.ts'
import type { WaystationProviderProps } from './types.ts'
import { useHold } from './use-hold.ts'

type Waystation = Omit<WaystationProviderProps, 'children'> & { stores: Stores }

const Context = createContext<Waystation | null>(null)

export function WaystationProvider({ children, ...given }: WaystationProviderProps) {
  const { client, clientTools, onError } = given
  const report = useRef(onError)
  useEffect(() => {
    report.current = onError
  }, [onError])
  // A page can write the tools inside its JSX, which creates a new array on each render.
  const tools = JSON.stringify(clientTools)
  const stores = useMemo(
    () =>
      createStores(client, {
        clientTools: tools === undefined ? undefined : JSON.parse(tools),
        onError: (...error) => report.current?.(...error)
      }),
    [client, tools]
  )
  return (
    <Context.Provider value={{ ...given, stores }}>
      <QueriesProvider of={client}>{children}</QueriesProvider>
    </Context.Provider>
  )
}

/** Returns the props of the provider and its stores. Throws outside `<WaystationProvider>`. */
export function useWaystation(): Waystation {
  const use = useContext(Context)
  if (use === null)
    throw new Error('Components and hooks of @waystation/react must be inside <WaystationProvider>.')
  return use
}

/** Returns the store of a session, and follows the session while the component is mounted. */
export function useStore(sessionId: string, initial?: SessionView): SessionStore {
  const { stores } = useWaystation()
  useHold(stores, sessionId)
  return stores.of(sessionId, initial)
}
