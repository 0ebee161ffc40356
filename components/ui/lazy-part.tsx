import { type ComponentType, lazy, Suspense, useSyncExternalStore } from 'react'
import { Button } from './button.tsx'

/**
 * Returns a component whose code the browser loads when it is first shown. If that fails, for example because
 * the server has a new version, a message takes its place, and the rest of the page works.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Part = lazy(async () => ({ default: await load().catch((): ComponentType<Props> => NotLoaded) }))
  return function LazyPart(props: Props) {
    // On the server, it renders nothing: a click on HTML whose code is still on its way would be lost.
    const isInBrowser = useSyncExternalStore(
      neverChanges,
      () => true,
      () => false
    )
    if (!isInBrowser) return null
    return (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    )
  }
}

const neverChanges = () => () => undefined

/** Takes the place of a part whose code could not be loaded. */
const NotLoaded = () => (
  <p role="alert" data-hook="part-not-loaded" className="flex flex-wrap items-center gap-3 p-4">
    This part of the page couldn't be loaded.
    <Button onClick={() => window.location.reload()}>Reload page</Button>
  </p>
)
