import { type ComponentProps, createContext, type ElementType, useContext } from 'react'

type LinkProps = ComponentProps<'a'> & { href: string }

/** The element of links to other pages of the same product. A router provides its own, which does not reload the page. */
export const LinkContext = createContext<ElementType<LinkProps>>('a')

/** A link to another page of the product that shows this component. */
export function Link(props: LinkProps) {
  const Element = useContext(LinkContext)
  return <Element {...props} />
}
