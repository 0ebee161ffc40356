'use client'
import NextLink from 'next/link'
import { type ComponentProps, useState } from 'react'

/**
 * A link to another page of the playground. It prefetches that page when the pointer or the focus reaches it.
 * Next's own link prefetches as soon as it is visible, which is 12 requests for each page. With
 * `prefetch={false}`, it never prefetches.
 */
export function Link({ prefetch, onPointerEnter, onFocus, ...rest }: ComponentProps<typeof NextLink>) {
  const [reached, setReached] = useState(false)
  return (
    <NextLink
      prefetch={reached ? prefetch : false}
      onPointerEnter={event => {
        setReached(true)
        onPointerEnter?.(event)
      }}
      onFocus={event => {
        setReached(true)
        onFocus?.(event)
      }}
      {...rest}
    />
  )
}
