import { useState } from 'react'

/** Returns true from the first time on that `now` is true. Controls that appear once do not take the focus away. */
export function useOnceTrue(now: boolean): boolean {
  const [was, setWas] = useState(now)
  if (now && !was) setWas(true)
  return was || now
}
